import GRDB
import GRDBSQLite
import ODataSQL

/// A statement of GRDB's that is bound and stepped through SQLite's own interface.
struct RawStatement {
    private let statement: Statement
    let pointer: SQLiteStatement

    /// - Parameter isCached: whether the statement is taken from the connection's cache; not for one that stays open
    ///   between calls.
    init(_ sql: String, in db: Database, isCached: Bool = true) throws {
        try WorkClock.check(db)
        let isCached = isCached && sql.utf8.count <= StatementCacheLimit.longest
        if isCached { StatementCacheLimit.trim(db) }
        statement = try isCached ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
        pointer = statement.sqliteStatement
    }

    /// - Parameter row: the row id that is bound to `:row`, for a statement that has it.
    init(_ sql: SQLStatement, row: Int64? = nil, in db: Database, isCached: Bool = true) throws {
        try self.init(sql.text, in: db, isCached: isCached)
        let named = try bind(sql.bindings, beside: row == nil ? nil : ":row")
        if let row, named > 0 { try pointer.bind(row, at: named) }
    }

    /// Binds the unnamed parameters in order, and JSON text to `:parents` if the statement has it.
    func bind(_ bindings: [SQLBinding], parents: [UInt8]) throws {
        let named = try bind(bindings, beside: ":parents")
        if named > 0 { try parents.withUnsafeBytes { try pointer.bind(text: $0, at: named) } }
    }

    /// Binds the unnamed parameters in order; the position of the one with a name, 0 if there is none.
    private func bind(_ bindings: [SQLBinding], beside name: String?) throws -> CInt {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
        let named = name.map { sqlite3_bind_parameter_index(pointer, $0) } ?? 0
        var index: CInt = 1
        for binding in bindings {
            if index == named { index += 1 }
            try bind(binding, at: index)
            index += 1
        }
        return named
    }

    /// True for a row, false at the end.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw pointer.failure()
        }
    }

    /// Resets the statement, so that it holds no lock, and releases its bindings.
    func finish() {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    private func bind(_ binding: SQLBinding, at index: CInt) throws {
        switch binding {
        case .null: try pointer.bindNull(at: index)
        case .integer(let value): try pointer.bind(value, at: index)
        case .real(let value): try pointer.bind(value, at: index)
        case .text(let text): try pointer.bind(text: text, at: index)
        case .blob(let bytes): try bytes.withUnsafeBytes { try pointer.bind(blob: $0, at: index) }
        }
    }
}

extension SQLStatement {
    /// The first column of the first row as an integer; nil without a row or for null.
    package func integer(in db: Database) throws -> Int64? {
        let statement = try RawStatement(self, in: db)
        defer { statement.finish() }
        guard try statement.step(), sqlite3_column_type(statement.pointer, 0) != SQLITE_NULL else { return nil }
        return sqlite3_column_int64(statement.pointer, 0)
    }

    /// All rows, each as its columns.
    package func rows(in db: Database) throws -> [[SQLBinding]] {
        let statement = try RawStatement(self, in: db)
        defer { statement.finish() }
        var rows: [[SQLBinding]] = []
        while try statement.step() {
            rows.append((0..<sqlite3_column_count(statement.pointer)).map { statement.pointer.binding(at: $0) })
        }
        return rows
    }
}

extension SQLiteStatement {
    /// The value of a column as it is stored.
    func binding(at column: CInt) -> SQLBinding {
        switch sqlite3_column_type(self, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(self, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(self, column))
        case SQLITE_TEXT: .text(String(decoding: text(at: column), as: UTF8.self))
        case SQLITE_BLOB: .blob(Array(blob(at: column)))
        default: .null
        }
    }

    /// The UTF-8 text of a column, valid until the next step.
    func text(at column: CInt) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_text(self, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(self, column)))
    }

    /// The bytes of a column, valid until the next step.
    func blob(at column: CInt) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(self, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(self, column)))
    }
}
