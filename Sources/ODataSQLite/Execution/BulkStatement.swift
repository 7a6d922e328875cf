import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL

/// A statement of SQLite's C interface, for steps that are repeated for every row of a page.
///
/// It belongs to the connection of one write transaction and must not outlive it.
package struct BulkStatement: ~Copyable {
    let statement: OpaquePointer

    /// - Throws: `DatabaseError` if `sql` does not compile.
    package init(_ sql: String, in db: Database) throws {
        guard let connection = db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, 0, &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
        }
        self.statement = statement
    }

    deinit { sqlite3_finalize(statement) }

    package func bind(_ index: Int32, integer value: Int64) throws { try statement.bind(value, at: index) }

    package func bind(_ index: Int32, text value: String?) throws {
        try value.map { try statement.bind(text: $0, at: index) } ?? statement.bindNull(at: index)
    }

    /// Text of a block whose buffer starts at `base`; it must live until the statement has run.
    package func bind(_ index: Int32, _ span: RowSpan, base: UnsafePointer<UInt8>) throws {
        guard !span.isNone else { return try statement.bindNull(at: index) }
        try statement.bind(text: span.bytes(base), at: index, nil)
    }

    package func bind(_ index: Int32, blob bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: index) }
    }

    /// Executes once and makes the statement ready again.
    package func run() throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw statement.failure() }
    }

    /// Executes a statement with a `RETURNING` clause of one integer.
    package func runReturningInteger() throws -> Int64 {
        let code = sqlite3_step(statement)
        let value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0
        let end = code == SQLITE_ROW ? sqlite3_step(statement) : code
        sqlite3_reset(statement)
        guard code == SQLITE_ROW, end == SQLITE_DONE else { throw statement.failure() }
        return value
    }

    /// The same, for a statement that may return no row.
    package func runReturningIntegerIfAny() throws -> Int64? {
        let code = sqlite3_step(statement)
        let value: Int64? = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : nil
        let end = code == SQLITE_ROW ? sqlite3_step(statement) : code
        sqlite3_reset(statement)
        guard end == SQLITE_DONE else { throw statement.failure() }
        return value
    }

    /// Executes a query of at most one row, of one BLOB.
    package func runReturningBlobIfAny() throws -> [UInt8]? {
        let code = sqlite3_step(statement)
        defer { sqlite3_reset(statement) }
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw statement.failure() }
        return code == SQLITE_ROW ? [UInt8](statement.blob(at: 0)) : nil
    }
}

extension RowSpan {
    /// The bytes in the buffer that starts at `base`.
    func bytes(_ base: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + Int(offset), count: Int(length))
    }
}
