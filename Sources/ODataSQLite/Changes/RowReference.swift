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
        let parts = key.map { column, value -> (condition: String, arguments: [DatabaseValue]) in
            let name = "r.\(quoted(column.name))"
            if column.isShown, let text = String.fromDatabaseValue(value) {
                let shown = ShownText.condition("r.\(identifier: column.name)", is: text).statement
                return (shown.text, shown.bindings.map(\.stored))
            }
            return ("\(name) = \(value.term)\(column.collation)", value.parts)
        }
        condition = parts.map(\.condition).joined(separator: " AND ")
        arguments = StatementArguments(parts.flatMap(\.arguments))
    }
}

extension PublishedColumn {
    /// GUIDs in text are compared without regard to case.
    fileprivate var collation: String { codec == .guidText ? " COLLATE NOCASE" : "" }
}

extension DatabaseValue {
    /// The value as the translator binds it.
    var binding: SQLBinding {
        switch storage {
        case .null: .null
        case .int64(let value): .integer(value)
        case .double(let value): .real(value)
        case .string(let value): .text(value)
        case .blob(let data): .blob(Array(data))
        }
    }
}

extension SQLBinding {
    /// The value as GRDB binds it.
    package var stored: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
