import GRDB
import ODataSQL

@testable import ODataSQLite

enum SQLFragmentPlan {
    /// The lines of `EXPLAIN QUERY PLAN`.
    static func plan(_ fragment: SQLFragment, in db: Database) throws -> String {
        let rows = try ("EXPLAIN QUERY PLAN " + fragment).rows(in: db)
        return rows.compactMap { row in
            if case .text(let text) = row.last { text } else { nil }
        }.joined(separator: "; ")
    }
}
