import ODataModel

extension CodeWriter {
    func entity(_ members: Members, _ text: inout SwiftText) {
        let name = names[members.type.name]
        text.block("\(access)struct \(name): TypedEntity") { text in
            constants(members, &text)
            text.gap()
            variables(members, &text)
            relations(members, &text)
            text.line("\(access)var origin: EntityOrigin<\(name)>?")
            text.gap()
            initializer(members, &text)
            text.gap()
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

    private func constants(_ members: Members, _ text: inout SwiftText) {
        text.line("\(access)static let typeName = \(qualifiedName(members.type.name))")
        constant("propertyNames", members.properties.map(\.property.name), &text)
        constant("keyNames", members.type.key, &text)
        constant("relationNames", members.relations.map(\.navigation.name), &text)
    }

    private func constant(_ name: String, _ values: [String], _ text: inout SwiftText) {
        let type = values.isEmpty ? ": [String]" : ""
        text.list("\(access)static let \(name)\(type) = [", values.map(literal))
    }

    private func relations(_ members: Members, _ text: inout SwiftText) {
        for relation in members.relations {
            text.documentation(Documentation(relation.navigation).paragraphs)
            if relation.navigation.isCollection {
                text.line("\(access)var \(relation.name): [\(relation.type)]?")
            } else {
                text.line("@Expanded \(access)var \(relation.name): \(relation.type)?")
            }
        }
    }

    private func initializer(_ members: Members, _ text: inout SwiftText) {
        let relations = members.relations.map { relation in
            "\(relation.name): \(relation.navigation.isCollection ? "[\(relation.type)]" : relation.type)? = nil"
        }
        text.function("\(access)init", members.properties.map(\.parameter) + relations) { text in
            assignments(members, &text)
            for relation in members.relations {
                let isCollection = relation.navigation.isCollection
                text.line(
                    isCollection
                        ? "self.\(relation.name) = \(relation.name)"
                        : "self.\(unquoted("_", relation.name)) = Expanded(wrappedValue: \(relation.name))")
            }
        }
    }

    private func rowInitializer(_ members: Members, _ text: inout SwiftText) {
        text.block("\(access)init(_ row: TypedRow) throws(ODataError)") { text in
            for (index, member) in members.properties.enumerated() {
                text.line("self.\(assigned(member)) = try \(read(member, index))")
            }
            for (index, relation) in members.relations.enumerated() {
                text.line(
                    relation.navigation.isCollection
                        ? "self.\(relation.name) = try row.many(\(index))"
                        : "self.\(unquoted("_", relation.name)) = try row.one(\(index))")
            }
        }
    }

    private func assigned(_ member: Member) -> String {
        if case .made(let name, _) = member.storage { name } else { member.name }
    }

    private func read(_ member: Member, _ index: Int) -> String {
        if member.isCollection { return "row.members(\(index))" }
        let isRequired = !member.isOptional && !member.isMade
        return isRequired ? "row.value(\(index))" : "row.optional(\(index))"
    }

    private func values(_ members: Members, _ text: inout SwiftText) {
        choice("\(access)func value(at index: Int) -> Value?", members.properties.map(\.edm), &text)
    }

    private func related(_ members: Members, _ text: inout SwiftText) {
        let cases = members.relations.map { relation in
            let name = ReservedNames.locals.contains(relation.name) ? "self.\(relation.name)" : relation.name
            return "\(name).map { .\(relation.navigation.isCollection ? "many" : "one")($0) }"
        }
        choice("\(access)func related(at index: Int) -> RelatedEntities?", cases, &text)
    }

    /// A function that gives one of `cases` by their positions.
    private func choice(_ declaration: String, _ cases: [String], _ text: inout SwiftText) {
        guard !cases.isEmpty else { return text.property(declaration, "nil") }
        text.block(declaration) { text in
            text.line("switch index {")
            for (index, expression) in cases.enumerated() { text.line("case \(index): \(expression)") }
            text.line("default: nil")
            text.line("}")
        }
    }

    /// `_category`: the storage of a property wrapper.
    private func unquoted(_ prefix: String, _ name: String) -> String { prefix + name.filter { $0 != "`" } }
}
