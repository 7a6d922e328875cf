import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL

/// A statement of SQLite's C interface, for steps that are repeated for every row of a page.
///
/// It belongs to the connection of one write transaction and must not outlive it.
package struct BulkStatement: ~Copyable {
    let statement: OpaquePointer
    private let connection: OpaquePointer

    /// - Throws: `DatabaseError` if `sql` does not compile.
    package init(_ sql: String, in db: Database) throws {
        guard let connection = db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, 0, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Self.error(code, connection, sql) }
        self.statement = statement
        self.connection = connection
    }

    deinit { sqlite3_finalize(statement) }

    package func bind(_ index: Int32, integer value: Int64) { sqlite3_bind_int64(statement, index, value) }

    package func bind(_ index: Int32, text value: String?) {
        guard let value else {
            sqlite3_bind_null(statement, index)
            return
        }
        sqlite3_bind_text(statement, index, value, Int32(value.utf8.count), transientBytes)
    }

    /// Text of a block whose buffer starts at `base`; it must live until the statement has run.
    package func bind(_ index: Int32, _ span: RowSpan, base: UnsafePointer<UInt8>) {
        guard !span.isNone else {
            sqlite3_bind_null(statement, index)
            return
        }
        let start = UnsafeRawPointer(base + Int(span.offset)).assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(statement, index, start, Int32(span.length), nil)
    }

    package func bind(_ index: Int32, blob bytes: [UInt8]) {
        bytes.withUnsafeBytes {
            _ = sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), transientBytes)
        }
    }

    /// Executes once and makes the statement ready again.
    package func run() throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw Self.error(code, connection, nil) }
    }

    /// Executes a statement with a `RETURNING` clause of one integer.
    package func runReturningInteger() throws -> Int64 {
        let code = sqlite3_step(statement)
        let value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0
        let end = code == SQLITE_ROW ? sqlite3_step(statement) : code
        sqlite3_reset(statement)
        guard code == SQLITE_ROW, end == SQLITE_DONE else { throw Self.error(end, connection, nil) }
        return value
    }

    /// The same, of one that may give none.
    package func runReturningIntegerIfAny() throws -> Int64? {
        let code = sqlite3_step(statement)
        let value: Int64? = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : nil
        let end = code == SQLITE_ROW ? sqlite3_step(statement) : code
        sqlite3_reset(statement)
        guard end == SQLITE_DONE else { throw Self.error(end, connection, nil) }
        return value
    }

    /// Executes a query of at most one row, of one BLOB.
    package func runReturningBlobIfAny() throws -> [UInt8]? {
        let code = sqlite3_step(statement)
        defer { sqlite3_reset(statement) }
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw Self.error(code, connection, nil) }
        return code == SQLITE_ROW ? [UInt8](statement.blob(at: 0)) : nil
    }

    private static func error(_ code: CInt, _ connection: OpaquePointer, _ sql: String?) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}
