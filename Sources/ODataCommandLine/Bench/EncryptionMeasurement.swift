import ByteStreams
import EncryptionKeys
import Foundation
import GRDB
import MediaFiles
import SQLiteEncryption

/// What encryption costs: the same work on a plain and on an encrypted database and media folder, in turn.
struct EncryptionMeasurement {
    var rows: Int
    var megabytes: Int
    var rounds: Int
    var folder: String

    /// A piece of work, and the medians of the seconds that the processor took for it: waiting for the device is the
    /// same for both.
    struct Line {
        var work: String
        var plain: Double
        var encrypted: Double
    }

    func run() async throws -> [Line] {
        let key = EncryptionKey.random()
        var names: [String] = []
        var seconds: [String: (plain: [Double], encrypted: [Double])] = [:]
        func note(_ times: [(String, Double)], isEncrypted: Bool) {
            for (name, time) in times {
                if seconds[name] == nil { names.append(name) }
                if isEncrypted {
                    seconds[name, default: ([], [])].encrypted.append(time)
                } else {
                    seconds[name, default: ([], [])].plain.append(time)
                }
            }
        }
        for round in 0..<rounds {
            // Who is first changes, so that neither has the warmer machine.
            for isEncrypted in [round % 2 == 0, round % 2 != 0] {
                let place = folder + "/\(round)-\(isEncrypted)"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(atPath: place) }
                note(try database(place, isEncrypted ? key : nil), isEncrypted: isEncrypted)
                note(try await media(place, isEncrypted ? key : nil), isEncrypted: isEncrypted)
            }
        }
        return names.map { name in
            Line(work: name, plain: median(seconds[name]?.plain), encrypted: median(seconds[name]?.encrypted))
        }
    }

    private func database(_ folder: String, _ key: EncryptionKey?) throws -> [(String, Double)] {
        let path = folder + "/rows.sqlite"
        var pool = try EncryptedDatabase.openPool(path: path, key: key)
        try pool.write {
            try $0.execute(sql: "CREATE TABLE rows (id INTEGER PRIMARY KEY, name TEXT, amount REAL, note TEXT)")
        }
        var times: [(String, Double)] = []
        times.append(
            ("\(rows) rows inserted, 1,000 a transaction", try time { try insert(pool, perTransaction: 1_000) }))
        times.append(
            (
                "index made over all rows",
                try time {
                    try pool.write { try $0.execute(sql: "CREATE INDEX names ON rows (name)") }
                }
            ))
        times.append(
            (
                "2,000 updates, a transaction each",
                try time {
                    for number in 0..<2_000 {
                        try pool.write {
                            try $0.execute(
                                sql: "UPDATE rows SET amount = 0 WHERE id = ?", arguments: [number * 7_919 % rows])
                        }
                    }
                }
            ))
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
        pool = try EncryptedDatabase.openPool(path: path, key: key)
        times.append(
            (
                "scan of all rows",
                try time {
                    _ = try pool.read { try Int.fetchOne($0, sql: "SELECT sum(length(note)) FROM rows") }
                }
            ))
        times.append(
            (
                "20,000 reads by key, spread over the file",
                try time {
                    try pool.read { db in
                        let statement = try db.makeStatement(sql: "SELECT note FROM rows WHERE id = ?")
                        for number in 0..<20_000 {
                            _ = try String.fetchOne(statement, arguments: [number * 7_919 % rows])
                        }
                    }
                }
            ))
        try pool.close()
        return times
    }

    private func insert(_ pool: DatabasePool, perTransaction: Int) throws {
        for start in stride(from: 0, to: rows, by: perTransaction) {
            try pool.write { db in
                let statement = try db.makeStatement(sql: "INSERT INTO rows VALUES (?, ?, ?, ?)")
                for number in start..<min(start + perTransaction, rows) {
                    try statement.execute(arguments: [
                        number, "Name \(number &* 2_654_435_761 % 1_000_003)", Double(number) / 3,
                        String(repeating: "some text of a note; ", count: 8),
                    ])
                }
            }
        }
    }

    private func media(_ folder: String, _ key: EncryptionKey?) async throws -> [(String, Double)] {
        let media = try MediaFolder(path: folder + "/media", key: key)
        let bytes = (0..<megabytes << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let start = Self.processorSeconds
        let stored = try await media.write(ByteContent(bytes))
        let written = Self.processorSeconds
        var count = 0
        for try await chunk in try media.source(digest: stored.digest).open(at: 0) { count += chunk.count }
        let read = Self.processorSeconds
        let source = try media.source(digest: stored.digest)
        for number in 0..<1_000 {
            _ = try await source.open(at: Int64(number * 7_919_999 % bytes.count)).makeAsyncIterator().next()
        }
        let end = Self.processorSeconds
        guard count == bytes.count else { throw Failure("The stream is not what was written.") }
        return [
            ("stream of \(megabytes) MiB written", written - start),
            ("stream of \(megabytes) MiB read", read - written),
            ("1,000 reads of a chunk at any offset", end - read),
        ]
    }

    private func time(_ work: () throws -> Void) rethrows -> Double {
        let start = Self.processorSeconds
        try work()
        return Self.processorSeconds - start
    }

    private static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    private func median(_ values: [Double]?) -> Double {
        guard let values, !values.isEmpty else { return .nan }
        return values.sorted()[values.count / 2]
    }
}
