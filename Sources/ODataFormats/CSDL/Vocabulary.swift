import ODataModel

/// A vocabulary of the standard: where its document lies.
struct Vocabulary {
    let namespace: String

    var url: String { "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/\(namespace).xml" }

    /// The vocabularies whose terms `model` uses, in alphabetical order.
    static func used(by model: Model) -> [Vocabulary] {
        var namespaces: Set<String> = []
        func add(_ annotations: [Annotation]) {
            for annotation in annotations { namespaces.insert(QualifiedName(annotation.term).namespace) }
        }
        for schema in model.schemas {
            for type in schema.types {
                add(type.annotations)
                for property in type.properties { add(property.annotations) }
                for navigation in type.navigationProperties { add(navigation.annotations) }
            }
            for set in schema.entitySets { add(set.annotations) }
        }
        return namespaces.filter { $0.hasPrefix("Org.OData.") }.sorted().map(Vocabulary.init)
    }
}
