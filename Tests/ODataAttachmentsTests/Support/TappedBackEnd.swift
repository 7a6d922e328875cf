import ByteStreams
import ODataAttachments
import ODataStores
import Synchronization

/// Passes everything on to a back end, and lets a test do something between content and whoever fetches it.
final class TappedBackEnd: AttachmentBackEnd {
    private let base: any AttachmentBackEnd
    private let taps = Mutex<[@Sendable () async throws -> Void]>([])

    init(_ base: any AttachmentBackEnd) {
        self.base = base
    }

    /// Done once, when content has come: the first with the first one, the second with the second one.
    func tap(_ body: @escaping @Sendable () async throws -> Void) { taps.withLock { $0.append(body) } }

    func content(of attachment: RemoteAttachment, in entity: String) async throws -> StreamResult {
        var result = try await base.content(of: attachment, in: entity)
        result.content = ByteContent(try await result.content.collect(upTo: 1000))
        let tap: (@Sendable () async throws -> Void)? = taps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        try await tap?()
        return result
    }

    func currentName(of name: String) async throws -> String { try await base.currentName(of: name) }

    func limits(of entity: String) async throws -> AttachmentLimits { try await base.limits(of: entity) }

    func list(of entity: String) async throws -> [RemoteAttachment] { try await base.list(of: entity) }

    func add(_ draft: AttachmentDraft, to entity: String) async throws -> PostedAttachment {
        try await base.add(draft, to: entity)
    }

    func update(
        _ attachment: RemoteAttachment, with draft: AttachmentDraft, in entity: String
    ) async throws -> PostedAttachment {
        try await base.update(attachment, with: draft, in: entity)
    }

    func delete(_ attachment: RemoteAttachment, in entity: String) async throws {
        try await base.delete(attachment, in: entity)
    }
}
