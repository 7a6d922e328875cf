import ByteStreams
import HTTPTypes
import ODataTransport

/// The last middleware of a store with a cache; records with each response the headers that its request had in the end.
struct SentFieldsMiddleware: HTTPMiddleware {
    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse {
        var reply = try await next.send(request, body: body)
        reply.sentFields = request.headerFields
        return reply
    }
}
