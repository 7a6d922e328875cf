/// The clauses of a SELECT, written one by one.
package struct SelectStatement: Sendable {
    /// `1` if there are none.
    package var columns: [SQLFragment] = []
    /// `"Products" AS "t0" JOIN …`; the joins that columns need are appended.
    package var tables: SQLFragment
    package var conditions: [SQLFragment] = []
    package var groups: [SQLFragment] = []
    package var order: [SQLFragment] = []
    package var limit: Int?
    package var offset: Int?

    package init(_ columns: [SQLFragment] = [], tables: SQLFragment, where conditions: [SQLFragment] = []) {
        self.columns = columns
        self.tables = tables
        self.conditions = conditions
    }

    package var sql: SQLFragment {
        let select = "SELECT " + (columns.isEmpty ? "1" : columns.joined(", ")) + " FROM " + tables
        let rest = rest
        let joins = joins(for: select.joins + rest.joins)
        return (joins.reduce(select) { $0 + " " + $1.sql } + rest).making(joins)
    }

    /// The clauses after the tables.
    private var rest: SQLFragment {
        var sql = SQLFragment(raw: "")
        let present = conditions.filter { !$0.isEmpty }
        if !present.isEmpty { sql += " WHERE " + .all(present) }
        if !groups.isEmpty { sql += " GROUP BY " + groups.joined(", ") }
        if !order.isEmpty { sql += " ORDER BY " + order.joined(", ") }
        guard limit != nil || offset != nil else { return sql }
        sql += " LIMIT " + .bound(.integer(Int64(limit ?? -1)))
        if let offset, offset > 0 { sql += " OFFSET " + .bound(.integer(Int64(offset))) }
        return sql
    }
}
