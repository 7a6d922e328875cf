import ODataModel
import ODataQuery

/// `isdefined`
///
/// [OData-Aggregation, section 3.6.2]
extension ExpressionTranslator {
    /// `isdefined(Product)`: whether the instance has the property, null or not.
    func isDefined(_ path: PropertyPath) throws -> SQLFragment {
        guard let last = path.steps.last else { return "1" }
        var walk = PropertyPathTranslator(self, from: try start(of: path))
        try walk.follow(path.steps.dropLast())
        return try walk.has(last)
    }
}

extension PropertyPathTranslator {
    /// Whether the value that the path has reached has the property of the next step.
    fileprivate mutating func has(_ step: PropertyPath.Step) throws -> SQLFragment {
        let own: SQLFragment
        switch (step, place) {
        case (.property(let property), .entity(let scope)):
            own = .all([try presence(of: scope), scope.presence(of: property.name)])
        case (.navigation(let navigation, _, _), .entity(let scope)):
            let isKnown =
                try scope.source.navigation[scope.navigationName(of: navigation, as: castType)] != nil
                || scope.members[navigation.name] != nil
            let flag = scope.flag(of: navigation.name) ?? (isKnown ? "1" : scope.presence(of: navigation.name))
            own = .all([try presence(of: scope), flag])
        case (.property(let property), .properties(let scope, let outer)):
            let names = (outer.map(\.name) + [property.name]).joined(separator: "/")
            own = try scope.flag(of: names) ?? isMember(property, of: translator.term(outer, of: scope))
        case (.property(let property), .json(let root, let names, let type)):
            own = try isMember(property, of: translator.json(root, names, type: type))
        default:
            try follow([step])
            own = try term().sql + " IS NOT NULL"
        }
        return enclosed(.all(guards + [own]))
    }

    /// Whether the row of the entity exists.
    private func presence(of scope: TableScope) throws -> SQLFragment {
        scope === translator.it || scope.alias == translator.it.alias
            ? "1" : try translator.entity(scope).sql + " IS NOT NULL"
    }

    /// A declared member exists if the value exists; an undeclared one if the value contains it.
    private func isMember(_ property: EdmProperty, of value: Term) throws -> SQLFragment {
        guard property.type.isUntyped else { return value.sql + " IS NOT NULL" }
        return .call("json_type", [value.sql, .bound(.text("$.\"\(property.name)\""))]) + " IS NOT NULL"
    }
}

extension TableScope {
    /// Whether a row has the property of that name.
    fileprivate func presence(of name: String) -> SQLFragment {
        if let flag = flag(of: name) { return flag }
        guard let object = source.dynamicColumn else { return source.streams[name] == nil ? "0" : "1" }
        return .call("json_type", [column(object), .bound(.text("$.\"\(name)\""))]) + " IS NOT NULL"
    }

    /// The condition that a row has a property with a column, or with columns for its members; nil for other
    /// properties.
    fileprivate func flag(of name: String) -> SQLFragment? {
        if let flag = source.presence[name] { return column(flag) + " <> 0" }
        if let condition = source.knowledge[name] {
            return value(condition).parenthesised + " <> 0"
        }
        if source.columns[name] != nil { return "1" }
        let members = source.columns.keys.filter { $0.hasPrefix(name + "/") }.sorted()
        guard !members.isEmpty else { return nil }
        let flags = members.compactMap { source.presence[$0] }
        return flags.count < members.count ? "1" : "(" + flags.map { column($0) + " <> 0" }.joined(" OR ") + ")"
    }
}
