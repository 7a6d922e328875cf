import GRDB
import GRDBSQLite
import ODataModel
import ODataSQL

/// A statement of SQLite's C interface, for steps that are repeated for every row of a page.
///
/// It belongs to the connection of one write transaction and must not outlive it.
package struct BulkStatement: ~Copyable {
    private let statement: OpaquePointer
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
        sqlite3_bind_text(statement, index, value, Int32(value.utf8.count), Self.copied)
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

    private static func error(_ code: CInt, _ connection: OpaquePointer, _ sql: String?) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }

    /// SQLite copies the bytes: `SQLITE_TRANSIENT`.
    static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension BulkStatement {
    /// Binds a slot of a block, whose buffer starts at `base`, for a column of `codec`. The buffer must live until
    /// the statement has run.
    ///
    /// False if the slot holds nothing a column of this codec can keep.
    package func bind(_ index: Int32, _ slot: Slot, base: UnsafePointer<UInt8>, codec: ColumnCodec) -> Bool {
        switch slot.kind {
        case .absent, .null: sqlite3_bind_null(statement, index)
        case .boolean: return bind(index, number: slot, codec)
        case .integer: return bind(index, number: slot, codec)
        case .double:
            guard codec == .real else { return false }
            sqlite3_bind_double(statement, index, slot.doubleValue)
        case .bytes:
            guard codec == .blob else { return false }
            let span = slot.span
            sqlite3_bind_blob(statement, index, base + Int(span.offset), Int32(span.length), nil)
        case .json:
            guard codec == .json else { return false }
            bind(index, text: base, slot.span)
        case .text: return bind(index, lexical: slot.span, base: base, codec: codec)
        }
        return true
    }

    private func bind(_ index: Int32, number slot: Slot, _ codec: ColumnCodec) -> Bool {
        switch (codec, slot.kind) {
        case (.integer, .integer), (.boolean, .boolean): sqlite3_bind_int64(statement, index, slot.bits)
        case (.real, .integer): sqlite3_bind_double(statement, index, Double(slot.bits))
        case (.decimalText, .integer): bind(index, text: "\(slot.bits)")
        default: return false
        }
        return true
    }

    private func bind(_ index: Int32, text base: UnsafePointer<UInt8>, _ span: Span) {
        let start = UnsafeRawPointer(base + Int(span.offset)).assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(statement, index, start, Int32(span.length), nil)
    }

    /// Text in the lexical form of JSON: kept as it is where that is the column's form, else converted.
    private func bind(_ index: Int32, lexical span: Span, base: UnsafePointer<UInt8>, codec: ColumnCodec) -> Bool {
        let bytes = UnsafeBufferPointer(start: base + Int(span.offset), count: Int(span.length))
        switch codec {
        case .text, .date, .json: bind(index, text: base, span)
        case .decimalText where LexicalForm.isCanonicalDecimal(bytes): bind(index, text: base, span)
        case .instantText where LexicalForm.isCanonicalInstant(bytes):
            bind(index, text: base, Span(offset: span.offset, length: span.length - 1))
        case .timeOfDay where LexicalForm.isCanonicalTime(bytes): bind(index, text: base, span)
        case .guidBlob:
            var guid: LexicalForm.Guid = (0, 0)
            guard LexicalForm.guid(bytes, into: &guid) else { return false }
            withUnsafeBytes(of: &guid) {
                _ = sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), Self.copied)
            }
        default: return bind(index, converted: String(decoding: bytes, as: UTF8.self), codec)
        }
        return true
    }

    private func bind(_ index: Int32, converted text: String, _ codec: ColumnCodec) -> Bool {
        guard let type = codec.lexicalType, let value = Value(lexical: text, type: .primitive(type)),
            case .text(let stored)? = try? codec.binding(for: value)
        else { return false }
        bind(index, text: stored)
        return true
    }
}

extension ColumnCodec {
    /// The type whose lexical form must be converted for a column of this codec.
    fileprivate var lexicalType: PrimitiveType? {
        switch self {
        case .decimalText: .decimal
        case .instantText: .dateTimeOffset
        case .timeOfDay: .timeOfDay
        case .durationText: .duration
        default: nil
        }
    }
}
