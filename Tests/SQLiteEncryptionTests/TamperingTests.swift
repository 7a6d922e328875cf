import EncryptionKeys
import Foundation
import GRDB
import SQLiteEncryption
import Testing

@Suite("Changed files of an encrypted database")
struct TamperingTests {
    private static let headerSize = 128
    private static let recordSize = 4124

    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        let pool = try store.pool()
        try pool.write { db in
            try db.insertSecrets(0..<60)
            try db.execute(sql: "CREATE TABLE blobs AS SELECT randomblob(20000) AS content")
        }
        try pool.close()
    }

    @Test("A changed byte anywhere is an error")
    func changedBytes() throws {
        let length = try #require(try store.contents()["store.sqlite"]).count
        let positions = Array(0..<Self.headerSize) + Array(stride(from: Self.headerSize, to: length, by: 499))
        for position in positions {
            try store.change("") { $0[position] ^= 0x40 }
            let error = #expect(throws: EncryptionError.self, "byte \(position)") { try readAll() }
            let expected: EncryptionError.Code = position < 16 ? .notEncrypted : .damaged
            #expect(error?.code == expected, "byte \(position)")
            try store.change("") { $0[position] ^= 0x40 }
        }
        try readAll()
    }

    @Test("A cut file is an error")
    func truncation() throws {
        let whole = try #require(try store.contents()["store.sqlite"])
        let pages = (whole.count - Self.headerSize) / Self.recordSize
        let lengths = (1..<pages).flatMap { page in
            let start = Self.headerSize + page * Self.recordSize
            return [start, start + 1, start + 4123]
        }
        for length in lengths {
            try store.change("") { $0 = whole.prefix(length) }
            let error = #expect(throws: DatabaseError.self, "\(length) bytes") { try readAll() }
            #expect(error?.resultCode == .SQLITE_CORRUPT, "\(length) bytes")
        }
        for (length, code) in [(2, EncryptionError.Code.notEncrypted), (16, .damaged), (127, .damaged)] {
            try store.change("") { $0 = whole.prefix(length) }
            let error = #expect(throws: EncryptionError.self, "\(length) bytes") { try readAll() }
            #expect(error?.code == code, "\(length) bytes")
        }
        // A database without its first page is an empty one to SQLite, plain or encrypted, as is one of a single byte.
        for length in [0, 1, Self.headerSize, Self.headerSize + 1, Self.headerSize + Self.recordSize - 1] {
            try store.change("") { $0 = whole.prefix(length) }
            let queue = try store.queue()
            #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") } == 0)
            try queue.close()
        }
        try store.change("") { $0 = whole }
        try readAll()
    }

    @Test("A journal's record of impossible length ends it")
    func journalLength() throws {
        let queue = try store.queue()
        let copy = try queue.writeWithoutTransaction { db -> TemporaryStore in
            try db.execute(sql: "PRAGMA journal_mode = delete; PRAGMA cache_size = 5")
            try db.beginTransaction()
            try db.insertSecrets(60..<600)
            defer { try? db.rollback() }
            return try store.copy()
        }
        // The length of the first record, in a file that is long enough for it.
        try copy.change("-journal") { $0.replaceSubrange(24..<28, with: [0xF0, 0xFF, 0xFF, 0xFF]) }
        let journal = try #require(FileHandle(forUpdatingAtPath: copy.path + "-journal"))
        try journal.truncate(atOffset: 5 << 30)
        try journal.close()
        _ = try? copy.queue().read { try $0.countSecrets() }
        #expect(try store.queue().read { try $0.countSecrets() } == 60)
    }

    @Test("Pages that changed places, or come from another database, are an error")
    func movedPages() throws {
        let other = try TemporaryStore(key: store.key)
        try other.pool().write { try $0.insertSecrets(0..<60) }
        let whole = try #require(try store.contents()["store.sqlite"])
        let foreign = try #require(try other.contents()["store.sqlite"])
        func page(_ number: Int) -> Range<Int> {
            let start = Self.headerSize + number * Self.recordSize
            return start..<start + Self.recordSize
        }
        for (target, source) in [(1, whole[page(2)]), (2, whole[page(1)]), (1, foreign[page(1)])] {
            try store.change("") { $0.replaceSubrange(page(target), with: source) }
            let error = #expect(throws: EncryptionError.self) { try readAll() }
            #expect(error?.code == .damaged)
            try store.change("") { $0 = whole }
        }
        try store.change("") { $0.replaceSubrange(page(1), with: Data(count: Self.recordSize)) }
        #expect(throws: EncryptionError.self) { try readAll() }
    }

    @Test("A page that is damaged while the database is open is an error, and the rest can be read")
    func damagedWhileOpen() throws {
        let pool = try store.pool()
        let length = try #require(try store.contents()["store.sqlite"]).count
        try store.change("") { $0[length - 100] ^= 1 }
        let error = #expect(throws: DatabaseError.self) {
            try pool.read { try Data.fetchOne($0, sql: "SELECT content FROM blobs") }
        }
        let meaning = try #require(error.flatMap { EncryptionError(database: $0, path: store.path) })
        #expect(meaning.code == .damaged)
        #expect(try pool.read { try $0.countSecrets() } == 60)
    }

    @Test("A log with a changed byte gives an earlier state or an error, never another content")
    func changedLog() throws {
        let copy = try logOfTransactions()
        let length = try #require(try copy.contents()["store.sqlite-wal"]).count
        var states: Set<Int> = []
        for position in Array(0..<92) + Array(stride(from: 92, to: length, by: 1_977)) {
            let changed = try copy.copy()
            try changed.change("-wal") { $0[position] ^= 2 }
            if let count = try? changed.pool().read({ try $0.countSecrets() }) { states.insert(count) }
        }
        #expect(states.isSubset(of: [0, 10, 20, 30, 40]))
        #expect(states.contains(10) && states.contains(30))
    }

    @Test("A log that was cut off ends with the last whole transaction")
    func cutLog() throws {
        let copy = try logOfTransactions()
        let length = try #require(try copy.contents()["store.sqlite-wal"]).count
        var last = 0
        for cut in stride(from: 0, through: length, by: 1_031) {
            let changed = try copy.copy()
            try changed.change("-wal") { $0 = $0.prefix(cut) }
            let count = try changed.pool().read { try $0.countSecrets() }
            #expect(count >= last && count % 10 == 0)
            last = count
        }
        #expect(try copy.pool().read { try $0.countSecrets() } == 40)
    }

    /// A killed database whose log has four transactions of ten rows.
    private func logOfTransactions() throws -> TemporaryStore {
        let store = try TemporaryStore()
        let pool = try store.pool()
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        for start in stride(from: 0, to: 40, by: 10) { try pool.write { try $0.insertSecrets(start..<start + 10) } }
        return try store.copy()
    }

    private func readAll() throws {
        let queue = try store.queue()
        do {
            try queue.read { db in
                guard try db.countSecrets() == 60 else { throw WrongContent(row: "count") }
                _ = try Data.fetchAll(db, sql: "SELECT content FROM blobs")
                guard try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"] else {
                    throw WrongContent(row: "integrity")
                }
            }
        } catch let error as DatabaseError {
            throw EncryptionError(database: error, path: store.path) ?? error
        }
    }
}
