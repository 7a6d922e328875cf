import ByteStreams
import ODataStores

/// Where attachments are kept: what an ``AttachmentManager`` asks of a service. All errors are ``ODataError``; one whose
/// ``ODataError/isOutcomeUnknown`` is set may have been carried out.
///
/// Entities and attachments have names that only the back end understands: `Inspections(1)`, `Photos(5)`.
public protocol AttachmentBackEnd: Sendable {
    /// The one name that an entity or attachment has now, by any that it has or had: a store gives entities made on the
    /// device others when they are uploaded.
    ///
    /// - Throws: `badRequest` if it is the name of nothing.
    func currentName(of name: String) async throws -> String

    /// What the service takes as attachments of an entity.
    func limits(of entity: String) async throws -> AttachmentLimits

    /// The attachments of an entity.
    func list(of entity: String) async throws -> [RemoteAttachment]

    /// The content of an attachment, as it arrives.
    func content(of attachment: RemoteAttachment, in entity: String) async throws -> StreamResult

    /// Makes an attachment of an entity.
    func add(_ draft: AttachmentDraft, to entity: String) async throws -> PostedAttachment

    /// Whether ``add(_:to:)`` knows additions by their ``AttachmentDraft/key``: called again after a lost response it
    /// continues what it has begun, and creates nothing twice. Else what was made and is not listed with its key is
    /// looked for by its content.
    var addsOnce: Bool { get }

    /// Gives an attachment of an entity other content, other details, or both. The draft has no content where only the
    /// details change.
    ///
    /// - Throws: `preconditionFailed` if another client has changed the attachment since it was `attachment`.
    func update(
        _ attachment: RemoteAttachment, with draft: AttachmentDraft, in entity: String
    ) async throws -> PostedAttachment

    /// Deletes an attachment of an entity.
    ///
    /// - Throws: As ``update(_:with:in:)``; `notFound` if there is no such attachment.
    func delete(_ attachment: RemoteAttachment, in entity: String) async throws
}

extension AttachmentBackEnd {
    /// The name as it is.
    public func currentName(of name: String) async throws -> String { name }

    /// No.
    public var addsOnce: Bool { false }

    /// None.
    public func limits(of entity: String) async throws -> AttachmentLimits { AttachmentLimits() }
}

/// An attachment as a service has it.
public struct RemoteAttachment: Hashable, Sendable, Codable {
    /// Names it among the attachments of its entity: `Photos(5)`, or what else the back end understands.
    public var id: String
    /// Of ``AttachmentDraft/key``, where the service keeps it.
    public var key: String?
    /// Name, media type and keywords as the service has them.
    public var details: AttachmentDetails
    /// In bytes, where known.
    public var size: Int64?
    /// The ETag of what is said of it.
    public var etag: String?
    /// The ETag of its content.
    public var contentTag: String?
    /// What the service says of malware in its content.
    public var scanState: EntityAttachment.ScanState?
    /// The URL of its content, if that does not follow from its id.
    public var readLink: String?
    /// The URL to replace its content, if that does not follow from its id.
    public var editLink: String?

    /// An attachment without key, ETags and links: set them where the service reports them.
    public init(id: String, details: AttachmentDetails, size: Int64? = nil) {
        self.id = id
        self.details = details
        self.size = size
    }
}

/// An edit on its way to a service.
public struct AttachmentDraft: Sendable {
    /// What the attachment is to have after the edit, all of it and not only what changes.
    public var details: AttachmentDetails
    /// Can be read many times. Nil if the content stays.
    public var content: ByteContent?
    /// Of an addition: a UUID in upper case, the same with each attempt until the addition is posted or edited. A service
    /// that keeps it reports in its list whether an addition was carried out whose response was lost.
    public var key: String?

    /// - Parameters:
    ///   - details: What the attachment is to have.
    ///   - content: Nil if only the details change.
    ///   - key: Of an addition, as ``key`` says.
    public init(details: AttachmentDetails, content: ByteContent?, key: String? = nil) {
        self.details = details
        self.content = content
        self.key = key
    }
}

/// What a service has made of a draft.
public struct PostedAttachment: Sendable {
    /// The attachment after the edit, with its new ETags where the service gave them.
    public var attachment: RemoteAttachment
    /// The content has arrived, and the details have not, for this reason: they are sent again by themselves.
    public var remaining: ODataError?

    /// All has arrived, unless `remaining` says why the details have not.
    public init(_ attachment: RemoteAttachment, remaining: ODataError? = nil) {
        self.attachment = attachment
        self.remaining = remaining
    }
}
