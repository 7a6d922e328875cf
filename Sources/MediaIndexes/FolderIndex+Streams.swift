import ByteStreams
import GRDB
import MediaFiles

extension FolderIndex {
    /// Keeps the bytes of `content` for this store. They and the reference are on the device when this returns.
    ///
    /// - Parameter isPinned: Whether the stream must not be evicted.
    /// - Throws: `MediaFileError`, and what reading the content throws.
    package func write(_ content: ByteContent, isPinned: Bool) async throws -> StoredMedia {
        if let length = content.length, rowLimit > 0, length <= Int64(rowLimit) {
            let bytes = try await content.collect(upTo: rowLimit)
            guard bytes.count == Int(length) else {
                throw MediaFileError(
                    .wrongLength,
                    "The stream has \(bytes.count) bytes where \(length) were "
                        + "announced.")
            }
            let media = StoredMedia(bytes)
            try keep([(media, bytes)], isPinned: isPinned)
            return media
        }
        let incoming = try await folder.receive(content)
        try folder.keep(incoming) { try record($0, isPinned: isPinned, $1) }
        return incoming.media
    }

    /// Makes a complete stream out of a partial one, for this store.
    ///
    /// - Throws: As `PartialMedia.finish(expectedLength:expectedDigest:recorded:)`.
    package func finish(_ partial: PartialMedia, length: Int64?, digest: String?) throws -> StoredMedia {
        try partial.finish(expectedLength: length, expectedDigest: digest) {
            try record($0, isPinned: false, $1)
        }
    }

    /// What cannot be fetched again survives a power cut: another store may look for unneeded streams before this one
    /// is opened again.
    private func record(_ media: StoredMedia, isPinned: Bool, _ name: () throws -> Void) throws {
        try writing(isDurable: isPinned) { db in
            try name()
            let file = try add(media, in: db)
            try db.cachedStatement(sql: "DELETE FROM content WHERE file = ?").execute(arguments: [file])
            if isPinned { try insert(file, into: "pin", in: db) }
        }
    }

    /// The number of the stream, which this store needs from now on.
    func add(_ media: StoredMedia, in db: Database) throws -> Int64 {
        try db.cachedStatement(
            sql: """
                INSERT INTO file (digest, length, lastUsed)
                VALUES (?, ?, (SELECT ifnull(max(lastUsed), 0) FROM file) + 1)
                ON CONFLICT (digest) DO UPDATE SET lastUsed = excluded.lastUsed
                """
        ).execute(arguments: [media.digest, media.length])
        guard let file = try number(of: media.digest, in: db) else {
            throw MediaFileError(.inputOutput, "The stream \(media.digest) cannot be found in the index.")
        }
        try insert(file, into: "reference", in: db)
        try forget(evicted: media.digest, in: db)
        return file
    }

    func number(of digest: String, in db: Database) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT id FROM file WHERE digest = ?"), arguments: [digest])
    }

    func insert(_ file: Int64, into table: String, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO \(table) VALUES (?, ?)").execute(arguments: [file, user])
    }

    /// The bytes of a stream, checked as `MediaFolder.source(digest:)` does.
    ///
    /// - Throws: `ByteStreamError` with code `notFound` if it is not in the folder, `changed` if it is encrypted and has
    ///   been cut or changed.
    package func source(digest: String) throws -> any ByteSource {
        let bytes = try row(digest)
        let source = try bytes.map { folder.checked(DataSource($0), digest: digest) } ?? folder.source(digest: digest)
        noteUse(of: digest)
        return source
    }

    /// In bytes; nil if the stream is not in the folder.
    package func length(digest: String) -> Int64? {
        let sql = "SELECT length FROM content JOIN file ON id = file WHERE digest = ?"
        let row = try? reading { db in try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [digest]) }
        return row ?? folder.length(digest: digest)
    }

    package func contains(digest: String) -> Bool { length(digest: digest) != nil }
}
