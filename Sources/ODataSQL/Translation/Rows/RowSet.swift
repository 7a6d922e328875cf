import ODataModel
import ODataQuery

/// The rows at the end of a path or of a transformation of `$apply`, as the parts of a statement: tables, conditions,
/// an order.
struct RowSet {
    /// A value that partitions rows: a grouping value, or the parent of expanded rows. Aggregation and `$top` apply to
    /// each combination separately.
    struct Partition {
        /// The name of its column, if it has one.
        var name: String
        var term: Term
    }

    var scope: TableScope
    var tables: SQLFragment
    var conditions: [SQLFragment] = []
    /// The order of the rows, before the key.
    var order: [OrderTerm] = []
    var partitions: [Partition] = []
    /// The parents of expanded rows, identified by the first partitions.
    var parents: ParentList?
    /// The partitions that identify the row of `$it`, unless these follow the parent.
    var resourcePartitions: Range<Int>?
    /// The combinations of partitions that have a result even without rows.
    var combinations: Combinations?
    /// The partitions that are nodes of hierarchies: those of `rolluprecursive` around the steps.
    var rollups: [Rollup] = []
    /// The properties that order rows without a key: the grouping values.
    var leading: [String] = []
    /// The sets of a `$crossjoin` that is read in nested loops, from the outermost to the innermost.
    var loops: [String]?
    /// The member of a collection of values that each row represents; paths start at it.
    var member: ExpressionTranslator.Variable?
    /// Whether the rows are entities with all columns of their table.
    var isEntities = true
    /// `$these`, if an expression uses it.
    var these: CurrentCollection?

    init(scope: TableScope, tables: SQLFragment) {
        self.scope = scope
        self.tables = tables
    }

    var context: StatementContext { scope.context }

    var expressions: ExpressionTranslator {
        var translator = ExpressionTranslator(it: scope)
        translator.this = member
        translator.these = these
        return translator
    }

    func term(_ path: PropertyPath) throws -> Term { try expressions.term(.path(path)) }

    mutating func filter(_ expression: QueryExpression) throws {
        try prepare([expression])
        conditions.append(try expressions.condition(expression))
    }

    /// The statement that reads the rows, without columns and order.
    var statement: SelectStatement {
        var statement = SelectStatement(tables: tables)
        statement.conditions = conditions
        return statement
    }

    /// The order, made total by the key or by all values of the rows.
    func totalOrder() throws -> [OrderTerm] {
        var total = order
        for term in try key() where !total.contains(where: { $0.names(term) }) { total.append(term) }
        return total
    }

    private func key() throws -> [OrderTerm] {
        if !scope.members.isEmpty {
            if let loops { return try loops.compactMap { scope.members[$0] }.flatMap(Self.loopOrder) }
            return try scope.members.sorted { $0.key < $1.key }.flatMap { try Self.key($0.value) }
        }
        if isEntities { return try Self.key(scope) }
        let others = scope.source.columns.keys.filter { !leading.contains($0) }.sorted()
        return (leading + others).compactMap { name in
            guard let column = scope.source.columns[name], column.codec != .json else { return nil }
            let term = Term(scope.column(column.column), column.codec, isColumn: true)
            return OrderTerm(expression: term.sortKey, isDescending: false, isNullable: true)
        }
    }

    static func key(_ scope: TableScope) throws -> [OrderTerm] {
        try scope.set.type.keyProperties.map { property in
            guard let column = scope.source.columns[property.name] else {
                throw QueryError(.notImplemented, "The key property \(property.name) has no column.")
            }
            return OrderTerm(expression: scope.column(column.column), isDescending: false, isNullable: false)
        }
    }
}

extension RowSet {
    /// Puts `$orderby` before the existing order.
    mutating func orderBy(_ items: [OrderItem]) throws {
        try prepare(items.map(\.expression))
        var first: [OrderTerm] = []
        for item in items {
            let term = try expressions.orderTerm(item.expression).unwrapped
            if term.codec == .json { throw ExpressionTranslator.unsupported("$orderby on a structured value") }
            guard term.literal == nil else { continue }
            first.append(
                OrderTerm(expression: term.sortKey, isDescending: item.isDescending, isNullable: term.isNullable))
        }
        order = first + order.filter { later in !first.contains { $0.names(later) } }
    }

    /// Applies `$top` and `$skip` to each partition.
    mutating func cut(skip: Int, top: Int?) throws {
        guard skip > 0 || top != nil else { return }
        let number = "row_number() OVER (" + window(try totalOrder()) + ")"
        let column = try define(numbering: Term(number, .integer, isNullable: false))
        if skip > 0 { conditions.append(column + " > " + .bound(.integer(Int64(skip)))) }
        if let top {
            let (end, isTooGreat) = Int64(skip).addingReportingOverflow(Int64(top))
            conditions.append(column + " <= " + .bound(.integer(isTooGreat ? .max : end)))
        }
    }

