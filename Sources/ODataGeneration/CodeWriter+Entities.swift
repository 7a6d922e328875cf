import ODataModel

extension CodeWriter {
    func entity(_ members: StructureMembers, _ text: inout SwiftText) {
        let name = names[members.type.name]
        let isOpen = members.type.isOpen
        text.type("\(access)struct \(name)", [isOpen ? "OpenTypedEntity" : "TypedEntity"]) { text in
            constants(members, &text)
            text.gap()
            variables(members, &text)
            navigationProperties(members, &text)
            if isOpen { text.line("\(access)var additional = EdmComplexValue()") }
            text.line("\(access)var origin: EntityOrigin<\(name)>?")
            text.gap()
            if !members.type.declaration.isAbstract {
                initializer(members, &text)
                text.gap()
            }
            rowInitializer(members, &text)
            text.gap()
            values(members, &text)
            text.gap()
            related(members, &text)
            text.gap()
            key(members, &text)
            fields(members, &text)
        }
        boundOperations(members.type, &text)
    }

    private func constants(_ members: StructureMembers, _ text: inout SwiftText) {
        typeName(members.type.name, &text)
        constant("propertyNames", members.properties.map(\.property.name), &text)
        constant("keyNames", members.type.key, &text)
        if members.type.hasNestedKey {
            constant("keyPaths", members.type.keyPaths.map { $0.joined(separator: "/") }, &text)
        }
        constant("navigationNames", members.navigation.map(\.navigation.name), &text)
    }

    private func navigationProperties(_ members: StructureMembers, _ text: inout SwiftText) {
        for member in members.navigation {
            text.documentation(Documentation(member.navigation).paragraphs)
            if member.navigation.isCollection {
                text.variable("\(access)var \(member.name)", "[\(member.type)]?")
            } else {
                text.variable("@ExpandedEntity \(access)var \(member.name)", "\(member.type)?")
            }
        }
    }

    private func initializer(_ members: StructureMembers, _ text: inout SwiftText) {
        let navigation = members.navigation.map { member in
            "\(member.name): \(member.navigation.isCollection ? "[\(member.type)]" : member.type)? = nil"
        }
        text.function("\(access)init", members.properties.map(\.parameter) + navigation) { text in
            assignments(members, &text)
            for member in members.navigation {
                if member.navigation.isCollection {
                    text.assignment("self.\(member.name)", member.name)
                } else {
                    text.assignment(
                        "self.\(unquoted("_", member.name))", "ExpandedEntity", "wrappedValue: \(member.name)")
                }
            }
        }
    }

    private func rowInitializer(_ members: StructureMembers, _ text: inout SwiftText) {
        text.block("\(access)init(_ row: TypedRow) throws(ODataError)") { text in
            for (index, member) in members.properties.enumerated() {
                text.assignment("self.\(assigned(member))", "try row.\(method(member))", "\(index)")
            }
            for (index, member) in members.navigation.enumerated() {
                let (name, call) =
                    member.navigation.isCollection
                    ? (member.name, "many") : (unquoted("_", member.name), "one")
                text.assignment("self.\(name)", "try row.\(call)", "\(index)")
            }
        }
    }

    private func assigned(_ member: Member) -> String {
        if case .made(let name, _) = member.storage { name } else { member.name }
    }

    private func method(_ member: Member) -> String {
        if member.isCollection, !member.isOptional { return "members" }
        return !member.isOptional && !member.isMade ? "value" : "optional"
    }

    private func values(_ members: StructureMembers, _ text: inout SwiftText) {
        choice("\(access)func value(at index: Int)", "EdmValue?", members.properties.map(\.edm), &text)
    }

    private func related(_ members: StructureMembers, _ text: inout SwiftText) {
        let cases = members.navigation.map { member in
            let name = ReservedNames.locals.contains(member.name) ? "self.\(member.name)" : member.name
            return "\(name).map { .\(member.navigation.isCollection ? "many" : "one")($0) }"
        }
        choice("\(access)func related(at index: Int)", "RelatedEntities?", cases, &text)
    }

    /// A function that gives one of `cases` by their positions.
    private func choice(_ function: String, _ type: String, _ cases: [String], _ text: inout SwiftText) {
        let declaration = "\(function) -> \(type)"
        guard !cases.isEmpty else { return text.line("\(declaration) { nil }") }
        text.block(declaration) { text in
            text.line("switch index {")
            for (index, expression) in cases.enumerated() { text.choice(index, expression) }
            text.line("default: nil")
            text.line("}")
        }
    }

    /// `_category`: the storage of a property wrapper.
    private func unquoted(_ prefix: String, _ name: String) -> String { prefix + name.filter { $0 != "`" } }
}
