import ByteStreams
import HTTPTypes

/// Sends `Authorization: Bearer …` with each request to the service, and to no other origin.
///
/// The token is asked for with each request. Where the service returns 401, it is asked for once more with the token
/// that was refused, once for all requests that were refused with it, and the request is repeated. A body that can be
/// read only once is sent after a `HEAD` of the same URL, so that a token which has run out does not cost it.
///
/// [RFC 6750]
public struct BearerAuthentication: HTTPMiddleware {
    /// Gives a token: a kept one, or a new one if `rejected` is the kept one.
    public typealias Provider = @Sendable (_ rejected: String?) async throws -> String

    private let refresh: TokenRefresh

    /// - Parameter provider: Gives the tokens; asked with each request, so it should keep the one it has.
    public init(provider: @escaping Provider) {
        refresh = TokenRefresh(provider)
    }

    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        guard !next.context.isForeign else { return try await next.send(request, body: body) }
        var token = try await refresh.token()
        if let body, !body.isReplayable {
            let probe = try await send(request.asking(.head), body: nil, token: token, next: next)
            await probe.discard()
            if probe.head.status == .unauthorized { token = try await refresh.token(replacing: token) }
        }
        let response = try await send(request, body: body, token: token, next: next)
        guard response.head.status == .unauthorized, body?.isReadable ?? true else { return response }
        let fresh = try await refresh.token(replacing: token)
        guard fresh != token else { return response }
        await response.discard()
        return try await send(request, body: body, token: fresh, next: next)
    }

    private func send(
        _ request: HTTPRequest, body: ByteContent?, token: String, next: NextTransport
    ) async throws -> TransportResponse {
        var request = request
        request.headerFields[.authorization] = "Bearer \(token)"
        return try await next.send(request, body: body)
    }
}
