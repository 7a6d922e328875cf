import GRDB
import ODataSQL

/// An index that a foreign key lacks: SQLite makes none by itself.
struct MissingIndex: Hashable, Sendable {
    var table: String
    var columns: [String]
    /// The table that the foreign key refers to.
    var target: String

    /// `CREATE INDEX "odata_Orders_CustomerID" ON "Orders" ("CustomerID")`
    var sql: String {
        let name = "odata_\(table)_\(columns.joined(separator: "_"))"
        return "CREATE INDEX IF NOT EXISTS \(quoted(name)) ON \(quoted(table)) "
            + "(\(columns.map(quoted).joined(separator: ", ")))"
    }

    var notice: String {
        """
        The foreign key \(table)(\(columns.joined(separator: ", "))) to \(target) has no index: following it from \
        \(target) reads all of \(table). --create-indexes makes one: \(sql)
        """
    }
}
