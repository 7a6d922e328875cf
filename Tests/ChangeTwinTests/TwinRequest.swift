import ByteStreams
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import Testing

/// One change as an HTTP request would say it: `PATCH Products(1)` with a body.
struct TwinRequest: Sendable {
    enum Body: Sendable {
        case none
        /// An entity, a value or a reference.
        case json(String)
        /// An entity that no reader of a format has checked.
        case payload(EntityPayload)
        /// The text of a `$value`.
        case raw(String)
        /// The content of a stream; `properties` are given beside it.
        case stream(String, properties: String?)
    }

    /// A condition.
    enum Tag: Sendable {
        case any
        /// The ETag that the store has.
        case current
        /// The same of the stream, not of its entity.
        case currentStream
        /// An ETag that no entity has.
        case old
    }

    let method: String
    let url: String
    var body = Body.none
    var ifMatch: Tag?
    var ifNoneMatch: Tag?
    /// The id by which later requests of the change set refer to this one.
    var contentID: String?
    var allowsCreate = false

    static func post(_ url: String, _ json: String, id: String? = nil) -> TwinRequest {
        TwinRequest(method: "POST", url: url, body: .json(json), contentID: id)
    }

    static func post(_ url: String, values: EdmComplexValue) -> TwinRequest {
        post(url, payload: EntityPayload(values))
    }

    static func post(_ url: String, payload: EntityPayload) -> TwinRequest {
        TwinRequest(method: "POST", url: url, body: .payload(payload))
    }

    static func post(_ url: String, stream: String, properties: String? = nil, id: String? = nil)
        -> TwinRequest
    {
        TwinRequest(
            method: "POST", url: url, body: .stream(stream, properties: properties), contentID: id)
    }

    static func patch(_ url: String, _ json: String, id: String? = nil) -> TwinRequest {
        TwinRequest(method: "PATCH", url: url, body: .json(json), contentID: id)
    }

    static func patch(_ url: String, values: EdmComplexValue) -> TwinRequest {
        patch(url, payload: EntityPayload(values))
    }

    static func patch(_ url: String, payload: EntityPayload) -> TwinRequest {
        TwinRequest(method: "PATCH", url: url, body: .payload(payload))
    }

    static func put(_ url: String, _ json: String) -> TwinRequest {
        TwinRequest(method: "PUT", url: url, body: .json(json))
    }

    static func put(_ url: String, raw: String) -> TwinRequest {
        TwinRequest(method: "PUT", url: url, body: .raw(raw))
    }

    static func put(_ url: String, stream: String) -> TwinRequest {
        TwinRequest(method: "PUT", url: url, body: .stream(stream, properties: nil))
    }

    static func delete(_ url: String) -> TwinRequest { TwinRequest(method: "DELETE", url: url) }

    func ifMatch(_ tag: Tag) -> TwinRequest {
        var request = self
        request.ifMatch = tag
        return request
    }

    func ifNoneMatch(_ tag: Tag) -> TwinRequest {
        var request = self
        request.ifNoneMatch = tag
        return request
    }

    /// An update that creates where there is nothing.
    var upserting: TwinRequest {
        var request = self
        request.allowsCreate = true
        return request
    }
}

/// Turns the requests of one change into those of a store.
struct TwinRequestReader {
    let store: any ODataStore
    let model: EdmModel
    private var sets: [String: EdmEntitySet] = [:]

    init(store: any ODataStore, model: EdmModel) {
        self.store = store
        self.model = model
    }

    private var parser: QueryParser { QueryParser(model: model) }

    mutating func request(_ twin: TwinRequest) async throws -> ChangeRequest {
        let parts = twin.url.split(separator: "?", maxSplits: 1).map(String.init)
        let option = parts.dropFirst().first?.split(separator: "=", maxSplits: 1).map(String.init) ?? []
        let path = try self.path(parts[0])
        var request: ChangeRequest
        if path.suffix == .ref {
            request = try referenceRequest(twin, path, member: option.first == "$id" ? option.last : nil)
        } else {
            let index = option.first == "$index" ? option.last.flatMap { Int($0) } : nil
            request = ChangeRequest(path, try operation(twin, at: path, index: index))
        }
        request.ifMatch = try await etag(twin.ifMatch, at: path)
        request.ifNoneMatch = try await etag(twin.ifNoneMatch, at: path)
        request.allowsCreate = twin.allowsCreate
        request.contentID = twin.contentID
        if let id = twin.contentID { sets[id] = path.entitySet }
        return request
    }

