import ODataModel

extension CodeWriter {
    func key(_ members: StructureMembers, _ text: inout SwiftText) {
        guard let key = members.keyParts else {
            text.line("\(access)static func entityKey(_ key: EntityKey) -> EntityKey { key }")
            return
        }
        guard key.count > 1 else {
            let value = "EntityKey(\(literal(key[0].property.name)), key.edm)"
            let short = "\(access)static func entityKey(_ key: \(key[0].type)) -> EntityKey"
            if text.fits("\(short) { \(value) }") { return text.line("\(short) { \(value) }") }
            text.function("\(access)static func entityKey", ["_ key: \(key[0].type)"], "-> EntityKey") {
                $0.line(value)
            }
            return
        }
        text.block("\(access)struct Key: Hashable, Sendable") { text in
            for member in key { text.variable("\(access)var \(member.name)", member.type) }
            if isPublic { initializer(key, &text) }
        }
        text.gap()
        text.block("\(access)static func entityKey(_ key: Key) -> EntityKey") { text in
            text.members(
                "EntityKey([", key.map { (name: literal($0.property.name), value: "key.\($0.name).edm") }, "])")
        }
    }

    /// Beyond the module there is none by itself.
    private func initializer(_ key: [Member], _ text: inout SwiftText) {
        text.gap()
        text.function("public init", key.map { "\($0.name): \($0.type)" }) { text in
            for member in key { text.line("self.\(member.name) = \(member.name)") }
        }
    }
}
