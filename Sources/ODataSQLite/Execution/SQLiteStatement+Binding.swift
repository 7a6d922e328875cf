import GRDB
import GRDBSQLite

/// `SQLITE_TRANSIENT`: SQLite makes its own copy. The macro is a cast that Swift does not import.
var transientBytes: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension SQLiteStatement {
    func bindNull(at index: CInt) throws { try check(sqlite3_bind_null(self, index)) }

    func bind(_ value: Int64, at index: CInt) throws { try check(sqlite3_bind_int64(self, index, value)) }

    func bind(_ value: Double, at index: CInt) throws { try check(sqlite3_bind_double(self, index, value)) }

    /// - Parameter lifetime: Nil if the bytes live until the statement has run.
    func bind(
        text bytes: UnsafeRawBufferPointer, at index: CInt, _ lifetime: sqlite3_destructor_type? = transientBytes
    ) throws {
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let start, !bytes.isEmpty else { return try check(sqlite3_bind_text(self, index, "", 0, transientBytes)) }
        try check(sqlite3_bind_text64(self, index, start, UInt64(bytes.count), lifetime, UInt8(SQLITE_UTF8)))
    }

    func bind(text: String, at index: CInt) throws {
        var text = text
        try text.withUTF8 { try bind(text: UnsafeRawBufferPointer($0), at: index) }
    }

    /// - Parameter lifetime: Nil if the bytes live until the statement has run.
    func bind(
        blob bytes: UnsafeRawBufferPointer, at index: CInt, _ lifetime: sqlite3_destructor_type? = transientBytes
    ) throws {
        guard !bytes.isEmpty else { return try check(sqlite3_bind_zeroblob(self, index, 0)) }
        try check(sqlite3_bind_blob64(self, index, bytes.baseAddress, UInt64(bytes.count), lifetime))
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw failure() }
    }

    /// The error of the last call with the statement.
    func failure() -> DatabaseError {
        let connection = sqlite3_db_handle(self)
        var message = sqlite3_errmsg(connection).map { String(cString: $0) }
        if sqlite3_errcode(connection) == SQLITE_TOOBIG {
            message = "a value has more than \(sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, -1)) bytes"
        }
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)), message: message,
            sql: sqlite3_sql(self).map { String(cString: $0) })
    }
}
