import ODataModel

extension CodeWriter {
    /// The structure with a property for each entity set.
    var service: GeneratedFile {
        let name = names.service
        return file(name) { text in
            let container = model.schemas.first { $0.container != nil }
            text.documentation(Documentation(Container(annotations: container?.containerAnnotations ?? [])).paragraphs)
            text.block("\(access)struct \(name): Sendable") { text in
                text.line("\(access)let collections: EntityCollections")
                text.gap()
                text.block("\(access)init(_ store: any ODataStore)") {
                    $0.line("collections = EntityCollections(store)")
                }
                var scope = MethodScope(reserved: ReservedNames.serviceMembers)
                for set in selection.sets { property(set, &scope, &text) }
                importedOperations(&scope, &text)
            }
        }
    }

    private func property(_ set: EdmEntitySet, _ scope: inout MethodScope, _ text: inout SwiftText) {
        let name = SwiftName.escaped(scope.property(SwiftName.member(of: set.name), suffix: "Set"))
        let type = names[set.type.name]
        let isSingleton = set.kind == .singleton
        let (method, label) = isSingleton ? ("singleton", "named") : ("of", "in")
        text.gap()
        text.documentation(
            Documentation(set).paragraphs
                + [isSingleton ? "`\(set.name)`, one entity: `one()` reads it." : "`\(set.name)`"])
        text.property(
            "\(access)var \(name)", "EntityCollection<\(type)>", "collections.\(method)",
            ["\(type).self", "\(label): \(literal(set.name))"])
    }
}

/// The documentation of the entity container.
private struct Container: EdmAnnotated {
    let annotations: [EdmAnnotation]
}
