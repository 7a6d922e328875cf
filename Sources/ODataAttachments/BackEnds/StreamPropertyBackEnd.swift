import ODataModel
import ODataQuery
import ODataStores

/// Attachments that are the stream properties of their owner, those of its own type too: one for each property that has
/// content, with the name of the property.
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
    private let checksStreams: Bool

    /// - Parameters:
    ///   - store: Has the owners.
    ///   - checksStreams: Whether a list asks for each stream of which the service reports nothing with its entity.
    ///     Else such a property has no content. A service may leave out what the standard expects: ours does so only where
    ///     there is nothing. [OData-JSON, section 4.6]
    public init(store: any ODataStore, checksStreams: Bool = false) {
        self.store = store
        self.checksStreams = checksStreams
        paths = EntityPaths(store: store)
    }

    /// Of an entity; a property keeps its name.
    public func currentName(of name: String) async throws -> String {
        let model = try await store.model()
        let isProperty = model.schemas.contains { schema in
            schema.types.contains { type in type.properties.contains { $0.isStream && $0.name == name } }
        }
        return isProperty ? name : try await paths.entity(name).url
    }

    public func limits(of entity: String) async throws -> AttachmentLimits {
        let properties = try await types(at: paths.entity(entity)).flatMap { $0.properties.filter(\.isStream) }
        var limits = AttachmentLimits(names: Set(properties.map(\.name)))
        (limits.allowsRenaming, limits.allowsKeywords) = (false, false)
        for property in properties { limits.ofNames[property.name] = AttachmentLimits(ContentLimits(of: property)) }
        return limits
    }

    public func list(of entity: String) async throws -> [RemoteAttachment] {
        let owner = try await paths.read(try await paths.entity(entity))
        var listed: [RemoteAttachment] = []
        for property in owner.type.properties where property.isStream {
            if let stream = owner.streams[property.name] {
                listed.append(attachment(property.name, stream))
            } else if checksStreams, let found = try await untold(property.name, of: entity) {
                listed.append(found)
            }
        }
        return listed
    }

    /// A stream of which its entity reports nothing, by its first byte; nil if there is none.
    private func untold(_ name: String, of entity: String) async throws -> RemoteAttachment? {
        var request = StreamRequest(try await path(of: name, in: entity))
        request.count = 1
        do {
            let result = try await store.readStream(request).requiringContent(of: request)
            let type = result.contentType ?? "application/octet-stream"
            var attachment = RemoteAttachment(id: name, details: AttachmentDetails(name: name, contentType: type))
            attachment.contentTag = result.etag
            return attachment
        } catch let error as ODataError {
            switch error.code {
            case .notFound, .gone: return nil
            // An offline store could not ask, which says nothing about the content.
            case .mediaNotInStore:
                guard let cause = error.cause as? ODataError, cause.concernsAll else { throw error }
                throw cause
            // It is empty.
            case .rangeNotSatisfiable:
                let details = AttachmentDetails(name: name, contentType: "application/octet-stream")
                return RemoteAttachment(id: name, details: details)
            default: throw error
            }
        }
    }

    private func attachment(_ name: String, _ stream: EdmEntity.StreamInfo) -> RemoteAttachment {
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
        return try await store.readStream(request).requiringContent(of: request)
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
        _ = try await store.provenChange(request)
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
        _ = try await store.provenReplacement(by: request)
        if let listed = try? await list(of: entity).first(where: { $0.id == attachment.id }) {
            return PostedAttachment(listed)
        }
        var replaced = attachment.withoutTags
        replaced.details = draft.details
        return PostedAttachment(replaced)
    }

    /// `Customers('A')/Logo`, `Vehicles(2)/Shop.Car/Plan`
    private func path(of name: String, in entity: String) async throws -> ResourcePath {
        let path = try await paths.entity(entity)
        let declared = path.entityType(in: try await store.model())
        if let property = declared?.property(named: name), property.isStream {
            return path.appending(.property(property))
        }
        for type in try await types(at: path) {
            guard let property = type.property(named: name), property.isStream else { continue }
            return path.appending(.cast(type)).appending(.property(property))
        }
        throw ODataError(.notFound, "\(entity) has no stream \(name).")
    }

    /// The type of the entity; if it is unknown, and types that derive from that of the path have streams,
    /// all that it may be.
    private func types(at path: ResourcePath) async throws -> [EdmStructuredType] {
        let model = try await store.model()
        guard let declared = path.entityType(in: model) else { return [] }
        let heirs = model.derivedTypes(of: declared).filter { type in
            type.properties.contains { $0.isStream && declared.property(named: $0.name) == nil }
        }
        guard !heirs.isEmpty else { return [declared] }
        do { return [try await paths.read(path).type] } catch let error as ODataError where error.concernsAll {
            return [declared] + heirs
        }
    }
}