    private func path(_ url: String) throws -> ResourcePath {
        guard case .query(let query) = try parser.resource(url, contentIDs: sets) else {
            throw ODataError(.internalError, "\(url) is not a path of the twins.")
        }
        return query.path
    }

    private func operation(_ twin: TwinRequest, at path: ResourcePath, index: Int?) throws
        -> ChangeRequest.Operation
    {
        switch (twin.method, twin.body, path.target) {
        case ("POST", .stream(let text, _), _): return .createMedia(content(text), slug: nil)
        case ("POST", .json(let json), .property(let property)):
            guard case .collection(let element) = property.type else { break }
            return .insertValue(try value(json, element), at: index)
        case ("POST", _, _): return .create(try payload(twin.body, at: path, isUpdate: false))
        case ("PATCH", .json(let json), .property(let property)):
            guard case .complex(let members) = try value(json, property.type) else { break }
            return .update(EntityPayload(members))
        case ("PATCH", _, _): return .update(try payload(twin.body, at: path, isUpdate: true))
        case ("PUT", .stream(let text, _), _): return .replaceStream(content(text))
        case ("PUT", .raw(let text), _):
            return .setRawValue(Array(text.utf8), contentType: "text/plain")
        case ("PUT", .json(let json), .property(let property)):
            return .setValue(try value(json, property.type))
        case ("PUT", .json(let json), .value(let type)): return .setValue(try value(json, type))
        case ("PUT", _, _): return .replace(try payload(twin.body, at: path, isUpdate: true))
        case ("DELETE", _, .stream): return .deleteStream
        case ("DELETE", _, .property(let property)):
            return .setValue(property.type.isCollection ? .collection([]) : .null)
        case ("DELETE", _, .value): return .setValue(.null)
        case ("DELETE", _, _): return path.suffix == .value ? .deleteStream : .delete
        default: break
        }
        throw ODataError(.internalError, "\(twin.method) \(twin.url) is not a request of the twins.")
    }

    /// `POST Products(1)/Related/$ref`, `DELETE Products(1)/Related/$ref?$id=Products(2)`,
    /// `DELETE Products(1)/Related(2)/$ref`
    private func referenceRequest(_ twin: TwinRequest, _ path: ResourcePath, member: String?) throws
        -> ChangeRequest
    {
        if case .json(let json) = twin.body {
            return ChangeRequest(
                path, .addReference(reference(try JSONPayload.reference(Array(json.utf8)))))
        }
        let resource = path.resource
        if let member { return ChangeRequest(path, .removeReference(reference(member))) }
        guard case .key? = resource.segments.last, resource.segments.count > 1 else {
            return ChangeRequest(path, .removeReference(nil))
        }
        let collection = ResourcePath(
            root: resource.root, segments: Array(resource.segments.dropLast()))
        return ChangeRequest(collection.appending(.ref), .removeReference(.path(resource)))
    }

    private func content(_ text: String) -> MediaContent {
        MediaContent(ByteContent(Array(text.utf8)), contentType: "text/plain")
    }

    private func value(_ json: String, _ type: EdmTypeReference) throws -> EdmValue {
        try JSONPayload.value(Array(json.utf8), type: type, model: model)
    }

    private func payload(_ body: TwinRequest.Body, at path: ResourcePath, isUpdate: Bool) throws
        -> EntityPayload
    {
        guard case .json(let json) = body else {
            if case .payload(let payload) = body { return payload }
            return EntityPayload()
        }
        return try payload(json, at: path, isUpdate: isUpdate)
    }

    func payload(_ json: String, at path: ResourcePath, isUpdate: Bool) throws -> EntityPayload {
        let type = try #require(path.entityType(in: model), "\(path.url) leads to entities")
        return try JSONPayload.entity(
            Array(json.utf8), type: type, model: model, isUpdate: isUpdate, reference: reference)
    }

    private func reference(_ id: String) -> EntityReference {
        (try? parser.entityPath(id: id, serviceRoot: nil)).map(EntityReference.path) ?? .url(id)
    }

    /// The entity that a path is about.
    private func entity(at path: ResourcePath) async throws -> EdmEntity {
        var entity = path.resource
        switch entity.target {
        case .stream, .property: entity.segments.removeLast()
        default: break
        }
        return try #require(try await store.entities(BoundQuery(path: entity)).first)
    }

    private func etag(_ tag: TwinRequest.Tag?, at path: ResourcePath) async throws -> String? {
        switch tag {
        case nil: return nil
        case .any: return "*"
        case .old: return #"W/"old""#
        case .current: return try await entity(at: path).etag
        case .currentStream: return try await entity(at: path).media?.etag
        }
    }
}
