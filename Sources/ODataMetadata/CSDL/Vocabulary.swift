import ODataModel

/// A vocabulary of the standard or of SAP: where its document is.
struct Vocabulary {
    let namespace: String

    var url: String {
        if namespace.hasPrefix("com.sap.vocabularies.") {
            let name = namespace.dropFirst("com.sap.vocabularies.".count).prefix { $0 != "." }
            return "https://sap.github.io/odata-vocabularies/vocabularies/\(name).xml"
        }
        return "https://oasis-tcs.github.io/odata-vocabularies/vocabularies/\(namespace).xml"
    }

    /// The model's references, and those to the vocabularies that it uses without one.
    ///
    /// - Parameter withVocabularies: Whether those to vocabularies are among them.
    static func references(of model: EdmModel, withVocabularies: Bool = true) -> [EdmReference] {
        guard withVocabularies else { return model.references.filter { !$0.isOfVocabularies } }
        let used = used(by: model).map { EdmReference(url: $0.url, includes: [.init(namespace: $0.namespace)]) }
        var references: [EdmReference] = []
        for reference in model.references + used { references.merge(reference) }
        return references
    }

    static func isVocabulary(_ namespace: String) -> Bool {
        namespace.hasPrefix("Org.OData.") || namespace.hasPrefix("com.sap.vocabularies.")
    }

    /// The vocabularies whose terms `model` uses and does not refer to by itself, in alphabetical order.
    private static func used(by model: EdmModel) -> [Vocabulary] {
        var used = TermUse()
        for schema in model.schemas { used.add(schema) }
        let known = Set(model.references.flatMap(\.includes).map(\.namespace)).union(model.schemas.map(\.namespace))
        return used.namespaces.subtracting(known)
            .filter(isVocabulary)
            .sorted().map(Vocabulary.init)
    }
}

extension EdmReference {
    /// Whether nothing but vocabularies is included.
    fileprivate var isOfVocabularies: Bool {
        includedAnnotations.isEmpty && !includes.isEmpty
            && includes.allSatisfy { Vocabulary.isVocabulary($0.namespace) }
    }
}

/// Collects the namespaces of the terms that annotations use.
private struct TermUse {
    private(set) var namespaces: Set<String> = []

    mutating func add(_ annotations: [EdmAnnotation]) {
        for annotation in annotations {
            let end = annotation.term.utf8.firstIndex(of: UInt8(ascii: "#")) ?? annotation.term.endIndex
            let term = annotation.term[..<end]
            if let dot = term.utf8.lastIndex(of: UInt8(ascii: ".")) { namespaces.insert(String(term[..<dot])) }
            if !annotation.annotations.isEmpty { add(annotation.annotations) }
        }
    }

    mutating func add(_ schema: EdmSchema) {
        add(schema.annotations)
        add(schema.containerAnnotations)
        for type in schema.types {
            add(type.annotations)
            for property in type.properties { add(property.annotations) }
            for navigation in type.navigationProperties {
                add(navigation.annotations)
                add(navigation.onDelete?.annotations ?? [])
                for constraint in navigation.constraints { add(constraint.annotations) }
            }
        }
        for type in schema.enumTypes {
            add(type.annotations)
            for member in type.members { add(member.annotations) }
        }
        for type in schema.typeDefinitions { add(type.annotations) }
        for term in schema.terms { add(term.annotations) }
        for operation in schema.operations {
            add(operation.annotations)
            add(operation.result?.annotations ?? [])
            for parameter in operation.parameters { add(parameter.annotations) }
        }
        for set in schema.entitySets { add(set.annotations) }
        for operationImport in schema.operationImports { add(operationImport.annotations) }
        for group in schema.targetedAnnotations { add(group.annotations) }
    }
}
