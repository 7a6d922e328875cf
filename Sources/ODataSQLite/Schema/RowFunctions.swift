import GRDB
import GRDBSQLite
import ODataStores

/// The functions that the row sources of a published file use.
enum RowFunctions {
    /// `odata_store_hash(a, b, …)`: a hash of the values and their types, in 16 hexadecimal digits.
    static let hash = "odata_store_hash"
    /// `odata_store_head('Categories', 'Picture', rowid, 64)`: the first bytes of a BLOB, read without the rest.
    static let head = "odata_store_head"
    /// `odata_store_media_type(bytes)`: the media type of a stream with these first bytes.
    static let mediaType = "odata_store_media_type"
    /// `odata_store_is_media_type('image/png')`: whether a text is a media type.
    static let isMediaType = "odata_store_is_media_type"

    static func install(on db: Database) throws {
        guard let connection = db.sqliteConnection else { return }
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        let codes = [
            sqlite3_create_function_v2(connection, hash, -1, flags, nil, hashFunction, nil, nil, nil),
            sqlite3_create_function_v2(connection, head, 4, SQLITE_UTF8, nil, headFunction, nil, nil, nil),
            sqlite3_create_function_v2(connection, mediaType, 1, flags, nil, mediaTypeFunction, nil, nil, nil),
            sqlite3_create_function_v2(connection, isMediaType, 1, flags, nil, isMediaTypeFunction, nil, nil, nil),
        ]
        for code in codes where code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private typealias Function =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    private static let hashFunction: Function = { context, count, values in
        var hash = StableHash()
        for index in 0..<Int(count) { add(values?[index], to: &hash) }
        setText(context, hash.text)
    }

    private static func add(_ value: OpaquePointer?, to hash: inout StableHash) {
        let type = sqlite3_value_type(value)
        hash.add(byte: UInt8(truncatingIfNeeded: type))
        switch type {
        case SQLITE_INTEGER: hash.add(word: UInt64(bitPattern: sqlite3_value_int64(value)))
        case SQLITE_FLOAT: hash.add(word: sqlite3_value_double(value).bitPattern)
        case SQLITE_TEXT, SQLITE_BLOB: hash.add(bytes: bytes(of: value))
        default: break
        }
    }

    private static let headFunction: Function = { context, _, values in
        guard let values, sqlite3_value_type(values[2]) != SQLITE_NULL,
            let table = sqlite3_value_text(values[0]), let column = sqlite3_value_text(values[1])
        else { return sqlite3_result_null(context) }
        var blob: OpaquePointer?
        let code = sqlite3_blob_open(
            sqlite3_context_db_handle(context), "main", UnsafeRawPointer(table).assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(column).assumingMemoryBound(to: CChar.self), sqlite3_value_int64(values[2]), 0, &blob)
        defer { sqlite3_blob_close(blob) }
        guard code == SQLITE_OK else { return sqlite3_result_null(context) }
        let count = min(sqlite3_blob_bytes(blob), sqlite3_value_int(values[3]))
        guard count > 0 else { return sqlite3_result_zeroblob(context, 0) }
        var read = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            read = sqlite3_blob_read(blob, buffer.baseAddress, count, 0)
            filled = read == SQLITE_OK ? Int(count) : 0
        }
        guard read == SQLITE_OK else { return sqlite3_result_error_code(context, read) }
        sqlite3_result_blob(context, bytes, count, transientBytes)
    }

    private static let mediaTypeFunction: Function = { context, _, values in
        guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else {
            return sqlite3_result_null(context)
        }
        setText(context, MediaTypeSniffer.mediaType(of: Array(bytes(of: value))))
    }

    private static let isMediaTypeFunction: Function = { context, _, values in
        let text = String(decoding: bytes(of: values?[0]), as: UTF8.self)
        sqlite3_result_int(context, MediaTypeSyntax.isWellFormed(text) ? 1 : 0)
    }

    private static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    private static func setText(_ context: OpaquePointer?, _ text: String) {
        sqlite3_result_text(context, text, -1, transientBytes)
    }
}
