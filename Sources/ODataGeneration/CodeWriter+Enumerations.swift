import ODataModel

extension CodeWriter {
    func enumeration(_ type: EdmEnumType) -> GeneratedFile {
        file(names[type.name]) { text in
            document(type, type.name, &text)
            let protocols = type.isFlags ? "FlagsValue" : "EnumerationValue, CaseIterable"
            text.block("\(access)struct \(names[type.name]): \(protocols)") { text in
                let members = names.members(of: type)
                typeName(type.name, &text)
                if type.isFlags { flags(type, &text) } else { choices(type, members.map(\.name), &text) }
                text.gap()
                for (member, name) in members { constant(member, name, of: type, &text) }
                text.gap()
                if type.isFlags { flagsValue(&text) } else { rawValue(&text) }
            }
        }
    }

    /// The members with their numbers, and the values that there are.
    private func choices(_ type: EdmEnumType, _ names: [String], _ text: inout SwiftText) {
        text.list("\(access)static let members: [EdmEnumType.Member] = [", literals(type))
        let cases = names.map { "." + $0.filter { $0 != "`" } }
        text.list("\(access)static let allCases: [\(self.names[type.name])] = [", cases)
    }

    /// The type with its members, for names and numbers.
    private func flags(_ type: EdmEnumType, _ text: inout SwiftText) {
        text.list("private static let members: [EdmEnumType.Member] = [", literals(type))
        text.call(
            "\(access)static let type = EdmEnumType",
            ["name: typeName", "underlyingType: .\(type.underlyingType)", "isFlags: true", "members: members"])
    }

    private func literals(_ type: EdmEnumType) -> [String] {
        type.members.map { ".init(name: \(literal($0.name)), value: \($0.value))" }
    }

    private func constant(_ member: EdmEnumType.Member, _ name: String, of type: EdmEnumType, _ text: inout SwiftText) {
        text.documentation(Documentation(member).paragraphs)
        let typeName = names[type.name]
        // `noColor` of `Color` is what the model says.
        if name.hasSuffix(typeName) { text.line("// swift-format-ignore: DontRepeatTypeInStaticProperties") }
        if type.isFlags, member.value == 0 {
            text.variable("\(access)static let \(name)", "\(typeName) = []")
        } else {
            let value = type.isFlags ? "\(member.value)" : literal(member.name)
            text.assignment("\(access)static let \(name)", typeName, "rawValue: \(value)")
        }
    }

    private func rawValue(_ text: inout SwiftText) {
        text.line("\(access)let rawValue: String")
        guard isPublic else { return }
        text.gap()
        text.line("public init(rawValue: String) { self.rawValue = rawValue }")
    }

    private func flagsValue(_ text: inout SwiftText) {
        text.line("\(access)let rawValue: Int64")
        text.line("\(access)var unknownMembers: Set<String> = []")
        text.gap()
        text.line("\(access)init(rawValue: Int64) { self.rawValue = rawValue }")
    }
}

extension TypeNames {
    /// The members of an enumeration with their names in Swift, with backticks where needed.
    func members(of type: EdmEnumType) -> [(member: EdmEnumType.Member, name: String)] {
        var scope = NameScope(reserved: ReservedNames.enumerationMembers, suffix: "Member")
        return type.members.map { ($0, SwiftName.escaped(scope.name(SwiftName.member(of: $0.name)))) }
    }
}
