import ODataModel

extension CodeWriter {
    func complex(_ members: StructureMembers, _ text: inout SwiftText) {
        let name = names[members.type.name]
        text.type("\(access)struct \(name)", ["ComplexPropertyValue", "QueryElement"]) { text in
            typeName(members.type.name, &text)
            constant("propertyNames", members.properties.map(\.property.name), &text)
            text.gap()
            variables(members, &text)
            text.documentation([additional(to: members.type)])
            text.line("\(access)var additional = EdmComplexValue()")
            text.gap()
            if !members.type.declaration.isAbstract {
                text.function("\(access)init", members.properties.map(\.parameter)) { assignments(members, &$0) }
                text.gap()
            }
            text.block("\(access)init?(complex: EdmComplexValue)") { text in
                for member in members.properties { read(member, &text) }
                text.line("self.additional = complex.additional(to: Self.propertyNames)")
            }
            text.gap()
            written(members, &text)
            fields(members, &text)
        }
    }

    private func additional(to type: EdmStructuredType) -> String {
        let members = type.isOpen ? "Dynamic members, and others" : "Members"
        return "\(members) that this structure does not know, with the name of a derived type: written back as read."
    }

    private func read(_ member: Member, _ text: inout SwiftText) {
        let isOptional = member.isOptional || member.isCollection
        let type = member.type + (isOptional ? "?" : "")
        text.guarded(
            member.name, type, "complex.\(isOptional ? "optional" : "value")", literal(member.property.name))
        if case .boxed(let name) = member.storage {
            text.assignment("self.\(name)", "\(member.name).map { [$0] } ?? []")
        } else {
            text.assignment("self.\(member.name)", "\(member.name)\(member.isCollection ? " ?? []" : "")")
        }
    }

    private func written(_ members: StructureMembers, _ text: inout SwiftText) {
        let values = members.properties.map { member in
            (name: literal(member.property.name), value: member.edm)
        }
        guard !values.isEmpty else { return text.property("\(access)var complex", "EdmComplexValue", "additional") }
        text.block("\(access)var complex: EdmComplexValue") { text in
            let elements = values.map { ".init(name: \($0.name), value: \($0.value))" }.joined(separator: ", ")
            let short = "EdmComplexValue([\(elements)], and: additional)"
            guard !text.fits(short) else { return text.line(short) }
            text.line("EdmComplexValue(")
            text.indented { $0.members("[", values, "], and: additional)") }
        }
    }
}
