import ODataModel
import ODataQuery

extension QueryTranslator {
    /// SQLite's limit of compound selects.
    private static let mostTurns = 500

    /// The merged order of the rows of several queries: the first column has the position of the query that the next
    /// row belongs to. The rows of each query are in the order of ``rows(of:shape:limit:token:keepsOrder:isOneRow:)``.
    ///
    /// - Parameter limit: the maximum number of rows.
    /// - Throws: ``QueryError`` of code `notImplemented` for more queries than SQLite reads in one statement.
    package func turns(of queries: [BoundQuery], by items: [OrderItem], limit: Int) throws -> SQLStatement {
        guard queries.count <= Self.mostTurns else {
            throw ExpressionTranslator.unsupported("$orderby on $all of more than \(Self.mostTurns) sets")
        }
        let context = context
        var rowSets: [RowSet] = []
        for query in queries {
            var rows = try PathSource(query.path, context: context).rows
            try rows.applyOptions(query.options)
            try rows.orderBy(items)
            rowSets.append(rows)
        }
        guard let translator = rowSets.first?.expressions else { return try context.complete("SELECT 0 WHERE 0") }
        var columns = rowSets.indices.map { [SQLFragment("\($0)").named("part$")] }
        var order: [SQLFragment] = []
        for (position, item) in items.enumerated() {
            let terms = try translator.inOneForm(try rowSets.map { try $0.expressions.orderTerm(item.expression) })
            for (index, term) in terms.enumerated() {
                columns[index].append(term.sql.named("o$\(position)"))
            }
            guard let known = terms.first(where: { $0.literal == nil }) else { continue }
            let value = Term(.identifier("o$\(position)"), known.codec, type: known.type, isColumn: true)
            order.append(
                OrderTerm(
                    expression: value.unwrapped.sortKey, isDescending: item.isDescending, isNullable: true
                ).sql)
        }
        let statements = try zip(rowSets, columns).map { rows, columns in
            let own = try rows.totalOrder().map(\.sql).joined(", ")
            let rank: SQLFragment = own.isEmpty ? "1" : "row_number() OVER (ORDER BY " + own + ")"
            var statement = rows.statement
            statement.columns = columns + [rank + " AS \"rank$\""]
            return statement.sql
        }
        var turns = SelectStatement(tables: statements.joined(" UNION ALL ").parenthesised)
        turns.columns = ["\"part$\""]
        turns.order = order + ["\"part$\"", "\"rank$\""]
        turns.limit = limit
        return try context.complete(turns.sql)
    }
}