    /// `PARTITION BY … ORDER BY …`
    func window(_ order: [OrderTerm], rest: SQLFragment = "") -> SQLFragment {
        var window: SQLFragment = ""
        if !partitions.isEmpty { window += "PARTITION BY " + partitions.map(\.term.sortKey).joined(", ") + " " }
        if !order.isEmpty { window += "ORDER BY " + order.map(\.sql).joined(", ") }
        return window + rest
    }

    /// Turns the rows into a common table expression with an additional column; returns that column.
    mutating func define(numbering term: Term) throws -> SQLFragment {
        let name = "n$\(context.number())"
        try define([Column(name: name, property: nil, term: term)])
        return scope.column(name)
    }

    /// Turns the rows into a common table expression with an additional property.
    mutating func define(_ property: String, as term: Term) throws {
        try define([Column(name: "c$\(context.number())", property: property, term: term)])
    }

    /// `"t0"."Price" * 2 AS "c$1"`
    struct Column {
        var name: String
        /// The property that has this value.
        var property: String?
        var term: Term
    }

    /// Turns the rows into a common table expression with additional columns.
    ///
    /// `SELECT "t0".*, "t0"."rowid" AS "rowid", "t0"."Price" * 2 AS "c$1" FROM …`
    mutating func define(_ extras: [Column] = []) throws {
        var statement = statement
        let named = partitions.filter { !$0.term.isColumn($0.name, of: scope) }
        let computed = extras.map { ($0.name, $0.term.sql) } + named.map { ($0.name, $0.term.sql) }
        statement.columns = ownColumns + computed.map { $1.named($0) }
        var number: String?
        if !order.isEmpty {
            let name = "o$\(context.number())"
            number = name
            let sql = "row_number() OVER (ORDER BY " + (try totalOrder()).map(\.sql).joined(", ") + ")"
            statement.columns.append(sql.named(name))
        }
        var source = definedSource
        source.table = try context.define(statement.sql, computing: computed)
        for column in extras {
            guard let property = column.property else { continue }
            source.columns[property] = ColumnMapping(column: column.name, codec: column.term.codec)
        }
        rebase(on: source)
        order = number.map { [OrderTerm(expression: scope.column($0), isDescending: false, isNullable: false)] } ?? []
    }

    /// The rows of a table that has a column for each partition.
    mutating func rebase(on source: RowSource, type: EdmStructuredType? = nil) {
        let resource = scope.resource?.set
        scope = TableScope(
            context: context, alias: context.alias(), set: scope.set, source: source, type: type ?? scope.type)
        tables = scope.table
        conditions = []
        member = nil
        these = nil
        for index in partitions.indices {
            let partition = partitions[index]
            partitions[index].term = Term(
                scope.column(partition.name), partition.term.codec, isNullable: partition.term.isNullable,
                isColumn: true)
        }
        scope.resource = resource.map { self.resource(in: $0) }
        scope.rollupNodes = rollupNodes
    }

    /// Replaces the names of columns and the navigation properties.
    mutating func rename(_ source: RowSource) {
        let (resource, nodes) = (scope.resource, scope.rollupNodes)
        let path = "\(scope.alias)$\(context.number())"
        scope = TableScope(
            context: context, alias: scope.alias, set: scope.set, source: source, type: scope.type, path: path)
        scope.resource = resource
        scope.rollupNodes = nodes
    }

    private var ownColumns: [SQLFragment] {
        guard scope.members.isEmpty else {
            return scope.members.sorted { $0.key < $1.key }.flatMap { name, member in
                member.source.columns.sorted { $0.key < $1.key }.map { property, column in
                    member.column(column.column).named("\(name)/\(property)")
                }
            }
        }
        var columns = [SQLFragment.identifier(scope.alias) + ".*"]
        // `*` does not contain a row id that is not a declared column.
        if let id = scope.source.rowID, ["rowid", "_rowid_", "oid"].contains(id.lowercased()) {
            columns.append(scope.column(id).named(id))
        }
        return columns
    }

    private var definedSource: RowSource {
        var source = scope.source
        source.condition = nil
        for (name, member) in scope.members {
            source.relations[name] = .columns(
                member.set.type.key.map {
                    .init(source: "\(name)/\($0)", target: member.source.columns[$0]?.column ?? $0)
                },
                target: name)
            for (property, column) in member.source.columns {
                source.columns["\(name)/\(property)"] = ColumnMapping(
                    column: "\(name)/\(property)", codec: column.codec)
            }
        }
        return source
    }
}

extension Term {
    /// Whether this is the existing column `name` of `scope`.
    fileprivate func isColumn(_ name: String, of scope: TableScope) -> Bool { isColumn && sql == scope.column(name) }
}

extension OrderTerm {
    /// Whether this orders by the same column.
    func names(_ other: OrderTerm) -> Bool {
        expression.withoutCollation == other.expression.withoutCollation
    }
}
