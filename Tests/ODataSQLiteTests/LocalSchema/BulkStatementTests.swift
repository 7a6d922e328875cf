import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import Testing

@Suite("Bulk binding")
struct BulkStatementTests {
    /// Text that comes, and what the column keeps: the same as the codec makes of the value.
    static let texts: [(EdmPrimitiveType, String)] = [
        (.decimal, "12.5"), (.decimal, "12.50"), (.decimal, "-0.5"), (.decimal, "-0"), (.decimal, "007"),
        (.decimal, "1e3"), (.decimal, "0"), (.decimal, "100"),
        (.dateTimeOffset, "2024-01-02T03:04:05Z"), (.dateTimeOffset, "2024-01-02T03:04:05.500Z"),
        (.dateTimeOffset, "2024-01-02T03:04Z"), (.dateTimeOffset, "2024-01-02T03:04:05+02:00"),
        (.timeOfDay, "07:59"), (.timeOfDay, "07:59:59.5"), (.timeOfDay, "07:59:59.50"),
        (.duration, "PT60M"), (.date, "2024-01-02"), (.string, "text"), (.string, ""),
        (.guid, "01234567-89AB-cdef-0123-456789abcdef"),
    ]

    @Test("Text is kept as the column's codec keeps the value", arguments: texts)
    func text(type: EdmPrimitiveType, text: String) throws {
        let codec = ColumnCodec(local: .primitive(type))
        let value = try #require(EdmValue(lexical: text, type: .primitive(type)))
        #expect(try kept(value: nil, text: text, codec) == Self.stored(codec.binding(for: value)))
    }

    @Test(
        "What does not fit its column is told",
        arguments: [(EdmPrimitiveType.guid, "no"), (.decimal, "1,5"), (.int32, "1")])
    func misfit(type: EdmPrimitiveType, text: String) throws {
        #expect(try kept(value: nil, text: text, ColumnCodec(local: .primitive(type))) == nil)
    }

    @Test("Numbers and nulls")
    func numbers() throws {
        #expect(try kept(value: .integer(5), text: "", .integer) == 5.databaseValue)
        #expect(try kept(value: .integer(5), text: "", .decimalText) == "5".databaseValue)
        #expect(try kept(value: .integer(5), text: "", .real) == 5.0.databaseValue)
        #expect(try kept(value: .double(1.5), text: "", .real) == 1.5.databaseValue)
        #expect(try kept(value: .double(.nan), text: "", .real) == "NaN".databaseValue)
        #expect(try kept(value: .double(-.infinity), text: "", .real) == (-Double.infinity).databaseValue)
        #expect(try kept(value: .boolean(true), text: "", .boolean) == 1.databaseValue)
        #expect(try kept(value: .null, text: "", .text) == .null)
        #expect(try kept(value: .double(1.5), text: "", .integer) == nil)
    }

    @Test("A value that SQLite does not bind is an error, and no row with null", arguments: 0..<9)
    func unbound(form: Int) throws {
        var block = RowBlock()
        let text = RowSlot.span(.text, block.append(text: "01234567-89ab-cdef-0123-456789abcdef"))
        block.buffer.append(0)
        try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE t (c)")
            let statement = try BulkStatement("INSERT INTO t VALUES (?)", in: db)
            let error = #expect(throws: DatabaseError.self) {
                try block.buffer.withUnsafeBufferPointer { buffer in
                    let base = try #require(buffer.baseAddress)
                    switch form {
                    case 0: try statement.bind(2, integer: 1)
                    case 1: try statement.bind(2, text: nil)
                    case 2: try statement.bind(2, text: "text")
                    case 3: try statement.bind(2, text.span, base: base)
                    case 4: try statement.bind(2, blob: [])
                    case 5: try statement.bind(2, blob: [1])
                    case 6: _ = try statement.bind(2, .null, base: base, form: .text)
                    case 7: _ = try statement.bind(2, .double(1.5), base: base, form: .real)
                    default: _ = try statement.bind(2, text, base: base, form: .guid)
                    }
                    try statement.run()
                }
            }
            #expect(error?.resultCode == .SQLITE_RANGE)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
        }
    }

    @Test("Empty texts and bytes are no nulls")
    func empty() throws {
        try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE t (a, b)")
            let statement = try BulkStatement("INSERT INTO t VALUES (?, ?)", in: db)
            try statement.bind(1, text: "")
            try statement.bind(2, blob: [])
            try statement.run()
            #expect(try String.fetchOne(db, sql: "SELECT typeof(a) || typeof(b) FROM t") == "textblob")
        }
    }

    private static func stored(_ binding: SQLBinding) -> DatabaseValue {
        switch binding {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }

    /// What a column holds after the slot was bound; nil if it was refused.
    private func kept(value: RowSlot?, text: String, _ codec: ColumnCodec) throws -> DatabaseValue? {
        var block = RowBlock()
        let slot = value ?? .span(.text, block.append(text: text))
        block.buffer.append(0)
        return try DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE t (c)")
            let statement = try BulkStatement("INSERT INTO t VALUES (?)", in: db)
            let fits = try block.buffer.withUnsafeBufferPointer { buffer in
                let base = try #require(buffer.baseAddress)
                guard try statement.bind(1, slot, base: base, form: BulkForm(codec)) else { return false }
                try statement.run()
                return true
            }
            return fits ? try DatabaseValue.fetchOne(db, sql: "SELECT c FROM t") ?? .null : nil
        }
    }
}
