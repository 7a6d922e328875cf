import ByteStreams
import ODataFormats

/// `GET /`
///
/// [OData-Protocol, section 11.1.1]
struct ReadServiceDocument: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.format()
        let bytes = JSONPayload.serviceDocument(
            model: call.model, serviceRoot: format.metadata == .none ? nil : call.root.url)
        return ServiceResponse(.ok, contentType: format.contentType, body: ByteContent(bytes))
    }
}
