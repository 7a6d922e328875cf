import EncryptionKeys
import Foundation
import GRDB
import SQLiteEncryption
import Testing

@Suite("Keys of an encrypted database")
struct KeyTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        let pool = try store.pool()
        try pool.write { try $0.insertSecrets(0..<50) }
        try pool.close()
    }

    @Test("A wrong key is told, and nothing is written")
    func wrongKey() throws {
        try expectRefusal(.wrongKey) { try EncryptedDatabase.openPool(path: store.path, key: .random()) }
    }

    @Test("A wrong key is told while the database is open with the right one")
    func wrongKeyWhileOpen() throws {
        let pool = try store.pool()
        let error = #expect(throws: EncryptionError.self) {
            try EncryptedDatabase.openPool(path: store.path, key: .random())
        }
        #expect(error?.code == .wrongKey)
        #expect(try pool.read { try $0.countSecrets() } == 50)
    }

    @Test("An encrypted database without a key is told, and nothing is written")
    func keyNeeded() throws {
        try expectRefusal(.keyNeeded) { try EncryptedDatabase.openPool(path: store.path, key: nil) }
    }

    @Test("A plain database or any other file with a key is told, and nothing is written")
    func notEncrypted() throws {
        try FileManager.default.removeItem(atPath: store.path)
        try DatabaseQueue(path: store.path).write { try $0.insertSecrets(0..<50) }
        try expectRefusal(.notEncrypted) { try store.pool() }
        try Data("a picture".utf8).write(to: URL(fileURLWithPath: store.path))
        try expectRefusal(.notEncrypted) { try store.pool() }
    }

    @Test("An SQLite without the key opens nothing and writes nothing", arguments: ["delete", "wal"])
    func foreign(mode: String) throws {
        // Not closed, so that the log or the hot journal of a kill is there.
        let queue = try store.queue()
        let copy = try queue.writeWithoutTransaction { db -> TemporaryStore in
            try db.execute(sql: "PRAGMA journal_mode = \(mode); PRAGMA cache_size = 5")
            if mode == "wal" {
                try db.inTransaction {
                    try db.insertSecrets(50..<100)
                    return .commit
                }
            }
            try db.beginTransaction()
            try db.insertSecrets(100..<1_000)
            defer { try? db.rollback() }
            return try store.copy()
        }
        let before = try copy.contents()
        #expect(before.count == 2)
        let error = #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: copy.path).write { try $0.execute(sql: "CREATE TABLE t (a)") }
        }
        #expect(error?.resultCode == (mode == "wal" ? .SQLITE_CANTOPEN : .SQLITE_NOTADB))
        var after = try copy.contents()
        after["store.sqlite-shm"] = nil
        #expect(after == before)
        #expect(try copy.queue().read { try $0.countSecrets() } == (mode == "wal" ? 100 : 50))
    }

    @Test("The key goes with the last connection")
    func keyGoes() throws {
        let (first, second) = (try store.pool(), try store.pool())
        try first.close()
        #expect(try second.write { try $0.countSecrets() } == 50)
        #expect(try DatabaseQueue(path: store.path).read { try $0.countSecrets() } == 50)
        try second.close()
        let error = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: store.path) }
        #expect(error?.resultCode == .SQLITE_NOTADB)
    }

    @Test("Another key of the app opens the same database, and a cut change leaves the old one")
    func rekey() throws {
        let file = KeyFile(path: store.folder + "/keys")
        let (old, new) = (EncryptionKey.random(), EncryptionKey.random())
        let path = store.folder + "/other.sqlite"
        let inner = try file.create(for: old)
        try EncryptedDatabase.openPool(path: path, key: inner).write { try $0.insertSecrets(0..<9) }
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: file.path + ".new"))
        #expect(try file.open(with: old) == inner)
        try file.rekey(from: old, to: new)
        let pool = try EncryptedDatabase.openPool(path: path, key: file.open(with: new))
        #expect(try pool.read { try $0.countSecrets() } == 9)
    }

    @Test("Looking at a database that is open leaves its locks")
    func locks() async throws {
        let path = store.folder + "/other.sqlite"
        let key = try EncryptionKey([UInt8](repeating: 5, count: EncryptionKey.byteCount))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try EncryptedDatabase.openQueue(path: path, key: key, configuration: configuration)
        try await queue.write { try $0.insertSecrets(0..<9) }
        try await queue.writeWithoutTransaction { try $0.beginTransaction(.exclusive) }
        #expect(try EncryptedDatabase.isEncrypted(path: path))
        #expect(throws: EncryptionError.self) { try EncryptedDatabase.openQueue(path: path, key: .random()) }
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            let key = try EncryptionKey([UInt8](repeating: 5, count: EncryptionKey.byteCount))
            do {
                let queue = try EncryptedDatabase.openQueue(path: path, key: key)
                try await queue.write { try $0.insertSecrets(9..<10) }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                exit(7)
            }
        }
        try await queue.writeWithoutTransaction { try $0.rollback() }
        try queue.close()
    }

    @Test("A folder that is not there is told")
    func noFolder() throws {
        let error = #expect(throws: EncryptionError.self) {
            try EncryptedDatabase.openPool(path: store.folder + "/none/store.sqlite", key: store.key)
        }
        #expect(error?.code == .inputOutput)
    }

    private func expectRefusal(_ code: EncryptionError.Code, _ body: () throws -> DatabasePool) throws {
        let before = try store.contents()
        let error = #expect(throws: EncryptionError.self) { _ = try body() }
        #expect(error?.code == code)
        #expect(try store.contents() == before)
    }
}
