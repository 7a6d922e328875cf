import ODataModel
import ODataQuery
import ODataStores

/// Attachments in a set behind a navigation property, whose entities have the content as a stream property, or as one of
/// type `Edm.Binary`: an addition is made in two steps, as the attachments of CAP services are.
///
/// ```
/// POST Incidents(1)/attachments               {"ID":"0b1f…","filename":"valve.png","mimeType":"image/png"}
/// PUT attachments(0b1f…)/content              the content of a stream property
/// PUT attachments(0b1f…)/content/$value       the content of a binary property, as its raw value
/// ```
///
/// The key is made here: after a lost response the entity is found by it, and what is missing is sent. A service that
/// looks for malware in the content reports how far it is: ``EntityAttachment/scanState``. Content that has arrived
/// cannot be read before it is clean. Many such services never take other content for an attachment.
///
/// A binary property is a value of its entity: lists and details are read without it, its version is the entity's, and
/// nothing indicates whether it has a value. Content is sent again where the response was lost, and is fetched again
/// where anything of the entity has changed; it is held in memory on its way, so that it may have 64 MiB at most.
///
/// [OData-Protocol, sections 11.2.4.1, 11.4.8 and 11.4.9.1]
public struct AttachmentSetBackEnd: AttachmentBackEnd {
    /// The properties of the entities that say something of an attachment. Those that the type has not are ignored:
    /// without one for the name attachments cannot be renamed, without one for keywords they can have none.
    public struct PropertyNames: Hashable, Sendable {
        /// The stream property or the binary one; nil: the type has only one stream property, or else only one that is
        /// binary.
        public var content: String?
        /// A string.
        public var name: String
        /// A string; nil: the type is that of the stream.
        public var contentType: String?
        /// A string with an ``EntityAttachment/ScanState``: only read.
        public var scanState: String?
        /// An integer: only read.
        public var size: String?
        /// A string of words with commas between them, or a collection of strings.
        public var keywords: String?

        /// As CAP services name them.
        public init(
            content: String? = nil, name: String = "filename", contentType: String? = "mimeType",
            scanState: String? = "status", size: String? = nil, keywords: String? = nil
        ) {
            self.content = content
            self.name = name
            self.contentType = contentType
            self.scanState = scanState
            self.size = size
            self.keywords = keywords
        }
    }

    let store: any ODataStore
    let names: PropertyNames
    let paths: EntityPaths
    private let navigation: String

    /// - Parameters:
    ///   - store: Has the owners and their attachments.
    ///   - navigation: From the owner to its attachments: `attachments`.
    ///   - names: The properties that say something of an attachment.
    public init(store: any ODataStore, navigation: String, names: PropertyNames = PropertyNames()) {
        self.store = store
        self.navigation = navigation
        self.names = names
        paths = EntityPaths(store: store)
    }

    public var addsOnce: Bool { true }

    public func currentName(of name: String) async throws -> String { try await paths.entity(name).url }

    public func limits(of entity: String) async throws -> AttachmentLimits {
        let set = try await set(of: entity)
        var limits = AttachmentLimits(ContentLimits(of: set.content), in: set.collection)
        limits.allowsRenaming = set.type.property(named: names.name) != nil
        limits.allowsKeywords = names.keywords.flatMap { set.type.property(named: $0) } != nil
        if !set.content.isStream { limits.maxLength = min(limits.maxLength ?? .max, Int64(AttachmentSet.binaryLimit)) }
        return limits
    }

    public func list(of entity: String) async throws -> [RemoteAttachment] {
        let set = try await set(of: entity)
        return try await entities(of: set).map { try attachment($0, in: set) }
    }

    /// - Throws: `forbidden` while the service does not give the content because of malware that may be, or is, in it.
    public func content(of attachment: RemoteAttachment, in entity: String) async throws -> StreamResult {
        let set = try await set(of: entity)
        let path = try await paths.entity(attachment.id)
        var state = attachment.scanState
        if state?.isReadable == false { state = try await read(path, in: set).scanState }
        if let state, !state.isReadable { throw state.refusal(of: attachment.details.name) }
        var request = StreamRequest(set.contentPath(of: path))
        request.readLink = attachment.readLink
        do { return try await store.readStream(request).requiringContent(of: request) } catch let error as ODataError
            where error.code == .forbidden
        {
            guard let state, state != .clean else { throw error }
            throw state.refusal(of: attachment.details.name, after: error)
        }
    }

    public func add(_ draft: AttachmentDraft, to entity: String) async throws -> PostedAttachment {
        guard let content = draft.content, let guid = draft.key.flatMap({ EdmGuid($0) }) else {
            throw ODataError(.badRequest, "An attachment needs content and a key.")
        }
        let media = MediaContent(content, contentType: draft.details.contentType)
        let (set, key, begun) = try await earlier(guid, in: entity)
        if let begun {
            if !set.hasContent(begun) { try await send(media, to: begun, isBegun: true, in: set) }
            return try await posted(begun, in: set)
        }
        let made = try await make(draft.details, key, in: set)
        try await send(media, to: made, isBegun: false, in: set)
        return try await posted(made, in: set)
    }

    /// What an earlier attempt has made.
    ///
    /// - Throws: ``ODataError``, whose outcome is unknown: without a read the entity may exist.
    private func earlier(
        _ guid: EdmGuid, in entity: String
    ) async throws -> (set: AttachmentSet, key: EdmComplexValue.Member, made: RemoteAttachment?) {
        do {
            let set = try await set(of: entity)
            let key = set.key.member(guid)
            return (set, key, try await find(key, in: set))
        } catch {
            var failure = ODataError(any: error)
            // What concerns all of the service says nothing about this one, and takes no doubt away.
            if !failure.concernsAll { failure.isOutcomeUnknown = true }
            throw failure
        }
    }

    public func update(
        _ attachment: RemoteAttachment, with draft: AttachmentDraft, in entity: String
    ) async throws -> PostedAttachment {
        let set = try await set(of: entity)
        let path = try await paths.entity(attachment.id)
        guard let content = draft.content else {
            let ifMatch = attachment.etag ?? "*"
            return PostedAttachment(try await patch(attachment, draft.details, at: path, ifMatch: ifMatch, in: set))
        }
        let media = MediaContent(content, contentType: draft.details.contentType)
        try await put(media, to: attachment, ifMatch: attachment.contentTag, in: set)
        let replaced = (try? await read(path, in: set)) ?? attachment.withoutTags
        do {
            return PostedAttachment(try await patch(replaced, draft.details, at: path, ifMatch: "*", in: set))
        } catch {
            return PostedAttachment(replaced, remaining: ODataError(ofChange: error))
        }
    }

    public func delete(_ attachment: RemoteAttachment, in entity: String) async throws {
        try await paths.delete(attachment)
    }

    /// - Throws: ``ODataError`` `badRequest` if attachments cannot be kept there.
    private func set(of entity: String) async throws -> AttachmentSet {
        let owner = try await paths.entity(entity)
        return try AttachmentSet(try await paths.path("\(owner.url)/\(navigation)"), names, try await store.model())
    }
}
