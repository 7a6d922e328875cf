import ODataModel
import ODataQuery

/// The rows that a resource path leads to, from its set through keys, casts, filters and navigation properties.
///
/// `Categories(1)/Products` → `"Categories" AS "t0" JOIN "Products" AS "t1"` with conditions for the key and the
/// navigation property.
struct PathSource {
    private(set) var rows: RowSet
    /// The property at the end, the outermost first, with casts of complex values between.
    private(set) var properties: [EdmProperty] = []
    /// A position in the collection that the properties lead to; negative from the end.
    private(set) var index: Int?

    /// The scope of the entities the path leads to.
    var scope: TableScope { rows.scope }
    var tables: SQLFragment { rows.tables }
    var conditions: [SQLFragment] { rows.conditions }

    init(_ path: ResourcePath, context: StatementContext) throws {
        switch path.root {
        case .entitySet(let set):
            let scope = try context.scope(of: set)
            rows = RowSet(scope: scope, tables: scope.table)
            rows.conditions = scope.live
        case .crossjoin(let sets): rows = try RowSet(crossjoin: sets, context: context)
        case .contentID:
            throw QueryError(.notImplemented, "A content id can only be used inside its change set.")
        case .operation(let call): throw ExpressionTranslator.unsupported("the operation \(call.operation.name)")
        case .all: throw ExpressionTranslator.unsupported("$all here")
        }
        for segment in path.resource.segments { try follow(segment) }
    }

    private mutating func follow(_ segment: ResourcePath.Segment) throws {
        switch segment {
        case .key(let key): rows.conditions += try key.conditions(on: scope)
        case .navigation(let navigation, _): try follow(navigation)
        case .property(let property): properties.append(property)
        case .cast(let type):
            guard properties.isEmpty else { return try cast(to: type) }
            if let condition = scope.condition(forType: type) { rows.conditions.append(condition) }
            if type.isKind(of: scope.type) { scope.type = type }
        case .filter(let expression): try rows.filter(expression)
        case .each: break
        case .index(let position):
            guard !properties.isEmpty else {
                throw ExpressionTranslator.unsupported("the position \(position) in a collection without an order")
            }
            index = position
        case .operation(let call): throw ExpressionTranslator.unsupported("the operation \(call.operation.name)")
        case .count, .value, .ref: break
        }
    }

    /// A cast of a complex value.
    private mutating func cast(to type: EdmStructuredType) throws {
        let expressions = rows.expressions
        guard let declared = properties.last?.type, !declared.isCollection, !expressions.isKind(declared, of: type)
        else { return }
        let value = try expressions.term(properties, of: scope)
        if let condition = expressions.condition(json: value.sql, isKindOf: type) { rows.conditions.append(condition) }
    }

    private mutating func follow(_ navigation: EdmNavigationProperty) throws {
        let (mapping, target) = try scope.context.target(of: navigation, under: properties, from: scope)
        let join = try NavigationJoin(mapping, from: scope, to: target)
        var next = RowSet(
            scope: target, tables: rows.tables + " JOIN " + join.tables)
        next.conditions = rows.conditions + join.conditions
        rows = next
        properties = []
    }
}

extension EntityKey {
    /// `"t0"."OrderID" = ?`, one for each property of the key.
    func conditions(on scope: TableScope) throws -> [SQLFragment] {
        try conditions(alias: scope.alias, source: scope.source, type: scope.set.type)
    }

    /// The conditions for the row of `source`, under an alias, that has this key.
    package func conditions(alias: String, source: RowSource, type: EdmStructuredType) throws -> [SQLFragment] {
        try components.map { component in
            let name = component.name.isEmpty ? type.key.first ?? "" : component.name
            guard let mapping = source.columns[name] else {
                throw QueryError(.notImplemented, "The key property \(name) has no column.")
            }
            let column = SQLFragment.column(alias, mapping.column)
            if case .string(let text) = component.value, source.shownColumns.contains(mapping.column) {
                return ShownText.condition(column, is: text)
            }
            if case .guid(let guid) = component.value, mapping.codec == .guidText {
                let text = guid.description
                return "\(column) IN (\(bound: .text(text)), \(bound: .text(text.uppercased())))"
            }
            if let bound = mapping.codec.comparand(for: component.value) { return column + " = " + .bound(bound) }
            let left = Term(column, mapping.codec, isNullable: false, isColumn: true)
            return try left.equals(component.value)
        }
    }

    /// The conditions joined with AND, for the one row of `source` that has this key.
    package func condition(alias: String, source: RowSource, type: EdmStructuredType) throws -> SQLFragment {
        .all(try conditions(alias: alias, source: source, type: type))
    }
}

extension Term {
    /// A comparison with a value that the column's codec cannot hold.
    fileprivate func equals(_ value: EdmValue) throws -> SQLFragment {
        let other = try Term(literal: value)
        if case .duration(let duration) = value { return normalised + " = " + .bound(duration.secondsBinding) }
        guard other.codec.comparability == codec.comparability else { return "0" }
        return normalised + " = " + other.normalised
    }
}

extension EdmEntitySet {
    /// Whether this is the row of a `$crossjoin`.
    package var isCrossjoin: Bool { name.hasPrefix("$crossjoin(") }
}
