import ODataModel

/// What entities and complex types have in common.
extension CodeWriter {
    /// The variables of the properties, each with its documentation.
    func variables(_ members: Members, _ text: inout SwiftText) {
        let swiftNames = Dictionary(members.properties.map { ($0.property.name, $0.name) }) { first, _ in first }
        for member in members.properties {
            var documentation = Documentation(member.property, names: swiftNames)
            switch member.storage {
            case .plain:
                text.documentation(documentation.paragraphs)
                text.line("\(access)var \(member.name): \(member.declaredType)")
            case .made(let name, let placeholder):
                text.line("private var \(name): \(member.type)?")
                let shown = placeholder.contains("(") ? "`\(placeholder)`" : placeholder
                documentation.add(["\(shown) until the service has made it."])
                text.documentation(documentation.paragraphs)
                accessor(member, get: "\(name) ?? \(placeholder)", set: "\(name) = newValue", &text)
            case .boxed(let name):
                text.line("private var \(name): [\(member.type)]")
                text.documentation(documentation.paragraphs)
                accessor(member, get: "\(name).first", set: "\(name) = newValue.map { [$0] } ?? []", &text)
            }
        }
    }

    private func accessor(_ member: Member, get: String, set: String, _ text: inout SwiftText) {
        text.block("\(access)var \(member.name): \(member.declaredType)") { text in
            text.property("get", get)
            text.property("set", set)
        }
    }

    /// `self.name = name` for each property.
    func assignments(_ members: Members, _ text: inout SwiftText) {
        for member in members.properties {
            switch member.storage {
            case .plain: text.line("self.\(member.name) = \(member.name)")
            case .made(let name, _): text.line("self.\(name) = \(member.name)")
            case .boxed(let name): text.line("self.\(name) = \(member.name).map { [$0] } ?? []")
            }
        }
    }

    /// The structure that the builder of queries names properties by.
    func fields(_ members: Members, _ text: inout SwiftText) {
        text.gap()
        text.block("\(access)struct Fields: QueryFields") { text in
            text.line("\(access)let path: FieldPath")
            if isPublic { text.line("public init(path: FieldPath) { self.path = path }") }
            for member in members.properties { field(member, &text) }
            for stream in members.streams {
                text.property(
                    "\(access)var \(stream.name): StreamField", "path.stream(\(literal(stream.property.name)))")
            }
            for relation in members.relations {
                let (type, method) = relation.navigation.isCollection ? ("ToMany", "toMany") : ("ToOne", "toOne")
                text.property(
                    "\(access)var \(relation.name): \(type)<\(relation.type)>",
                    "path.\(method)(\(literal(relation.navigation.name)))")
            }
        }
    }

    private func field(_ member: Member, _ text: inout SwiftText) {
        let element = names.swiftType(member.property.type.element)
        let isComplex = if case .complex = member.property.type.element { element != "Value" } else { false }
        let (type, method) =
            switch (member.isCollection, isComplex) {
            case (false, false): ("Operand", "property")
            case (false, true): ("ComplexOperand", "complex")
            case (true, false): ("CollectionOperand", "collection")
            case (true, true): ("ComplexCollectionOperand", "complexCollection")
            }
        text.property(
            "\(access)var \(member.name): \(type)<\(element)>", "path.\(method)(\(literal(member.property.name)))")
    }
}
