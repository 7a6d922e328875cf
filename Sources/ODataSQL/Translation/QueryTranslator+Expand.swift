import ODataModel
import ODataQuery

/// `$expand`: the related rows of many parents in one statement.
extension QueryTranslator {
    /// The rows of `item` for the parents whose anchors are bound as a JSON array to the parameter
    /// `:parents`, which no binding counts for. ``RowProjection/parent`` gives the position in that array.
    ///
    /// `FROM json_each(:parents) AS "p" CROSS JOIN "Items" AS "t1" WHERE "t1"."OrderID" = "p"."value"`
    package func rows(of item: ExpandItem, from set: EntitySet, shape: RowShape) throws -> RowStatement {
        let source = try ExpandSource(item, from: set, translator: self)
        let order = item.navigation.isCollection ? try Self.order(item.options, source.expressions) : []
        let filter = try item.options.filter.map { try source.expressions.condition($0) }
        let parent: SQLFragment = "\"p\".\"key\""
        let projection = try RowProjection(shape: shape, scope: source.scope, parent: parent)
        var statement = SelectStatement(tables: ([source.tables] + source.scope.joins).joined(" "))
        statement.columns = projection.columns
        statement.conditions = source.conditions + (filter.map { [$0] } ?? [])
        let isLimited = item.navigation.isCollection && (item.options.top != nil || (item.options.skip ?? 0) > 0)
        if !isLimited { statement.order = item.navigation.isCollection ? [parent] + order.map(\.sql) : [] }
        let sql = isLimited ? Self.window(statement, parent, order, item.options) : statement.sql
        return RowStatement(sql: sql, set: source.scope.set, projection: projection, order: order, signature: 0)
    }

    /// How many related rows each parent has: its position and the number. Parents without any are left out.
    package func counts(of item: ExpandItem, from set: EntitySet) throws -> SQLFragment {
        let source = try ExpandSource(item, from: set, translator: self)
        let filter = try item.options.filter.map { try source.expressions.condition($0) }
        var statement = SelectStatement(tables: ([source.tables] + source.scope.joins).joined(" "))
        statement.columns = ["\"p\".\"key\"", "count(*)"]
        statement.conditions = source.conditions + (filter.map { [$0] } ?? [])
        return statement.sql + " GROUP BY \"p\".\"key\""
    }

    /// `$top` and `$skip` for each parent.
    private static func window(
        _ inner: SelectStatement, _ parent: SQLFragment, _ order: [OrderTerm], _ options: QueryOptions
    ) -> SQLFragment {
        var inner = inner
        let number = "row_number() OVER (PARTITION BY " + parent + " ORDER BY " + order.map(\.sql).joined(", ") + ")"
        inner.columns = inner.columns.enumerated().map { $1 + SQLFragment(" AS \"c\($0)\"") }
        let position = inner.columns.count
        inner.columns += [number + " AS \"n\"", parent + " AS \"parent\""]
        let names = (0..<position).map { SQLFragment("\"c\($0)\"") }.joined(", ")
        let skip = Int64(options.skip ?? 0)
        var sql = "SELECT " + names + " FROM (" + inner.sql + ") WHERE \"n\" > " + .bound(.integer(skip))
        if let top = options.top {
            let (end, isTooGreat) = skip.addingReportingOverflow(Int64(top))
            sql += " AND \"n\" <= " + .bound(.integer(isTooGreat ? .max : end))
        }
        return sql + " ORDER BY \"parent\", \"n\""
    }
}

/// The tables and conditions that lead from bound anchors to related rows.
struct ExpandSource {
    let scope: Scope
    let tables: SQLFragment
    let conditions: [SQLFragment]
    let expressions: ExpressionTranslator

    private static let parents: SQLFragment = "json_each(:parents) AS \"p\""

    init(_ item: ExpandItem, from set: EntitySet, translator: QueryTranslator) throws {
        guard item.form != .count else { throw ExpressionTranslator.unsupported("$expand with $count") }
        let context = StatementContext(model: translator.model, mapping: translator.mapping, now: translator.now)
        let parent = try context.scope(of: set)
        let (mapping, target) = try context.target(of: item.navigation, from: parent)
        let value: SQLFragment = "\"p\".\"value\""
        let relation: Relation
        var tables = Self.parents
        var conditions: [SQLFragment] = []
        switch (mapping, RowProjection.anchorColumns(of: mapping, source: parent.source)) {
        case (.columns(let pairs, _), .some):
            relation = Relation(columns: Self.conditions(pairs, value: value, target: target), to: target)
        case (.columns, nil):
            relation = try Relation(mapping, from: parent, to: target)
            tables += " CROSS JOIN " + parent.table
            conditions.append(try parent.rowID() + " = " + value)
        case (.linkTable, _): relation = try Relation(mapping, sourceID: value, to: target)
        }
        scope = target
        self.tables = tables + " CROSS JOIN " + relation.tables
        self.conditions = conditions + relation.conditions
        expressions = ExpressionTranslator(it: target)
    }

    private static func conditions(
        _ pairs: [RelationMapping.ColumnPair], value: SQLFragment, target: Scope
    ) -> [SQLFragment] {
        guard pairs.count > 1 else { return pairs.map { target.column($0.target) + " = " + value + $0.collating } }
        return pairs.enumerated().map { position, pair in
            target.column(pair.target) + " = json_extract(" + value + SQLFragment(", '$[\(position)]')")
                + pair.collating
        }
    }
}
