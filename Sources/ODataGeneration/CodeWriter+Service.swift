import ODataModel

extension CodeWriter {
    /// The structure with a property for each entity set.
    var service: GeneratedFile {
        let name = names.service
        return file(name) { text in
            let container = model.schemas.first { $0.container != nil }
            text.documentation(Documentation(Container(annotations: container?.containerAnnotations ?? [])).paragraphs)
            text.block("\(access)struct \(name): Sendable") { text in
                text.line("\(access)let collections: Collections")
                text.gap()
                text.block("\(access)init(_ store: any ODataStore)") { $0.line("collections = Collections(store)") }
                var scope = MethodScope(reserved: ReservedNames.serviceMembers)
                for set in selection.sets { property(set, &scope, &text) }
                importedOperations(&scope, &text)
            }
        }
    }

    private func property(_ set: EntitySet, _ scope: inout MethodScope, _ text: inout SwiftText) {
        let name = SwiftName.escaped(scope.property(SwiftName.member(of: set.name), suffix: "Set"))
        let type = names[set.type.name]
        let collection = "collections.of(\(type).self, in: \(literal(set.name)))"
        text.gap()
        text.documentation(Documentation(set).paragraphs + ["`\(set.name)`"])
        guard set.kind == .singleton else {
            return text.property("\(access)var \(name): EntityCollection<\(type)>", collection)
        }
        let isNullable = set.declaration.isNullable
        text.block("\(access)func \(name)() async throws -> \(type)\(isNullable ? "?" : "")") { text in
            text.line("try await \(collection).\(isNullable ? "oneIfAny" : "one")()")
        }
    }
}

/// The entity container, as far as its documentation goes.
private struct Container: Annotated {
    let annotations: [Annotation]
}
