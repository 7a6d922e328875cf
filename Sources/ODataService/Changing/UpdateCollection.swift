import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

/// `PATCH Products` with entities or a delta payload: each is updated, created or deleted, all together or none.
///
/// [OData-Protocol, section 11.4.11 of 4.01: Update a Collection of Entities]
struct UpdateCollection: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let path = try call.query().path
        guard let type = path.entityType(in: call.model), path.lastCall == nil else {
            throw ServiceFailure(.badRequest, "\(path.url) takes no entities.")
        }
        try call.checkIsNotRepeatable()
        let body = try await call.jsonBody(mayBeEmpty: true)
        // One entity, or nothing, is not for a collection.
        guard let node = try? JSONParser.parse(body[...]), node["value"]?.elements != nil else {
            let allowed = call.allowedMethods(.collection).filter { $0 != .patch }
            throw ServiceFailure.methodNotAllowed(.patch, allowed: allowed)
        }
        let payload = try JSONPayload.entities(body, type: type, model: call.model, reference: call.reference)
        let changes =
            try payload.entities.map { try change($0, type: type, path: path, call: call) }
            + payload.removed.map { try removal($0, path: path, call: call) }
        try await call.apply(changes)
        return ServiceResponse(.noContent)
    }

    /// An entity with an id or a key is updated or created there; another is created.
    private func change(
        _ entity: EntityPayload, type: EdmStructuredType, path: ResourcePath, call: ServiceCall
    ) throws -> ChangeRequest {
        var target: ResourcePath?
        switch entity.id {
        case .path(let known)?: target = known
        case .url(let url)?: throw ServiceFailure(.badRequest, "The id \(url) is not of this service.")
        case nil: target = EntityKey(of: type, in: entity.properties).map { path.appending(.key($0)) }
        }
        var change = ChangeRequest(target ?? path, target == nil ? .create(entity) : .update(entity))
        change.allowsCreate = true
        change.ifMatch = entity.etag
        return change
    }

    private func removal(
        _ removal: EntityPayload.Removal, path: ResourcePath, call: ServiceCall
    ) throws -> ChangeRequest {
        guard case .path(let target) = removal.reference else {
            throw ServiceFailure(.badRequest, "What is removed must be of this service.")
        }
        let isNavigation = path.segments.contains { if case .navigation = $0 { true } else { false } }
        return isNavigation && !removal.isDeleted
            ? ChangeRequest(path.appending(.ref), .removeReference(.path(target))) : ChangeRequest(target, .delete)
    }
}

/// `PUT Categories(1)/Products/$ref`: the references in the body are all there are afterwards.
///
/// [OData-Protocol, section 11.4.6.4 of 4.01]
struct ReplaceReferences: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let path = try call.query().path
        try call.checkIsNotRepeatable()
        let wanted = try await references(in: call.jsonBody(), call: call)
        var read = ReadRequest(BoundQuery(path: path.resource))
        read.scope = call.scope
        let present = try await call.store.entities(read)
        let set = path.entitySet
        let known = present.compactMap { entity in
            set.flatMap { set in entity.key.map { ResourcePath(set, key: $0) } }
        }
        let removed = known.filter { !wanted.contains(.path($0)) }.map {
            ChangeRequest(path, .removeReference(.path($0)))
        }
        let added = wanted.filter { reference in !known.contains { reference == .path($0) } }.map {
            ChangeRequest(path, .addReference($0))
        }
        try await call.apply(removed + added)
        return ServiceResponse(.noContent)
    }

    /// `{"value":[{"@id":"Products(1)"}]}`
    private func references(in bytes: [UInt8], call: ServiceCall) throws -> [EntityReference] {
        do {
            let node = try JSONParser.parse(bytes[...])
            guard let members = node["value"]?.elements else {
                throw ServiceFailure(.badRequest, "The body is an object with an array “value” of references.")
            }
            return try members.map { member in
                guard let id = member.control("id")?.string else {
                    throw ServiceFailure(.badRequest, "A reference is an object with “@odata.id”.")
                }
                return call.reference(id)
            }
        } catch let error as JSONError {
            throw ServiceFailure(.badRequest, error.description)
        }
    }
}

extension ServiceCall {
    /// Applies what the request means for its collection, all of it or none.
    fileprivate func apply(_ changes: [ChangeRequest]) async throws {
        guard !changes.isEmpty else { return }
        _ = try await store.changeSet(
            changes.map { change in
                var change = change
                change.scope = scope
                return change
            })
    }
}
