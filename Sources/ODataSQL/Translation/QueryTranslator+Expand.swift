import ODataModel
import ODataQuery

/// `$expand`: the related rows of many parents in one statement.
extension QueryTranslator {
    /// The rows of `item` for the parents whose anchors are bound as a JSON array to the parameter
    /// `:parents`, which no binding counts for. ``RowProjection/parent`` gives the position in that array.
    ///
    /// `FROM json_each(:parents) AS "p" CROSS JOIN "Items" AS "t1" WHERE "t1"."OrderID" = "p"."value"`
    package func rows(of item: ExpandItem, from parent: RowStatement, shape: RowShape) throws -> RowStatement {
        var rows = try related(item, from: parent)
        let isCollection = item.navigation.isCollection
        if isCollection { try rows.orderBy(item.options.orderBy) }
        let isCut = isCollection && (item.options.top != nil || (item.options.skip ?? 0) > 0)
        if isCut { try rows.cut(skip: item.options.skip ?? 0, top: item.options.top) }
        let order = isCollection ? try rows.totalOrder() : []
        let position = rows.partitions.first?.term.sql
        let projection = try RowProjection(shape: shape, rows: rows, options: item.options, parent: position)
        var statement = rows.statement
        statement.columns = projection.columns
        if isCollection { statement.order = (position.map { [$0] } ?? []) + order.map(\.sql) }
        return RowStatement(
            sql: rows.context.complete(statement.sql), set: rows.scope.set, type: rows.scope.type,
            source: rows.scope.source, projection: projection, order: order, signature: 0, isEntities: rows.isEntities)
    }

    /// How many related rows each parent has: its position and the number. Parents without any are left out.
    package func counts(of item: ExpandItem, from parent: RowStatement) throws -> SQLFragment {
        let rows = try related(item, from: parent)
        let position = rows.partitions.first?.term.sql ?? "0"
        var statement = rows.statement
        statement.columns = [position, "count(*)"]
        return rows.context.complete(statement.sql + " GROUP BY " + position)
    }

    /// The related rows with their parents as partitions, after `$apply`, `$compute`, `$search` and `$filter`.
    private func related(_ item: ExpandItem, from parent: RowStatement) throws -> RowSet {
        let context = context
        let source =
            try parent.source.relations[item.relationName] == nil && parent.set.isCrossjoin
            ? ExpandSource(member: item, context: context) : ExpandSource(item, from: parent, context: context)
        var rows = RowSet(scope: source.scope, tables: source.tables)
        rows.conditions = source.conditions
        context.resource = source.resource(of: item, from: parent)
        if let condition = rows.scope.condition(forType: item.targetType) { rows.conditions.append(condition) }
        if item.targetType.isKind(of: rows.scope.type) { rows.scope.type = item.targetType }
        rows.partitions = [RowSet.Partition(name: "parent$", term: Term("\"p\".\"key\"", .integer, isNullable: false))]
        try rows.take(item.options)
        return rows
    }
}

/// The tables and conditions that lead from bound anchors to related rows.
struct ExpandSource {
    let scope: Scope
    let tables: SQLFragment
    let conditions: [SQLFragment]

    private static let parents: SQLFragment = "json_each(:parents) AS \"p\""
    static let value: SQLFragment = "\"p\".\"value\""

    init(_ item: ExpandItem, from statement: RowStatement, context: StatementContext) throws {
        let name = item.relationName
        guard let mapping = statement.source.relations[name] else {
            throw QueryError(.notImplemented, "The store has no relation for \(statement.set.name)/\(name).")
        }
        let target = try context.scope(of: try context.targetSet(of: mapping, named: name))
        let relation: Relation
        var tables = Self.parents
        var conditions: [SQLFragment] = []
        switch (mapping, RowProjection.anchorColumns(of: mapping, source: statement.source)) {
        case (.columns(let pairs, _), .some):
            relation = Relation(columns: Self.conditions(pairs, target: target), to: target)
        case (.columns, nil):
            let parent = try context.scope(of: statement.set)
            relation = try Relation(mapping, from: parent, to: target)
            tables += " CROSS JOIN " + parent.table
            conditions.append(try parent.rowID() + " = " + Self.value)
        case (.linkTable, _): relation = try Relation(mapping, sourceID: Self.value, to: target)
        }
        scope = target
        self.tables = tables + " CROSS JOIN " + relation.tables
        self.conditions = conditions + relation.conditions
    }

    /// A member of a `$crossjoin`, by its identity.
    init(member item: ExpandItem, context: StatementContext) throws {
        guard let set = item.targetSet else {
            throw ExpressionTranslator.unsupported("\(item.navigation.name) in $crossjoin")
        }
        let target = try context.scope(of: set)
        let pairs = try target.identityColumns().map { RelationMapping.ColumnPair(source: $0, target: $0) }
        let relation = Relation(columns: Self.conditions(pairs, target: target), to: target)
        scope = target
        tables = Self.parents + " CROSS JOIN " + relation.tables
        conditions = relation.conditions
    }

    static func conditions(_ pairs: [RelationMapping.ColumnPair], target: Scope) -> [SQLFragment] {
        guard pairs.count > 1 else { return pairs.map { target.column($0.target) + " = " + value + $0.collating } }
        return pairs.enumerated().map { position, pair in
            target.column(pair.target) + " = json_extract(" + value + SQLFragment(", '$[\(position)]')")
                + pair.collating
        }
    }
}
