import ODataModel

extension CodeWriter {
    func enumeration(_ type: EnumType) -> GeneratedFile {
        file(names[type.name]) { text in
            document(type, type.name, &text)
            let protocolName = type.isFlags ? "FlagsValue" : "EnumerationValue"
            text.block("\(access)struct \(names[type.name]): \(protocolName)") { text in
                if type.isFlags { declaration(type, &text) } else { typeName(type, &text) }
                text.gap()
                members(type, &text)
                text.gap()
                rawValue(type.isFlags ? "Int64" : "String", &text)
            }
        }
    }

    private func typeName(_ type: EnumType, _ text: inout SwiftText) {
        text.line("\(access)static let typeName = \(qualifiedName(type.name))")
    }

    /// The type with its members, for names and numbers.
    private func declaration(_ type: EnumType, _ text: inout SwiftText) {
        let members = type.members.map { ".init(name: \(literal($0.name)), value: \($0.value))" }
        text.list("private static let members: [EnumType.Member] = [", members)
        text.call(
            "\(access)static let type = EnumType",
            [
                "name: \(qualifiedName(type.name))", "underlyingType: .\(type.underlyingType)", "isFlags: true",
                "members: members",
            ])
    }

    private func members(_ type: EnumType, _ text: inout SwiftText) {
        var scope = NameScope(reserved: ReservedNames.enumerationMembers, suffix: "Member")
        for member in type.members {
            let name = SwiftName.escaped(scope.name(SwiftName.member(of: member.name)))
            text.documentation(Documentation(member).paragraphs)
            let typeName = names[type.name]
            if type.isFlags, member.value == 0 {
                text.line("\(access)static let \(name): \(typeName) = []")
            } else {
                let value = type.isFlags ? "\(member.value)" : literal(member.name)
                text.line("\(access)static let \(name) = \(typeName)(rawValue: \(value))")
            }
        }
    }

    private func rawValue(_ type: String, _ text: inout SwiftText) {
        text.line("\(access)let rawValue: \(type)")
        guard isPublic else { return }
        text.gap()
        text.line("public init(rawValue: \(type)) { self.rawValue = rawValue }")
    }
}
