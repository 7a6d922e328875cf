import ArgumentParser
import Foundation
import GRDB
import OData

/// A store that knows of many streams, each a file without blocks: opening it compares names and lengths.
enum StoredStreams {
    /// Longer than what an index might keep by itself.
    private static let length = 100_000

    static func make(_ count: Int, in folder: String) async throws {
        let service = try await ServiceSample(folder: folder, entities: 1)
        let place = folder + "/store"
        let store = try OfflineStore(folder: place, remote: service.store)
        try await store.open()
        try store.close()
        let digests = (0..<count).map { _ in digest() }
        for digest in digests { try file(digest, in: place + "/media") }
        let queue = try DatabaseQueue(path: place + "/store.sqlite")
        try await queue.write { db in
            for digest in digests {
                try db.execute(
                    sql: #"INSERT INTO "$media" ("digest", "length") VALUES (?, ?)"#, arguments: [digest, length])
            }
        }
        try queue.close()
    }

    /// 64 digits.
    private static func digest() -> String {
        (0..<4).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// `media/ab/abcd…`
    private static func file(_ digest: String, in media: String) throws {
        let folder = "\(media)/\(digest.prefix(2))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(digest)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, off_t(length)) == 0, close(descriptor) == 0 else {
            throw ValidationError("\(path) cannot be made.")
        }
    }
}
