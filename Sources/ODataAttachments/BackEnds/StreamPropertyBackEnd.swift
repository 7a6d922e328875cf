import ODataModel
import ODataQuery
import ODataStores

/// Attachments that are the stream properties of their owner: one for each property that has content, with the name of
/// the property.
///
/// ```
/// PUT Customers('A')/Logo
/// DELETE Customers('A')/Logo
/// ```
///
/// [OData-Protocol, section 11.4.8]
public struct StreamPropertyBackEnd: AttachmentBackEnd {
    private let store: any ODataStore
    private let paths: EntityPaths

    public init(store: any ODataStore) {
        self.store = store
        paths = EntityPaths(store: store)
    }

    /// Of an entity; a property keeps its name.
    public func currentName(of name: String) async throws -> String {
        let model = try await store.model()
        let isProperty = model.entitySets.contains { $0.type.property(named: name)?.isStream == true }
        return isProperty ? name : try await paths.entity(name).url
    }

    public func limits(of entity: String) async throws -> AttachmentLimits {
        let properties = try await paths.entity(entity).streamProperties
        var limits = AttachmentLimits(names: Set(properties.map(\.name)))
        (limits.allowsRenaming, limits.allowsKeywords) = (false, false)
        for property in properties { limits.ofNames[property.name] = AttachmentLimits(ContentLimits(of: property)) }
        return limits
    }

    public func list(of entity: String) async throws -> [RemoteAttachment] {
        let owner = try await paths.read(try await paths.entity(entity))
        return owner.type.properties.filter(\.isStream).compactMap { property in
            // Without control information it has no content.
            owner.streams[property.name].map { attachment(property.name, $0) }
        }
    }

    private func attachment(_ name: String, _ stream: Entity.StreamInfo) -> RemoteAttachment {
        let type = stream.contentType ?? "application/octet-stream"
        var attachment = RemoteAttachment(id: name, details: AttachmentDetails(name: name, contentType: type))
        attachment.contentTag = stream.etag
        attachment.readLink = stream.readLink
        attachment.editLink = stream.editLink
        return attachment
    }

    public func content(of attachment: RemoteAttachment, in entity: String) async throws -> StreamResult {
        var request = StreamRequest(try await path(of: attachment.id, in: entity))
        request.readLink = attachment.readLink
        return try await store.readStream(request)
    }

    public func add(_ draft: AttachmentDraft, to entity: String) async throws -> PostedAttachment {
        try await put(draft, to: RemoteAttachment(id: draft.details.name, details: draft.details), in: entity)
    }

    public func update(
        _ attachment: RemoteAttachment, with draft: AttachmentDraft, in entity: String
    ) async throws -> PostedAttachment {
        try await put(draft, to: attachment, in: entity)
    }

    public func delete(_ attachment: RemoteAttachment, in entity: String) async throws {
        var request = ChangeRequest(try await path(of: attachment.id, in: entity), .deleteStream)
        request.ifMatch = attachment.contentTag
        request.editLink = attachment.editLink
        _ = try await store.change(request)
    }

    /// Without content there is nothing to send: all details come with it.
    private func put(
        _ draft: AttachmentDraft, to attachment: RemoteAttachment, in entity: String
    ) async throws -> PostedAttachment {
        let path = try await path(of: attachment.id, in: entity)
        guard draft.details.name == attachment.id else {
            throw ODataError(.badRequest, "A stream property cannot be renamed: \(attachment.id).")
        }
        guard let content = draft.content else { return PostedAttachment(attachment) }
        var request = ChangeRequest(
            path, .replaceStream(MediaContent(content, contentType: draft.details.contentType)))
        request.ifMatch = attachment.contentTag
        request.editLink = attachment.editLink
        _ = try await store.replaceStream(by: request)
        if let listed = try? await list(of: entity).first(where: { $0.id == attachment.id }) {
            return PostedAttachment(listed)
        }
        var replaced = attachment.withoutTags
        replaced.details = draft.details
        return PostedAttachment(replaced)
    }

    /// `Customers('A')/Logo`
    private func path(of name: String, in entity: String) async throws -> ResourcePath {
        let path = try await paths.entity(entity)
        guard let property = path.streamProperties.first(where: { $0.name == name }) else {
            throw ODataError(.notFound, "\(entity) has no stream \(name).")
        }
        return path.appending(.property(property))
    }
}

extension ResourcePath {
    /// Of the entity that the path leads to.
    fileprivate var streamProperties: [Property] { entitySet?.type.properties.filter(\.isStream) ?? [] }
}
