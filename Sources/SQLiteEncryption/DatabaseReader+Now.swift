import GRDB

extension DatabaseReader {
    /// A read in a transaction, on the thread of the caller.
    ///
    /// The connection may be closed by another thread: GRDB's `read` gives SQLite a closed connection where the read has
    /// waited for the end of `close()`, which ends the process.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_MISUSE` if the connection is closed, and what `body` throws.
    package func readNow<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try unsafeRead { db in
            guard db.sqliteConnection != nil else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")
            }
            try db.beginTransaction(.deferred)
            do {
                let result = try body(db)
                try db.commit()
                return result
            } catch {
                try? db.rollback()
                throw error
            }
        }
    }
}
