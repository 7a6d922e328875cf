import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension ServiceCall {
    /// The change of `target`, with the conditions and wishes of the request's headers.
    func changeRequest(_ target: ResourcePath, _ operation: ChangeRequest.Operation) throws -> ChangeRequest {
        var change = ChangeRequest(target, operation)
        change.scope = scope
        change.ifMatch = headers[.ifMatch]
        change.ifNoneMatch = headers[.ifNoneMatch]
        change.repeatability = try repeatability()
        change.returnPreference = preferences.returns
        change.contentID = request.batch?.contentID
        return change
    }

    /// `Repeatability-Request-ID` and `Repeatability-First-Sent`: both or none.
    ///
    /// [Repeatable Requests 1.0, section 3]
    private func repeatability() throws -> RepeatabilityHeaders? {
        switch (headers[.repeatabilityRequestID], headers[.repeatabilityFirstSent]) {
        case (nil, nil): return nil
        case (let id?, let sent?) where !id.isEmpty && sent.hasSuffix("GMT"):
            return RepeatabilityHeaders(requestID: id, firstSent: sent)
        default:
            throw ServiceFailure(
                .badRequest,
                "A repeatable request has Repeatability-Request-ID and Repeatability-First-Sent, an HTTP date.")
        }
    }

    /// Refuses a repeatable request that is more than one change of the store: nothing is remembered of it as a whole.
    func checkIsNotRepeatable() throws {
        guard headers.asksForRepeatability else { return }
        throw ServiceFailure(
            .notImplemented, "Repeatable requests are supported for changes of one resource, not of a collection.")
    }

    /// The body of a request that must be JSON, in memory.
    ///
    /// - Parameter mayBeEmpty: Whether the request needs no body, and then no `Content-Type`.
    func jsonBody(mayBeEmpty: Bool = false) async throws -> [UInt8] {
        try request.checkContentEncoding()
        guard let text = headers[.contentType] else {
            guard mayBeEmpty, try await collectedBody().isEmpty else {
                throw ServiceFailure(
                    .unsupportedMediaType, "The request has no Content-Type: the body must be application/json.")
            }
            return []
        }
        guard let type = MediaType(text), type.isJSON, type.isUTF8 else {
            throw ServiceFailure(.unsupportedMediaType, "The body must be application/json, not “\(text)”.")
        }
        return try await collectedBody()
    }

    /// The whole body, up to the limit for payloads.
    func collectedBody() async throws -> [UInt8] {
        let limit = service.configuration.limits.payloadSize
        if let length = request.body.length, length > limit {
            throw ServiceFailure(.contentTooLarge, "The body is longer than the limit of \(limit) bytes.")
        }
        return try await request.body.collect(upTo: limit)
    }

    /// The body as the properties of an entity at `path`.
    ///
    /// - Parameter isUpdate: Whether arrays of related entities say all that are to be related.
    func entityPayload(at path: ResourcePath, isUpdate: Bool = false) async throws -> EntityPayload {
        guard let type = path.entityType(in: model) else {
            throw ServiceFailure(.badRequest, "\(path.url) takes no entity.")
        }
        let bytes = try await jsonBody()
        return try JSONPayload.entity(bytes, type: type, model: model, isUpdate: isUpdate) { reference($0) }
    }

    /// What an id in a body or in `$id` stands for; a URL that is not of this service stays one.
    func reference(_ id: String) -> EntityReference {
        if let path = request.batch?.path(of: id, parser: parser) { return .path(path) }
        let path = try? parser.entityPath(id: id, serviceRoot: root.url)
        return path.map(EntityReference.path) ?? .url(id)
    }
}
