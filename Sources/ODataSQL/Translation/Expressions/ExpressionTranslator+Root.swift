import ODataModel
import ODataQuery

/// Values that are not plain paths from the instance.
extension ExpressionTranslator {
    /// `$root/People('Ada')/Name`: an independent subquery. [OData-URL, section 5.1.1.14.5]
    func root(_ path: ResourcePath) throws -> Term {
        if case .operation(let call)? = path.segments.last {
            let subject = ResourcePath(root: path.root, segments: path.segments.dropLast())
            return try operation(call, on: .root(subject))
        }
        let walk = try walk(root: path)
        guard path.suffix == .count else { return try walk.term() }
        return Term(
            try count(try walk.collection(), filter: nil, search: nil), .integer, type: .int64, isNullable: false)
    }

    private func walk(root path: ResourcePath) throws -> PropertyPathTranslator {
        let source = try PathSource(path, context: context)
        let members = CollectionMembers(
            tables: source.tables, conditions: source.conditions, variable: .entity(source.scope))
        var walk = PropertyPathTranslator(self, from: .members(members))
        if path.target != .collection || !source.properties.isEmpty {
            walk.start(at: members)
            try walk.follow(source.properties.map { .property($0) })
        }
        return walk
    }

    /// `cast(Model.Manager)/Budget`, `Model.Nearest()/Name`
    func member(_ operand: QueryExpression, _ steps: [PropertyPath.Step]) throws -> Term {
        var walk = try walk(to: operand)
        try walk.follow(steps)
        return try walk.term()
    }

    /// A path that continues from a value, or from the instance if there is none.
    func walk(to operand: QueryExpression?) throws -> PropertyPathTranslator {
        switch operand {
        case nil: return PropertyPathTranslator(self, from: try place(of: this ?? .entity(it)))
        case .path(let path): return try walk(path)
        case .root(let path): return try walk(root: path)
        case let operand?:
            let term = try term(operand)
            var walk = PropertyPathTranslator(self, from: term.entity.map { .entity($0) } ?? .value(term))
            // A value that a cast turns into null has no members.
            if term.entity != nil { walk.require(term.sql + " IS NOT NULL") }
            return walk
        }
    }
}

extension PropertyPathTranslator {
    /// Makes the value null where `condition` does not hold.
    mutating func require(_ condition: SQLFragment) { guards.append(condition) }
}
