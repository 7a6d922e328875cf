import ODataModel
import ODataOffline
import ODataQuery
import ODataStores

/// Attachments that are media entities behind a navigation property: made and related in one go.
///
/// ```
/// POST Inspections(1)/Photos          the content, with its type and `Slug: valve.png`
/// PATCH Photos(7)                     {"Caption":"valve.png"}
/// ```
///
/// With an `OfflineStore` posting puts these requests into its queue, and its upload sends them. After an upload
/// attachments have other versions: list them before editing what was posted.
///
/// [OData-Protocol, section 11.4.7]
public struct MediaEntityBackEnd: AttachmentBackEnd {
    /// The properties of the media entities that say something of an attachment.
    public struct PropertyNames: Hashable, Sendable {
        /// A string. Nil: attachments are named after their ids, and the name of a new one is only the `Slug`; they
        /// cannot be renamed.
        public var name: String?
        /// An integer: only read.
        public var size: String?
        /// A string of words with commas between them, or a collection of strings. Nil: there can be no keywords.
        public var keywords: String?

        /// The properties of the media entity, by their names; what is nil is not kept.
        public init(name: String? = nil, size: String? = nil, keywords: String? = nil) {
            self.name = name
            self.size = size
            self.keywords = keywords
        }
    }

    let store: any ODataStore
    private let navigation: String
    private let names: PropertyNames
    private let paths: EntityPaths

    /// - Parameters:
    ///   - store: Has the owners and their attachments.
    ///   - navigation: From the owner to its attachments: `Photos`.
    ///   - names: The properties that say something of an attachment.
    public init(store: any ODataStore, navigation: String, names: PropertyNames = PropertyNames()) {
        self.store = store
        self.navigation = navigation
        self.names = names
        paths = EntityPaths(store: store)
    }

    public func currentName(of name: String) async throws -> String { try await paths.entity(name).url }

    public func limits(of entity: String) async throws -> AttachmentLimits {
        let collection = try await collection(of: entity)
        var limits = AttachmentLimits(ContentLimits(at: collection, in: try await store.model()), in: collection)
        (limits.allowsRenaming, limits.allowsKeywords) = (names.name != nil, names.keywords != nil)
        return limits
    }

    public func list(of entity: String) async throws -> [RemoteAttachment] {
        let collection = try await collection(of: entity)
        return try await store.entities(BoundQuery(path: collection)).map { try attachment($0, in: collection) }
    }

    public func content(of attachment: RemoteAttachment, in entity: String) async throws -> StreamResult {
        var request = StreamRequest(try await paths.entity(attachment.id))
        request.readLink = attachment.readLink
        return try await store.readStream(request).requiringContent(of: request)
    }

    public func add(_ draft: AttachmentDraft, to entity: String) async throws -> PostedAttachment {
        guard let content = draft.content else { throw ODataError(.badRequest, "An attachment needs content.") }
        let collection = try await collection(of: entity)
        let media = MediaContent(content, contentType: draft.details.contentType)
        if let store = store as? OfflineStore {
            let made = try await store.createMedia(
                media, in: collection, slug: draft.details.name, properties: payload(draft.details, in: collection))
            return PostedAttachment(try await attachment(createdBy: made, in: collection))
        }
        var request = ChangeRequest(collection, .createMedia(media, slug: draft.details.name))
        request.returnPreference = .representation
        let made = try await attachment(createdBy: try await store.provenChange(request), in: collection)
        return await describe(made, draft.details, in: collection)
    }

    public func update(
        _ attachment: RemoteAttachment, with draft: AttachmentDraft, in entity: String
    ) async throws -> PostedAttachment {
        let collection = try await collection(of: entity)
        let path = try await paths.entity(attachment.id)
        guard let content = draft.content else {
            let ifMatch = attachment.etag ?? "*"
            return PostedAttachment(
                try await patch(attachment, draft.details, at: path, ifMatch: ifMatch, in: collection))
        }
        var request = ChangeRequest(
            path, .replaceStream(MediaContent(content, contentType: draft.details.contentType)))
        request.ifMatch = attachment.contentTag
        request.editLink = attachment.editLink
        _ = try await store.provenChange(request)
        var replaced = (try? await read(path, in: collection)) ?? attachment.withoutTags
        replaced.details.contentType = draft.details.contentType
        return await describe(replaced, draft.details, in: collection)
    }

    public func delete(_ attachment: RemoteAttachment, in entity: String) async throws {
        try await paths.delete(attachment)
    }
}

extension MediaEntityBackEnd: DescribedEntities {
    private func collection(of entity: String) async throws -> ResourcePath {
        let owner = try await paths.entity(entity)
        let path = try await paths.path("\(owner.url)/\(navigation)")
        guard path.target == .collection else {
            throw ODataError(.badRequest, "\(path.url) does not lead to a collection of media entities.")
        }
        return path
    }

    func read(_ path: ResourcePath, in collection: ResourcePath) async throws -> RemoteAttachment {
        try attachment(try await paths.read(path), in: collection)
    }

    /// - Throws: ``ODataError`` `invalidResponse` if the entity cannot be identified.
    private func attachment(_ entity: EdmEntity, in collection: ResourcePath) throws -> RemoteAttachment {
        let id = try collection.id(of: entity)
        let details = AttachmentDetails(
            name: names.name.flatMap { entity[$0]?.text } ?? id,
            contentType: entity.media?.contentType ?? "application/octet-stream",
            keywords: names.keywords.flatMap { entity[$0]?.words } ?? [])
        var attachment = RemoteAttachment(id: id, details: details)
        if let name = names.size, case .integer(let size)? = entity[name] { attachment.size = size }
        attachment.etag = entity.etag
        attachment.contentTag = entity.media?.etag
        attachment.readLink = entity.media?.readLink
        attachment.editLink = entity.media?.editLink
        return attachment
    }

    /// - Throws: ``ODataError`` whose outcome is unknown if the entity was made and cannot be found: the next posting
    ///   looks for it.
    private func attachment(
        createdBy result: ChangeResult, in collection: ResourcePath
    ) async throws -> RemoteAttachment {
        do {
            if let entity = result.entity { return try attachment(entity, in: collection) }
            guard let path = result.path else {
                throw ODataError(.invalidResponse, "The service did not return the id of a new entity.")
            }
            return try await read(path, in: collection)
        } catch {
            var failure = ODataError(any: error)
            failure.isOutcomeUnknown = true
            throw failure
        }
    }

    /// Sends the details that the entity does not have yet.
    private func describe(
        _ attachment: RemoteAttachment, _ details: AttachmentDetails, in collection: ResourcePath
    ) async -> PostedAttachment {
        do {
            let path = try await paths.entity(attachment.id)
            return PostedAttachment(try await patch(attachment, details, at: path, ifMatch: "*", in: collection))
        } catch {
            return PostedAttachment(attachment, remaining: ODataError(ofChange: error))
        }
    }

    func payload(_ details: AttachmentDetails, in collection: ResourcePath) -> EntityPayload {
        let type = collection.entitySet?.type
        var properties = EdmComplexValue()
        if let name = names.name { properties[name] = .string(details.name) }
        if let name = names.keywords {
            properties[name] = .keywords(details.keywords, of: type?.property(named: name))
        }
        return EntityPayload(properties)
    }
}
