import ODataModel
import ODataQuery

/// The tables and conditions that a resource path stands for, from its set over keys and relations.
///
/// `Categories(1)/Products` → `"Categories" AS "t0" JOIN "Products" AS "t1"` where the key and the relation hold.
struct PathSource {
    /// The scope of the entities the path leads to.
    private(set) var scope: Scope
    private(set) var tables: SQLFragment
    private(set) var conditions: [SQLFragment]
    /// The property at the end, from the outside in.
    private(set) var properties: [Property] = []

    init(_ path: ResourcePath, context: StatementContext) throws {
        guard case .entitySet(let set) = path.root else {
            throw QueryError(.notImplemented, "A content id can only be used inside its change set.")
        }
        scope = try context.scope(of: set)
        tables = scope.table
        conditions = scope.source.condition(for: scope.alias).map { [$0] } ?? []
        for segment in path.resource.segments { try follow(segment) }
    }

    private mutating func follow(_ segment: ResourcePath.Segment) throws {
        switch segment {
        case .key(let key): conditions += try key.conditions(on: scope)
        case .navigation(let navigation, _):
            let (mapping, target) = try scope.context.target(of: navigation, from: scope)
            let relation = try Relation(mapping, from: scope, to: target)
            tables = tables + " JOIN " + relation.tables
            conditions += relation.conditions
            scope = target
        case .property(let property): properties.append(property)
        case .cast(let type):
            guard scope.set.type.isKind(of: type) else {
                throw ExpressionTranslator.unsupported("a cast to \(type.name)")
            }
        case .operation, .filter, .each, .index:
            throw ExpressionTranslator.unsupported("this path segment")
        case .count, .value, .ref: break
        }
    }
}

extension EntityKey {
    /// `"t0"."OrderID" = ?`, one for each property of the key.
    func conditions(on scope: Scope) throws -> [SQLFragment] {
        try conditions(alias: scope.alias, source: scope.source, type: scope.set.type)
    }

    /// The conditions for the row of `source`, under an alias, that has this key.
    package func conditions(alias: String, source: RowSource, type: StructuredType) throws -> [SQLFragment] {
        try components.map { component in
            let name = component.name.isEmpty ? type.key.first ?? "" : component.name
            guard let mapping = source.columns[name] else {
                throw QueryError(.notImplemented, "The key property \(name) has no column.")
            }
            let column = SQLFragment("\(quoted(alias)).\(quoted(mapping.column))")
            if case .guid(let guid) = component.value, mapping.codec == .guidText {
                let text = guid.description
                return column + " IN " + SQLFragment("(?, ?)", [.text(text), .text(text.uppercased())])
            }
            if let bound = mapping.codec.comparand(for: component.value) { return column + " = " + .bound(bound) }
            let left = Term(column, mapping.codec, isNullable: false, isColumn: true)
            return try left.equals(component.value)
        }
    }

    /// The conditions joined with AND, for the one row of `source` that has this key.
    package func condition(alias: String, source: RowSource, type: StructuredType) throws -> SQLFragment {
        .all(try conditions(alias: alias, source: source, type: type))
    }
}

extension Term {
    /// A comparison with a value that the column's own form cannot hold.
    fileprivate func equals(_ value: Value) throws -> SQLFragment {
        let other = try Term(literal: value)
        if case .duration(let duration) = value { return normalised + " = " + .bound(duration.secondsBinding) }
        guard other.codec.comparability == codec.comparability else { return "0" }
        return normalised + " = " + other.normalised
    }
}
