import ODataModel

/// Writes the files of a model. This type begins each file; its extensions write the content.
struct CodeWriter {
    let selection: TypeSelection
    let names: TypeNames
    let isPublic: Bool
    let isPartial: Bool

    var model: EdmModel { selection.model }

    /// `public `, or nothing.
    var access: String { isPublic ? "public " : "" }

    var files: [GeneratedFile] {
        selection.enumTypes.map(enumeration) + selection.structuredTypes.map(structure) + [service]
    }

    func file(_ name: String, _ body: (inout SwiftText) -> Void) -> GeneratedFile {
        var text = SwiftText()
        body(&text)
        return GeneratedFile(name: name + ".swift", declarations: text.text)
    }

    /// What the metadata say, then the name that the type has there.
    func document(_ element: some EdmAnnotated, _ name: EdmQualifiedName, _ text: inout SwiftText) {
        text.documentation(Documentation(element).paragraphs + ["`\(name)`"])
    }

    private func structure(_ type: EdmStructuredType) -> GeneratedFile {
        let members = StructureMembers(of: type, names: names, selection: selection, isPartial: isPartial)
        return file(names[type.name]) { text in
            document(type, type.name, &text)
            if type.kind == .entity { entity(members, &text) } else { complex(members, &text) }
        }
    }

    func literal(_ text: String) -> String { SwiftName.literal(text) }
}
