import EncryptionKeys
import Foundation
import GRDB
import SQLiteEncryption
import Synchronization
import Testing

@Suite("Modes and temporary files of an encrypted database")
struct ModeTests {
    private let store: TemporaryStore

    init() throws { store = try TemporaryStore() }

    @Test(
        "Rollback, savepoints and large transactions work in each journal mode",
        arguments: ["wal", "delete", "truncate", "persist", "memory", "off"], ["normal", "exclusive"])
    func modes(mode: String, locking: String) throws {
        let queue = try store.queue()
        try queue.writeWithoutTransaction { db in
            _ = try String.fetchOne(db, sql: "PRAGMA locking_mode = \(locking)")
            #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)") == mode)
            try db.execute(sql: "PRAGMA cache_size = 5; PRAGMA temp_store = FILE")
            for round in 0..<3 {
                try db.inTransaction {
                    try db.insertSecrets(round * 120..<round * 120 + 120)
                    return .commit
                }
                guard mode != "off" else { continue }
                try db.inTransaction {
                    try db.execute(sql: "UPDATE secrets SET text = 'x'")
                    return .rollback
                }
                try db.inTransaction {
                    try? db.inSavepoint {
                        try db.execute(sql: "DELETE FROM secrets")
                        throw WrongContent(row: "rolled back on purpose")
                    }
                    // A statement that fails after many rows is undone by its own journal.
                    #expect(throws: DatabaseError.self) {
                        try db.execute(sql: "UPDATE secrets SET id = CASE id WHEN 100 THEN 0 ELSE -id END")
                    }
                    return .commit
                }
            }
            #expect(try db.countSecrets() == 360)
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
        }
        try queue.close()
        #expect(try store.queue().read { try $0.countSecrets() } == 360)
    }

    @Test("A database goes from one journal mode to another")
    func changeOfMode() throws {
        let queue = try store.queue()
        try queue.writeWithoutTransaction { db in
            for (round, mode) in ["wal", "delete", "wal", "truncate", "wal"].enumerated() {
                #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)") == mode)
                try db.insertSecrets(round * 10..<round * 10 + 10)
                #expect(try db.countSecrets() == round * 10 + 10)
            }
        }
    }

    @Test("A database without a key is as it was, after an encrypted one was opened")
    func plainDatabase() throws {
        let pool = try store.pool()
        let path = store.folder + "/plain.sqlite"
        let plain = try EncryptedDatabase.openPool(path: path, key: nil)
        try plain.write { try $0.insertSecrets(0..<200) }
        try plain.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.starts(with: Data("SQLite format 3".utf8)))
        #expect(bytes.range(of: Data(Database.mark.utf8)) != nil)
        try pool.close()
    }

    #if os(Linux)
        @Test("Temporary files hold no plain text")
        func temporaryFiles() throws {
            let spied = Spy()
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                db.add(function: DatabaseFunction("look", argumentCount: 0) { _ in spied.look() })
                try db.execute(sql: "PRAGMA temp_store = FILE; PRAGMA cache_size = 5")
            }
            let pool = try store.pool(configuration)
            try pool.write { try $0.insertSecrets(0..<8_000) }
            let rows = try pool.write { db in
                try db.execute(sql: "CREATE TEMP TABLE copies AS SELECT * FROM secrets")
                return try Row.fetchAll(
                    db, sql: "SELECT id, CASE id % 1000 WHEN 0 THEN look() END FROM copies ORDER BY text || id")
            }
            #expect(rows.count == 8_000)
            #expect(spied.bytes > 1_000_000)
            #expect(!spied.hasSeenMark)
        }
    #endif

    @Test("A temporary table larger than its cache is changed, rolled back and shrunk")
    func temporaryTable() throws {
        try store.queue().writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA temp_store = FILE; PRAGMA temp.cache_size = 5; PRAGMA temp.auto_vacuum = FULL;
                    CREATE TEMP TABLE parts (id INTEGER PRIMARY KEY, content BLOB, length INTEGER)
                    """)
            for round in 0..<4 {
                for number in 0..<300 {
                    let length = (number * 7_919 + round * 101) % 9_000
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO parts VALUES (?, randomblob(?), ?)",
                        arguments: [number, length, length])
                }
                try db.inTransaction {
                    try db.execute(sql: "UPDATE parts SET content = randomblob(2 * length)")
                    return .rollback
                }
                try db.execute(sql: "DELETE FROM parts WHERE id % 4 = ?", arguments: [round])
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM parts WHERE length(content) <> length") == 0)
                #expect(try String.fetchAll(db, sql: "PRAGMA temp.integrity_check") == ["ok"])
            }
        }
    }

    @Test("Another process reads and writes while this one has the database open")
    func otherProcess() async throws {
        let store = try TemporaryStore(key: try EncryptionKey([UInt8](repeating: 6, count: 32)))
        let path = store.path
        let pool = try store.pool()
        try await pool.write { try $0.insertSecrets(0..<100) }
        await #expect(processExitsWith: .success) {
            [path = path as String] in
            let key = try EncryptionKey([UInt8](repeating: 6, count: 32))
            let pool = try EncryptedDatabase.openPool(path: path, key: key)
            #expect(try await pool.read { try $0.countSecrets() } == 100)
            try await pool.write { try $0.insertSecrets(100..<150) }
        }
        #expect(try await pool.read { try $0.countSecrets() } == 150)
    }

    @Test("Readers see whole transactions while a writer writes and checkpoints")
    func concurrency() async throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 10") }
        let pool = try store.pool(configuration)
        try await pool.write { db in
            try db.execute(sql: "CREATE TABLE accounts (id INTEGER PRIMARY KEY, amount INTEGER, filler BLOB)")
            for number in 0..<200 {
                try db.execute(sql: "INSERT INTO accounts VALUES (?, 100, randomblob(900))", arguments: [number])
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<300 {
                    try await pool.write { db in
                        try db.execute(
                            sql: """
                                UPDATE accounts SET amount = amount - 1, filler = randomblob(900) WHERE id = ?;
                                UPDATE accounts SET amount = amount + 1 WHERE id = ?
                                """, arguments: [round % 200, (round * 7 + 1) % 200])
                    }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<100 {
                        let sum = try await pool.read { db in
                            try Int.fetchOne(db, sql: "SELECT sum(amount) + 0 * sum(length(filler)) FROM accounts")
                        }
                        #expect(sum == 20_000)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await pool.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }
}

#if os(Linux)
    /// Looks into the files that SQLite has open without a name.
    private final class Spy: Sendable {
        private let seen = Mutex((bytes: 0, hasMark: false))

        var bytes: Int { seen.withLock { $0.bytes } }
        var hasSeenMark: Bool { seen.withLock { $0.hasMark } }

        func look() -> Int {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            for name in names {
                let path = "/proc/self/fd/" + name
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
                    target.contains("etilqs"), let file = FileHandle(forReadingAtPath: path),
                    let content = try? file.readToEnd()
                else { continue }
                let hasMark = content.range(of: Data(Database.mark.utf8)) != nil
                seen.withLock { $0 = ($0.bytes + content.count, $0.hasMark || hasMark) }
            }
            return bytes
        }
    }
#endif
