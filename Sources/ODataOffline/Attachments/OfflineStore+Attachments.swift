import ByteStreams
import GRDB
import MediaFiles
import ODataStores

/// Attachments keep their edits in the store's database and their content in its media folder.
extension OfflineStore {
    /// The bytes of attachments.
    package var attachmentMedia: any MediaReading { media }

    package func readingAttachments<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try checkOpen()
        return try await database.reading(body)
    }

    /// Runs `body` in a transaction that is durable when this returns.
    package func writingAttachments<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try checkOpen()
        let database = database
        do { return try await database.writingDurably(body) } catch  where database.isRetired {
            // A rebuild was first: nothing was written.
            return try await self.database.writingDurably(body)
        }
    }

    /// Stores the bytes of `content`, and then runs `body`, which refers to them, in a transaction.
    package func keepingAttachment<Result: Sendable>(
        _ content: ByteContent, _ body: @escaping @Sendable (Database, StoredMedia) throws -> Result
    ) async throws -> Result {
        try await streams.writing {
            let kept = try await streams.store(MediaContent(content, contentType: ""))
            return try await writingAttachments { db in
                try MediaIndex(db: db, schema: nil).add(kept)
                return try body(db, kept)
            }
        }
    }

    /// Removes content without references.
    package func collectAttachments() async throws { try await streams.collect() }
}
