import ByteStreams
import HTTPTypes
import ODataServer
import ODataService

/// A service on this machine that responds with what a test says.
struct RespondingService: HTTPResponder {
    let response: @Sendable (HTTPRequest) async -> ServiceResponse

    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        await response(request)
    }

    /// Gives `work` the service's root, and ends the service afterwards.
    static func run<Result>(
        _ response: @escaping @Sendable (HTTPRequest) async -> ServiceResponse,
        _ work: (String) async throws -> Result
    ) async throws -> Result {
        let server = try await ODataServer.start(service: RespondingService(response: response))
        do {
            let result = try await work(server.rootURL)
            try await server.stop()
            return result
        } catch {
            try await server.stop()
            throw error
        }
    }
}

extension ServiceResponse {
    /// A response of text.
    static func text(
        _ text: String, type: String = "application/json", status: HTTPResponse.Status = .ok
    ) -> ServiceResponse {
        ServiceResponse(
            head: HTTPResponse(status: status, headerFields: [.contentType: type]),
            body: ByteContent(Array(text.utf8)))
    }
}
