import ODataModel

extension CodeWriter {
    func complex(_ members: Members, _ text: inout SwiftText) {
        let name = names[members.type.name]
        text.block("\(access)struct \(name): ComplexPropertyValue, QueryElement") { text in
            text.line("\(access)static let typeName = \(qualifiedName(members.type.name))")
            text.gap()
            variables(members, &text)
            text.gap()
            text.function("\(access)init", members.properties.map(\.parameter)) { assignments(members, &$0) }
            text.gap()
            text.block("\(access)init?(complex: ComplexValue)") { text in
                for member in members.properties { read(member, &text) }
            }
            text.gap()
            written(members, &text)
            fields(members, &text)
        }
    }

    private func read(_ member: Member, _ text: inout SwiftText) {
        let isOptional = member.isOptional || member.isCollection
        let type = member.type + (isOptional ? "?" : "")
        let value = "complex.\(isOptional ? "optional" : "value")(\(literal(member.property.name)))"
        text.line("guard let \(member.name): \(type) = \(value) else { return nil }")
        if case .boxed(let name) = member.storage {
            text.line("self.\(name) = \(member.name).map { [$0] } ?? []")
        } else {
            text.line("self.\(member.name) = \(member.name)\(member.isCollection ? " ?? []" : "")")
        }
    }

    private func written(_ members: Members, _ text: inout SwiftText) {
        let values = members.properties.map { member in
            ".init(name: \(literal(member.property.name)), value: \(member.edm))"
        }
        guard !values.isEmpty else { return text.property("\(access)var complex: ComplexValue", "ComplexValue()") }
        text.block("\(access)var complex: ComplexValue") { $0.list("ComplexValue([", values, "])") }
    }
}
