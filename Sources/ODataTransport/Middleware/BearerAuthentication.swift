import ByteStreams
import HTTPTypes

/// Sends `Authorization: Bearer …` with each request to the service, and to no other origin.
///
/// The token is asked for with each request. Where the service answers 401, it is asked for once more with the token
/// that was refused, and the request is repeated if its body can be read again.
///
/// [RFC 6750]
public struct BearerAuthentication: HTTPMiddleware {
    /// Gives a token: a kept one, or a new one if `rejected` is the kept one.
    public typealias Provider = @Sendable (_ rejected: String?) async throws -> String

    private let provider: Provider

    public init(provider: @escaping Provider) {
        self.provider = provider
    }

    public func intercept(
        _ request: HTTPRequest, body: ByteContent?, next: any HTTPTransport
    ) async throws -> HTTPReply {
        guard !ForeignOrigin.isEntered else { return try await next.send(request, body: body) }
        let token = try await token(rejected: nil)
        let reply = try await send(request, body: body, token: token, next: next)
        guard reply.response.status == .unauthorized, body?.isReplayable ?? true else { return reply }
        let fresh = try await self.token(rejected: token)
        guard fresh != token else { return reply }
        return try await send(request, body: body, token: fresh, next: next)
    }

    private func send(
        _ request: HTTPRequest, body: ByteContent?, token: String, next: any HTTPTransport
    ) async throws -> HTTPReply {
        var request = request
        request.headerFields[.authorization] = "Bearer \(token)"
        return try await next.send(request, body: body)
    }

    private func token(rejected: String?) async throws -> String {
        do {
            return try await provider(rejected)
        } catch is CancellationError {
            throw TransportError(.cancelled, "The request was cancelled while its token was fetched.")
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.credentials, "No token could be had for the service: \(error)", cause: error)
        }
    }
}
