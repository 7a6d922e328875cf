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
        let value = "complex.value(\(literal(member.property.name)))"
        if case .boxed(let name) = member.storage {
            text.line("let \(member.name): \(member.type)? = \(value)")
            text.line("self.\(name) = \(member.name).map { [$0] } ?? []")
        } else if member.isCollection {
            text.line("self.\(member.name) = \(value) ?? []")
        } else if member.isOptional {
            text.line("self.\(member.name) = \(value)")
        } else {
            text.line("guard let \(member.name): \(member.type) = \(value) else { return nil }")
            text.line("self.\(member.name) = \(member.name)")
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
