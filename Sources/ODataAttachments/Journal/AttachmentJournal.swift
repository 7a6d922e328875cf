import ByteStreams
import MediaFiles
import ODataOffline
import ODataStores

/// Where the records of attachments are kept, and their content: each call is one transaction, which is on the device
/// when it returns. All errors are ``ODataError``.
protocol AttachmentJournal: Sendable {
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (AttachmentRecords) throws -> Result
    ) async throws -> Result

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (AttachmentRecords) throws -> Result
    ) async throws -> Result

    /// Keeps the bytes of `content`, and then does `body`, which refers to them.
    func keep<Result: Sendable>(
        _ content: ByteContent, _ body: @escaping @Sendable (AttachmentRecords, StoredMedia) throws -> Result
    ) async throws -> Result

    /// Removes content that no record refers to any more.
    func collect() async throws

    var media: any MediaReading { get }
}

extension AttachmentJournal {
    /// Whether content that was kept is still there.
    func holds(_ digest: String) -> Bool { media.contains(digest: digest) }

    /// - Throws: ``ODataError`` `mediaNotInStore`.
    func content(_ digest: String, of name: String) throws -> ByteContent {
        do { return ByteContent(try media.source(digest: digest)) } catch {
            throw ODataError(
                .mediaNotInStore, "The content of \(name) is lost or damaged: update it or give its edits up.",
                cause: error)
        }
    }
}

/// The journal in the database of an offline store, with content in its media folder.
struct StoreJournal: AttachmentJournal {
    let store: OfflineStore

    var media: any MediaReading { store.attachmentMedia }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (AttachmentRecords) throws -> Result
    ) async throws -> Result {
        try await store.readingAttachments { try body(AttachmentRecords(db: $0)) }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (AttachmentRecords) throws -> Result
    ) async throws -> Result {
        try await store.writingAttachments { try body(AttachmentRecords(db: $0)) }
    }

    func keep<Result: Sendable>(
        _ content: ByteContent, _ body: @escaping @Sendable (AttachmentRecords, StoredMedia) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.keepingAttachment(content) { try body(AttachmentRecords(db: $0), $1) }
        } catch {
            throw ODataError(any: error)
        }
    }

    func collect() async throws { try await store.collectAttachments() }
}
