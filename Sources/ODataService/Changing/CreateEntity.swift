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
        let isMedia = path.entityType(in: call.model)?.hasStream == true
        if isMedia, MediaType(call.headers[.contentType])?.isJSON != true {
            let slug = call.headers[.slug].map { PercentEncoding.decoded($0) }
            return try call.changeRequest(path, .createMedia(try call.mediaContent(), slug: slug))
        }
        return try call.changeRequest(path, .create(try await call.entityPayload(at: path)))
    }
}
