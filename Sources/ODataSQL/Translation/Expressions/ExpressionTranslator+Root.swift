import ODataModel
import ODataQuery

/// Values that are not plain paths from the instance.
extension ExpressionTranslator {
    /// `$root/People('Ada')/Name`: a subselect on its own. [OData-URL, section 5.1.1.14.5]
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

    private func walk(root path: ResourcePath) throws -> PathWalk {
        let source = try PathSource(path, context: context)
        let members = Members(
            tables: source.tables, conditions: source.conditions, variable: .entity(source.scope))
        var walk = PathWalk(self, from: .members(members))
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

    /// A path that goes on from a value; from the instance if there is none.
    func walk(to operand: QueryExpression?) throws -> PathWalk {
        switch operand {
        case nil: return PathWalk(self, from: try place(of: this ?? .entity(it)))
        case .path(let path): return try walk(path)
        case .root(let path): return try walk(root: path)
        case let operand?:
            let term = try term(operand)
            var walk = PathWalk(self, from: term.entity.map { .entity($0) } ?? .value(term))
            // What a cast makes null has no members either.
            if term.entity != nil { walk.require(term.sql + " IS NOT NULL") }
            return walk
        }
    }
}

extension PathWalk {
    /// Makes the value null where `condition` does not hold.
    mutating func require(_ condition: SQLFragment) { guards.append(condition) }
}
