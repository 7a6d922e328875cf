import ByteStreams
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// `POST Products`, and of a stream `POST Photos`.
///
/// [OData-Protocol, sections 11.4.2 and 11.4.7.1]
struct CreateEntity: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        if call.hasMedia(at: path) {
            let slug = call.headers[.slug].map { PercentEncoding.decoded($0) }
            return try call.changeRequest(path, .createMedia(try call.mediaContent(), slug: slug))
        }
        return try call.changeRequest(path, .create(try await call.entityPayload(at: path)))
    }
}

extension ServiceCall {
    /// Whether the body is the stream of a media entity. JSON is one where the metadata name it among the types that the
    /// stream can have (`Core.AcceptableMediaTypes`); else it is the entity's properties.
    fileprivate func hasMedia(at path: ResourcePath) -> Bool {
        guard path.entityType(in: model)?.hasStream == true else { return false }
        guard MediaType(headers[.contentType])?.isJSON == true else { return true }
        let limits = ContentLimits(at: path, in: model)
        return limits.contentTypes?.contains { ContentLimits.matches("application/json", $0) } == true
    }
}
