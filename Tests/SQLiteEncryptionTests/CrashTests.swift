import EncryptionKeys
import Foundation
import GRDB
import SQLiteEncryption
import Testing

@Suite("Kills of an encrypted database")
struct CrashTests {
    static let modes = ["wal", "delete", "truncate", "persist"]

    @Test("What was committed is there after a kill, and what was not is gone", arguments: modes)
    func copies(mode: String) throws {
        let store = try TemporaryStore()
        let queue = try store.queue()
        try queue.writeWithoutTransaction { db in
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)")
            try db.execute(sql: "PRAGMA cache_size = 5")
            for round in 0..<5 {
                let start = round * 200
                try db.inTransaction {
                    try db.insertSecrets(start..<start + 200)
                    // The cache is too small for the transaction: its pages are in the files already.
                    #expect(try committed(in: store.copy()) == start)
                    return .commit
                }
                #expect(try committed(in: store.copy()) == start + 200)
            }
        }
    }

    @Test("Pages that are half written are mended by the journal", arguments: [1, 100, 4_000])
    func tornPages(bytes: Int) throws {
        let store = try TemporaryStore()
        let queue = try store.queue()
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA cache_size = 5")
            try db.inTransaction {
                try db.insertSecrets(0..<100)
                return .commit
            }
            let before = try #require(try store.contents()["store.sqlite"])
            try db.beginTransaction()
            try db.execute(sql: "UPDATE secrets SET text = 'changed'")
            let copy = try store.copy()
            try db.rollback()
            var torn = 0
            try copy.change("") { file in
                for start in stride(from: 128, to: before.count, by: 4_124)
                where before[start..<start + 4_124] != file[start..<start + 4_124] {
                    file.replaceSubrange(start..<start + bytes, with: Data(repeating: 9, count: bytes))
                    torn += 1
                }
            }
            #expect(torn > 3)
            #expect(try committed(in: copy) == 100)
        }
    }

    @Test("A first page that is half written is mended by the log")
    func tornFirstPage() throws {
        let store = try TemporaryStore()
        let pool = try store.pool()
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.write { try $0.insertSecrets(0..<10) }
        let copy = try store.copy()
        try copy.change("") { $0.replaceSubrange(200..<300, with: Data(count: 100)) }
        #expect(try committed(in: copy) == 10)
    }

    @Test("A killed process leaves all that it has committed", arguments: modes)
    func killedProcess(mode: String) async throws {
        let store = try TemporaryStore(key: try EncryptionKey([UInt8](repeating: 5, count: 32)))
        let path = store.path
        for round in 0..<2 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, mode = mode as String, round = round as Int] in
                let key = try EncryptionKey([UInt8](repeating: 5, count: 32))
                let queue = try EncryptedDatabase.openQueue(path: path, key: key)
                try queue.writeWithoutTransaction { db in
                    _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)")
                    try db.execute(sql: "PRAGMA cache_size = 5; PRAGMA wal_autocheckpoint = 20")
                    for transaction in 0..<5 {
                        let start = round * 300 + transaction * 60
                        try db.inTransaction {
                            try db.insertSecrets(start..<start + 60)
                            return .commit
                        }
                    }
                    try db.beginTransaction()
                    try db.insertSecrets((round + 1) * 300..<(round + 1) * 300 + 200)
                    try db.execute(sql: "UPDATE secrets SET text = 'lost' WHERE id % 7 = 0")
                    kill(getpid(), SIGKILL)
                }
            }
            #expect(try committed(in: store) == (round + 1) * 300)
        }
    }

    private func committed(in store: TemporaryStore) throws -> Int {
        let queue = try store.queue()
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            guard try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"] else {
                throw WrongContent(row: "integrity")
            }
            return try db.countSecrets()
        }
    }
}
