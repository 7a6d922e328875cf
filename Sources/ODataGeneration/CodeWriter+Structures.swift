import ODataModel

/// What entities and complex types have in common.
extension CodeWriter {
    /// The variables of the properties, each with its documentation.
    func variables(_ members: StructureMembers, _ text: inout SwiftText) {
        let swiftNames = Dictionary(members.properties.map { ($0.property.name, $0.name) }) { first, _ in first }
        for member in members.properties {
            var documentation = Documentation(member.property, names: swiftNames, model: model)
            switch member.storage {
            case .plain:
                text.documentation(documentation.paragraphs)
                text.variable("\(access)var \(member.name)", member.declaredType)
            case .made(let name, let placeholder):
                text.variable("private var \(name)", "\(member.type)?")
                let shown = Self.shown(placeholder)
                documentation.add(["\(shown) until the service has made it."])
                text.documentation(documentation.paragraphs)
                accessors(member, get: (name, placeholder), set: (name, "newValue"), &text)
            case .boxed(let name):
                text.variable("private var \(name)", "[\(member.type)]")
                text.documentation(documentation.paragraphs)
                accessors(member, get: ("\(name).first", nil), set: (name, "newValue.map { [$0] } ?? []"), &text)
            }
        }
    }

    /// `0`; of `EdmDate("2024-01-01") ?? …` what it is most of all.
    private static func shown(_ placeholder: String) -> String {
        guard !placeholder.hasPrefix("\""), placeholder.contains("(") else { return placeholder }
        let value = placeholder.prefix { $0 != "?" }
        return "`\(value.last == " " ? value.dropLast() : value)`"
    }

    private func accessors(
        _ member: Member, get: (value: String, fallback: String?), set: (name: String, value: String),
        _ text: inout SwiftText
    ) {
        text.variable("\(access)var \(member.name)", member.declaredType) { text in
            let short = get.value + (get.fallback.map { " ?? \($0)" } ?? "")
            text.accessor(
                "get",
                { text in
                    if let fallback = get.fallback { text.fallback(get.value, fallback) } else { text.line(get.value) }
                }, short: short)
            text.accessor("set", { $0.assignment(set.name, set.value) }, short: "\(set.name) = \(set.value)")
        }
    }

    func typeName(_ name: EdmQualifiedName, _ text: inout SwiftText) {
        text.assignment("\(access)static let typeName", "EdmQualifiedName", literal("\(name)"))
    }

    func constant(_ name: String, _ values: [String], _ text: inout SwiftText) {
        let type = values.isEmpty ? ": [String]" : ""
        text.list("\(access)static let \(name)\(type) = [", values.map(literal))
    }

    /// `self.name = name` for each property.
    func assignments(_ members: StructureMembers, _ text: inout SwiftText) {
        for member in members.properties {
            switch member.storage {
            case .plain: text.assignment("self.\(member.name)", member.name)
            case .made(let name, _): text.assignment("self.\(name)", member.name)
            case .boxed(let name): text.assignment("self.\(name)", "\(member.name).map { [$0] } ?? []")
            }
        }
    }

    /// The structure that the builder of queries names properties by.
    func fields(_ members: StructureMembers, _ text: inout SwiftText) {
        text.gap()
        text.block("\(access)struct Fields: QueryFields") { text in
            text.line("\(access)let path: FieldPath")
            if isPublic { text.line("public init(path: FieldPath) { self.path = path }") }
            for member in members.properties { field(member, &text) }
            for stream in members.streams {
                text.documentation(Documentation(stream.property).paragraphs)
                text.property(
                    "\(access)var \(stream.name)", "StreamField", "path.stream", [literal(stream.property.name)])
            }
            for member in members.navigation {
                let (type, method) = member.navigation.isCollection ? ("ToMany", "toMany") : ("ToOne", "toOne")
                text.property(
                    "\(access)var \(member.name)", "\(type)<\(member.type)>", "path.\(method)",
                    [literal(member.navigation.name)])
            }
        }
    }

    private func field(_ member: Member, _ text: inout SwiftText) {
        // Conditions compare with members that are not null.
        let element = names.swiftType(member.property.type.element)
        let isComplex = if case .complex = member.property.type.element { element != "EdmValue" } else { false }
        let (type, method) =
            switch (member.isCollection, isComplex) {
            case (false, false): ("QueryOperand", "property")
            case (false, true): ("ComplexOperand", "complex")
            case (true, false): ("CollectionOperand", "collection")
            case (true, true): ("ComplexCollectionOperand", "complexCollection")
            }
        text.property(
            "\(access)var \(member.name)", "\(type)<\(element)>", "path.\(method)", [literal(member.property.name)])
    }
}
