import EncryptionKeys
import Foundation
import GRDB
import Testing

@testable import SQLiteEncryption

@Suite("Watching the file of an open database")
struct FileWatchTests {
    enum Event: CaseIterable { case renamed, overwritten, removed, emptied }

    private final class Folder {
        let path = NSTemporaryDirectory() + "watch-\(UUID().uuidString)"
        var file: String { path + "/a.db" }

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// A database that is closed, with other tables than those that are watched.
        func other(key: EncryptionKey?, hasLog: Bool) throws -> String {
            let other = path + "/b.db"
            let queue = try EncryptedDatabase.openQueue(path: other, key: key)
            try queue.writeWithoutTransaction { db in
                if hasLog { _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") }
                try db.execute(sql: "CREATE TABLE b(t); CREATE TABLE c(t); INSERT INTO b VALUES ('other')")
            }
            try queue.close()
            return other
        }

        func happen(_ event: Event, other: String) throws {
            let empty = path + "/empty"
            switch event {
            case .renamed: #expect(rename(other, file) == 0)
            case .removed: try FileManager.default.removeItem(atPath: file)
            case .overwritten: try copy(other)
            case .emptied:
                #expect(FileManager.default.createFile(atPath: empty, contents: nil))
                try copy(empty)
            }
        }

        /// By another process: closing the file in this one would end SQLite's locks on it.
        private func copy(_ source: String) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/cp")
            process.arguments = [source, file]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    @Test(
        "Checks and transactions fail, and the new file stays as it is when the database is closed",
        arguments: Event.allCases, [false, true])
    func log(event: Event, isEncrypted: Bool) throws {
        for hasLog in [false, true] {
            let folder = try Folder()
            let key = isEncrypted ? EncryptionKey.random() : nil
            let other = try folder.other(key: key, hasLog: hasLog)
            let pool = try EncryptedDatabase.openPool(path: folder.file, key: key)
            let watch = try FileWatch(folder.file, key: key, use: .ownLog)
            let write = {
                try pool.writeWithoutTransaction { db in
                    try watch.writing {
                        try db.execute(sql: "CREATE TABLE IF NOT EXISTS a(t); INSERT INTO a VALUES ('x')")
                    }
                }
            }
            for _ in 0..<3 { try write() }
            try watch.check()
            let wanted = try Data(contentsOf: URL(fileURLWithPath: other))
            try folder.happen(event, other: other)
            #expect(throws: ReplacedFile.self) { try watch.check() }
            #expect(throws: ReplacedFile.self) { try write() }
            try pool.close()
            watch.abandon()
            #expect(!FileManager.default.fileExists(atPath: folder.file + "-wal"))
            guard event == .renamed || event == .overwritten else { continue }
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == wanted)
            let texts = try EncryptedDatabase.openQueue(path: folder.file, key: key).read {
                try String.fetchAll($0, sql: "SELECT t FROM b")
            }
            #expect(texts == ["other"])
        }
    }

    @Test(
        "A file with the same header is another one too, and one whose times are set is not", arguments: [false, true])
    func sameHeader(isTouched: Bool) throws {
        let folder = try Folder()
        let write = { (db: Database, text: String) in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS a(t);
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                    INSERT INTO a SELECT '\(text)' || i FROM n
                    """)
        }
        for (path, text) in [(folder.file, "this"), (folder.path + "/b.db", "that")] {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { db in
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
                try write(db, text)
            }
            try queue.close()
        }
        let pool = try DatabasePool(path: folder.file)
        let watch = try FileWatch(folder.file, use: .ownLog)
        let change = { try pool.writeWithoutTransaction { db in try watch.writing { try write(db, "more") } } }
        try change()
        if isTouched {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.file)
            for _ in 0..<3 { try change() }
            try watch.check()
            watch.close()
            return try pool.close()
        }
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/b.db")).prefix(100)
                == Self.header(folder.file))
        try folder.happen(.overwritten, other: folder.path + "/b.db")
        #expect(throws: ReplacedFile.self) { try change() }
        try pool.close()
        watch.abandon()
    }

    /// Read by another process, which leaves the locks of this one alone.
    private static func header(_ path: String) throws -> Data {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/head")
        process.arguments = ["-c", "100", path]
        process.standardOutput = output
        try process.run()
        defer { process.waitUntilExit() }
        return output.fileHandleForReading.readDataToEndOfFile()
    }

    @Test("The same of a database without a log", arguments: Event.allCases)
    func journal(event: Event) throws {
        let folder = try Folder()
        let other = try folder.other(key: nil, hasLog: false)
        let queue = try DatabaseQueue(path: folder.file)
        try queue.write { try $0.execute(sql: "CREATE TABLE a(t)") }
        let watch = try FileWatch(folder.file, use: .alone)
        let write = {
            try queue.inDatabase { db in try watch.writing { try db.execute(sql: "INSERT INTO a VALUES ('x')") } }
        }
        for _ in 0..<3 { try write() }
        let wanted = try Data(contentsOf: URL(fileURLWithPath: other))
        try folder.happen(event, other: other)
        #expect(throws: ReplacedFile.self) { try write() }
        try queue.close()
        if event == .renamed || event == .overwritten {
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == wanted)
        }
    }

    @Test("Many transactions, with logs that SQLite takes into the file while others read, are those of the same file")
    func unchanged() throws {
        let folder = try Folder()
        let pool = try DatabasePool(path: folder.file)
        let watch = try FileWatch(folder.file, use: .ownLog)
        var snapshots: [DatabaseSnapshot] = []
        for number in 0..<60 {
            try pool.writeWithoutTransaction { db in
                try watch.writing {
                    try db.execute(
                        sql: "CREATE TABLE t\(number)(b); INSERT INTO t\(number) VALUES (randomblob(200000))")
                }
            }
            if number.isMultiple(of: 7) { snapshots.append(try pool.makeSnapshot()) }
            if number.isMultiple(of: 20) { snapshots = [] }
            try watch.check()
        }
        watch.close()
        try pool.close()
    }
}
