import Foundation
import GRDB
import ODataModel
import ODataSQL

/// One row of a published table, in statements that call the table `r`.
struct RowReference: Sendable {
    /// `r."rowid" = ?`, or the key columns where there is no rowid.
    var condition: String
    var arguments: StatementArguments
    /// Nil for tables without one.
    var rowID: Int64?

    init(rowID: Int64, column: String) {
        condition = "r.\(quoted(column)) = ?"
        arguments = [rowID]
        self.rowID = rowID
    }

    init(key: [(PublishedColumn, DatabaseValue)]) {
        condition = key.map { "r.\(quoted($0.0.name)) = \($0.1.term)\($0.0.collation)" }.joined(separator: " AND ")
        arguments = StatementArguments(key.flatMap(\.1.parts))
    }
}

extension PublishedColumn {
    /// GUIDs in text are compared without regard to case.
    fileprivate var collation: String { codec == .guidText ? " COLLATE NOCASE" : "" }
}

extension SQLBinding {
    /// The value as GRDB binds it.
    var stored: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
