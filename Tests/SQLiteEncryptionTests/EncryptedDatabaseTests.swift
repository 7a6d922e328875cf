import EncryptionKeys
import Foundation
import GRDB
import SQLiteEncryption
import Testing

@Suite("Encrypted database")
struct EncryptedDatabaseTests {
    private let store: TemporaryStore

    init() throws { store = try TemporaryStore() }

    @Test("What was written is read again, and stands in no file")
    func roundTrip() throws {
        do {
            let pool = try store.pool()
            try pool.write { try $0.insertSecrets(0..<500) }
            #expect(try pool.write { try $0.countSecrets() } == 500)
            try expectNoPlainText(["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
            try pool.close()
        }
        try expectNoPlainText(["store.sqlite"])
        let pool = try store.pool()
        #expect(try pool.read { try $0.countSecrets() } == 500)
    }

    @Test("A closed one that lies where no files can be made is read as it is", arguments: [true, false])
    func reading(isEncrypted: Bool) throws {
        let key = isEncrypted ? store.key : nil
        let writer = try EncryptedDatabase.openPool(path: store.path, key: key)
        try writer.write { try $0.insertSecrets(0..<50) }
        let open = { (mayMakeFiles: Bool) in
            try EncryptedDatabase.openReader(
                path: store.path, key: key, configuration: Configuration(), mayMakeFiles: mayMakeFiles)
        }
        // While it is open its log is there, and has to be read too.
        let beside = try open(false)
        #expect(try beside.read { try $0.countSecrets() } == 50)
        try writer.write { try $0.insertSecrets(50..<60) }
        #expect(try beside.read { try $0.countSecrets() } == 60)
        try beside.close()
        try writer.close()
        let before = try store.contents()
        #expect(Array(before.keys) == ["store.sqlite"])
        let reader = try open(false)
        #expect(try reader.read { try $0.countSecrets() } == 60)
        #expect(throws: DatabaseError.self) { try reader.write { try $0.insertSecrets(60..<61) } }
        #expect(try store.contents() == before, "also while it is open")
        try reader.close()
        try Data().write(to: URL(fileURLWithPath: store.path))
        #expect(!isEncrypted || (try? open(true)) == nil)
        #expect(try store.contents() == ["store.sqlite": Data()], "no header is made")
        try FileManager.default.removeItem(atPath: store.path)
        #expect(throws: DatabaseError.self) { try open(true) }
        #expect(try store.contents().isEmpty)
    }

    @Test("Full-text search works")
    func fullText() throws {
        let pool = try store.pool()
        try pool.write { db in
            try db.execute(sql: "CREATE VIRTUAL TABLE notes USING fts5(text)")
            for number in 0..<2_000 {
                try db.execute(
                    sql: "INSERT INTO notes VALUES (?)", arguments: ["\(Database.mark) pump \(number) leaks"])
            }
        }
        let found = try pool.read { try Int.fetchAll($0, sql: "SELECT rowid FROM notes WHERE notes MATCH '1234'") }
        #expect(found == [1235])
        try expectNoPlainText(["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
    }

    @Test("VACUUM keeps the content and shrinks the file", arguments: [true, false])
    func vacuum(log: Bool) throws {
        let writer: any DatabaseWriter = log ? try store.pool() : try store.queue()
        try writer.write { db in
            try db.insertSecrets(0..<5_000)
            try db.execute(sql: "DELETE FROM secrets WHERE id >= 100")
        }
        try writer.vacuum()
        try writer.writeWithoutTransaction { db in
            if log { try db.checkpoint(.truncate) }
            #expect(try db.countSecrets() == 100)
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
        }
        let length = try #require(try store.contents()["store.sqlite"]).count
        #expect(length < 100_000)
    }

    @Test("Pages may be larger than a block", arguments: [4096, 8192, 65_536])
    func pageSize(bytes: Int) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(bytes)") }
        let pool = try store.pool(configuration)
        try pool.write { try $0.insertSecrets(0..<2_000) }
        try pool.close()
        let again = try store.pool()
        #expect(try again.read { try Int.fetchOne($0, sql: "PRAGMA page_size") } == bytes)
        #expect(try again.read { try $0.countSecrets() } == 2_000)
    }

    @Test("Smaller pages are refused")
    func smallPages() throws {
        let queue = try store.queue()
        let error = #expect(throws: DatabaseError.self) {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 1024") }
        }
        #expect(error?.message == "An encrypted database has pages of at least 4096 bytes.")
    }

    @Test("A plain database is copied into an encrypted one, and back")
    func copies() throws {
        let plain = try EncryptedDatabase.openQueue(path: store.folder + "/plain.sqlite", key: nil)
        try plain.write { try $0.insertSecrets(0..<300) }
        let pool = try store.pool()
        try plain.backup(to: pool)
        #expect(try pool.read { try $0.countSecrets() } == 300)
        let back = try DatabaseQueue()
        try pool.backup(to: back)
        #expect(try back.read { try $0.countSecrets() } == 300)
        try plain.close()
        #expect(try !EncryptedDatabase.isEncrypted(path: store.folder + "/plain.sqlite"))
        #expect(try EncryptedDatabase.isEncrypted(path: store.path))
        #expect(try !EncryptedDatabase.isEncrypted(path: store.folder + "/none"))
    }

    @Test("A path with a symbolic link is the same database")
    func symbolicLink() throws {
        let link = store.folder + "/link.sqlite"
        try store.pool().write { try $0.insertSecrets(0..<3) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
        let pool = try EncryptedDatabase.openPool(path: link, key: store.key)
        #expect(try pool.read { try $0.countSecrets() } == 3)
    }

    @Test("Two databases change in one transaction", arguments: [true, false])
    func attached(commits: Bool) throws {
        let other = try TemporaryStore()
        let (first, second) = (try store.queue(), try other.queue())
        try second.write { try $0.execute(sql: "CREATE TABLE others (id INTEGER)") }
        try first.write { try $0.insertSecrets(0..<5) }
        try first.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ? AS other", arguments: [other.path])
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO other.others VALUES (1)")
                try db.execute(sql: "DELETE FROM secrets WHERE id = 4")
                return commits ? .commit : .rollback
            }
            try db.execute(sql: "DETACH other")
        }
        #expect(try first.read { try $0.countSecrets() } == (commits ? 4 : 5))
        #expect(try second.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM others") } == (commits ? 1 : 0))
    }

    private func expectNoPlainText(_ names: [String]) throws {
        let contents = try store.contents()
        #expect(contents.keys.sorted() == names)
        for (name, bytes) in contents {
            #expect(bytes.range(of: Data(Database.mark.utf8)) == nil, "\(name)")
            #expect(bytes.range(of: Data("CREATE".utf8)) == nil, "\(name)")
        }
    }
}
