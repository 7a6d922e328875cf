import GRDB
import GRDBSQLite

/// One open BLOB. It holds its connection's transaction until it is closed.
///
/// It can be sent to another task, unchecked since the compiler does not know C handles: it has one owner, since the
/// value cannot be copied, and SQLite does not bind a handle to a thread.
struct BlobHandle: ~Copyable, @unchecked Sendable {
    private let blob: OpaquePointer
    private let connection: OpaquePointer
    /// In bytes.
    let length: Int64

    /// - Throws: GRDB's ``DatabaseError`` if there is no such row or the value is neither BLOB nor text.
    init(table: String, column: String, rowID: Int64, isWritable: Bool, in db: Database) throws {
        guard let connection = db.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        var opened: OpaquePointer?
        let code = sqlite3_blob_open(connection, "main", table, column, rowID, isWritable ? 1 : 0, &opened)
        guard code == SQLITE_OK, let opened else {
            sqlite3_blob_close(opened)
            throw Self.error(code, connection)
        }
        blob = opened
        length = Int64(sqlite3_blob_bytes(opened))
        self.connection = connection
    }

    deinit { sqlite3_blob_close(blob) }

    func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
        var code = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            code = sqlite3_blob_read(blob, buffer.baseAddress, Int32(count), Int32(offset))
            filled = code == SQLITE_OK ? count : 0
        }
        guard code == SQLITE_OK else { throw Self.error(code, connection) }
        return bytes
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        let code = sqlite3_blob_write(blob, bytes.baseAddress, Int32(bytes.count), Int32(offset))
        guard code == SQLITE_OK else { throw Self.error(code, connection) }
    }

    private static func error(_ code: Int32, _ connection: OpaquePointer) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code == SQLITE_OK ? SQLITE_ERROR : code),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}
