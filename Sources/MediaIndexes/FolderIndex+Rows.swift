import ByteStreams
import Foundation
import GRDB
import MediaFiles

/// Small streams are rows of the index: files of their own would take longer to sync and to rename than to fetch.
///
/// A stream that is a row may be a file too, from before; the row counts, and both go together.
extension FolderIndex {
    /// Keeps whole streams, of no more than ``rowLimit`` bytes each, for this store, all or none.
    ///
    /// - Parameter isPinned: Whether they must not be evicted; then they are on the device when this returns.
    package func keep(_ streams: [(media: StoredMedia, bytes: [UInt8])], isPinned: Bool = false) throws {
        guard !streams.isEmpty else { return }
        try writing(isDurable: isPinned) { db in
            for (media, bytes) in streams {
                let file = try add(media, in: db)
                try db.cachedStatement(sql: "INSERT OR REPLACE INTO content VALUES (?, ?)")
                    .execute(arguments: [file, Data(bytes)])
                if isPinned { try insert(file, into: "pin", in: db) }
            }
        }
        for (media, _) in streams { folder.forgetDamage(of: media.digest) }
    }

    /// The bytes of a stream that is a row.
    func row(_ digest: String) throws -> [UInt8]? {
        try reading { db in
            let sql = "SELECT bytes FROM content JOIN file ON id = file WHERE digest = ?"
            return try Data.fetchOne(db.cachedStatement(sql: sql), arguments: [digest]).map { Array($0) }
        }
    }

    /// Compares what is there with the streams that should be: digest → length in bytes, nil where unknown. It does not
    /// look for strays.
    package func compare(_ lengths: [String: Int64?]) throws -> MediaFolderReport {
        try reading { db in try compare(lengths, .all, in: db) }
    }

    /// - Parameter range: Of the digests.
    func compare(_ lengths: [String: Int64?], _ range: DigestRange, in db: Database) throws -> MediaFolderReport {
        var files = lengths
        var truncated: Set<String> = []
        let statement = try db.cachedStatement(
            sql: "SELECT digest, length FROM file JOIN content ON file = id WHERE digest >= ? AND digest < ?")
        let rows = try Row.fetchCursor(statement, arguments: range.bounds)
        while let row = try rows.next() {
            let (digest, length): (String, Int64) = (row["digest"], row["length"])
            guard let known = files.removeValue(forKey: digest), let wanted = known, wanted != length else { continue }
            truncated.insert(digest)
        }
        var report = folder.compare(files)
        report.truncated.formUnion(truncated)
        return report
    }

    /// Those of `digests` whose bytes are not those that were kept: all streams are read once.
    ///
    /// - Parameter onRead: Called with the number of bytes of each piece that was read.
    /// - Throws: As `MediaFolder.damaged(among:onRead:)`.
    package func damaged(
        among digests: Set<String>, onRead: (Int64) -> Void = { _ in }
    ) async throws -> Set<String> {
        let rows = try reading { db in
            try String.fetchSet(db, sql: "SELECT digest FROM content JOIN file ON id = file")
        }
        var found = try await folder.damaged(among: digests.subtracting(rows), onRead: onRead)
        for digest in digests.intersection(rows) {
            try Task.checkCancellation()
            guard let bytes = try row(digest) else { continue }
            onRead(Int64(bytes.count))
            if StoredMedia(bytes).digest != digest { found.insert(digest) }
        }
        return found
    }
}
