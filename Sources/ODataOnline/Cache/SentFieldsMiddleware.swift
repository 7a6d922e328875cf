import ByteStreams
import HTTPTypes
import ODataTransport

/// The last middleware of a store with a cache; records with each response the headers that its request had in the end.
struct SentFieldsMiddleware: HTTPMiddleware {
    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse {
        var response = try await next.send(request, body: body)
        response.sentFields = request.headerFields
        return response
    }
}
