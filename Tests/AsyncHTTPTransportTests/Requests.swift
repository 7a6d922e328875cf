import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import ODataTransport

/// Runs `body` with a transport that is shut down afterwards.
func withTransport<Result: Sendable>(
    _ configuration: AsyncHTTPTransport.Configuration = .init(),
    _ body: (AsyncHTTPTransport) async throws -> Result
) async throws -> Result {
    let transport = AsyncHTTPTransport(configuration: configuration)
    do {
        let result = try await body(transport)
        try await transport.shutdown()
        return result
    } catch {
        try? await transport.shutdown()
        throw error
    }
}

extension HTTPTransport {
    func get(_ url: String, _ method: HTTPRequest.Method = .get, body: ByteContent? = nil) async throws
        -> TransportResponse
    {
        var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: nil)
        request.absoluteURL = AbsoluteURL(url)
        return try await send(request, body: body)
    }

    /// The whole body as text.
    func text(_ url: String) async throws -> String {
        String(decoding: try await get(url).body.collect(upTo: 1 << 20), as: UTF8.self)
    }
}
