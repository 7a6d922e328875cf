import GRDB
import ODataSQL

@testable import ODataSQLite

enum StatementPlan {
    /// The lines of `EXPLAIN QUERY PLAN`.
    static func plan(_ statement: SQLStatement, in db: Database) throws -> String {
        let rows = try SQLStatement(text: "EXPLAIN QUERY PLAN " + statement.text, bindings: statement.bindings)
            .rows(in: db)
        return rows.compactMap { row in
            if case .text(let text) = row.last { text } else { nil }
        }.joined(separator: "; ")
    }
}
