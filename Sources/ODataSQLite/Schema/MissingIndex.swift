import GRDB
import ODataSQL

/// A missing index of a foreign key: SQLite does not create one.
struct MissingIndex: Hashable, Sendable {
    private struct Column: Hashable {
        var name: String
        /// The collation to compare with, if it differs from the column's own.
        var collation: String?
    }

    let table: String
    private let columns: [Column]
    /// The table that the foreign key refers to.
    private let target: String
    /// Whether SQLite can use such an index. It cannot if it converts the column's values before it compares them.
    let isOfUse: Bool

    init(table: String, comparisons: [ColumnComparison], target: String) {
        self.table = table
        self.target = target
        isOfUse = comparisons.allSatisfy(\.canUseIndex)
        columns = comparisons.map { comparison in
            let own = comparison.column.description.collation.uppercased()
            return Column(
                name: comparison.column.name,
                collation: own == comparison.collation.uppercased() ? nil : comparison.collation)
        }
    }

    func isSame(as other: MissingIndex) -> Bool {
        table == other.table && columns == other.columns && isOfUse == other.isOfUse
    }

    /// `CREATE INDEX "odata_Orders_CustomerID" ON "Orders" ("CustomerID")`
    var sql: String {
        let parts = columns.flatMap { [$0.name, $0.collation].compactMap(\.self) }
        let name = "odata_\(table)_\(parts.joined(separator: "_"))"
        let list = columns.map { quoted($0.name) + ($0.collation.map { " COLLATE \(quoted($0))" } ?? "") }
        return "CREATE INDEX IF NOT EXISTS \(quoted(name)) ON \(quoted(table)) (\(list.joined(separator: ", ")))"
    }

    var notice: String {
        let key = "The foreign key \(table)(\(columns.map(\.name).joined(separator: ", "))) to \(target)"
        guard isOfUse else {
            return """
                \(key) compares columns of different types, for which SQLite uses no index: following it from \(target) \
                reads all of \(table). Declare both columns with one type.
                """
        }
        return """
            \(key) has no index: following it from \(target) reads all of \(table). --create-indexes makes one: \(sql)
            """
    }
}
