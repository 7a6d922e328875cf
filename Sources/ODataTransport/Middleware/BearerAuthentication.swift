import ByteStreams
import HTTPTypes
import Synchronization

/// Sends `Authorization: Bearer …` with each request to the service, and to no other origin.
///
/// The token is asked for with each request. Where the service answers 401, it is asked for once more with the token
/// that was refused, once for all requests that were refused with it, and the request is repeated. A body that can be
/// read only once is sent after a `HEAD` of the same URL, so that a token which has run out does not cost it.
///
/// [RFC 6750]
public struct BearerAuthentication: HTTPMiddleware {
    /// Gives a token: a kept one, or a new one if `rejected` is the kept one.
    public typealias Provider = @Sendable (_ rejected: String?) async throws -> String

    private let provider: Provider
    private let refresh: TokenRefresh

    public init(provider: @escaping Provider) {
        self.provider = provider
        refresh = TokenRefresh(provider)
    }

    public func intercept(
        _ request: HTTPRequest, body: ByteContent?, next: any HTTPTransport
    ) async throws -> HTTPReply {
        guard !ForeignOrigin.isEntered else { return try await next.send(request, body: body) }
        var token = try await Self.asked { try await provider(nil) }
        if let body, !body.isReplayable {
            let answer = try await send(request.asking(.head), body: nil, token: token, next: next)
            await answer.discard()
            if answer.response.status == .unauthorized { token = try await fresh(token) }
        }
        let reply = try await send(request, body: body, token: token, next: next)
        guard reply.response.status == .unauthorized, body?.isReadable ?? true else { return reply }
        let fresh = try await fresh(token)
        guard fresh != token else { return reply }
        await reply.discard()
        return try await send(request, body: body, token: fresh, next: next)
    }

    private func send(
        _ request: HTTPRequest, body: ByteContent?, token: String, next: any HTTPTransport
    ) async throws -> HTTPReply {
        var request = request
        request.headerFields[.authorization] = "Bearer \(token)"
        return try await next.send(request, body: body)
    }

    private func fresh(_ rejected: String) async throws -> String {
        try await Self.asked { try await refresh.token(replacing: rejected) }
    }

    private static func asked(_ token: () async throws -> String) async throws -> String {
        do {
            return try await token()
        } catch is CancellationError {
            throw TransportError(.cancelled, "The request was cancelled while its token was fetched.")
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.credentials, "No token could be had for the service: \(error)", cause: error)
        }
    }
}

/// One new token for all requests whose token was refused.
private final class TokenRefresh: Sendable {
    private let provider: BearerAuthentication.Provider
    private let fetch = SharedFetch<String>()
    private let last = Mutex<(rejected: String, fresh: String)?>(nil)

    init(_ provider: @escaping BearerAuthentication.Provider) {
        self.provider = provider
    }

    func token(replacing rejected: String) async throws -> String {
        if let fresh = known(rejected) { return fresh }
        return try await fetch.value { [self] in
            // Another fetch may have ended meanwhile.
            if let fresh = known(rejected) { return fresh }
            let fresh = try await provider(rejected)
            last.withLock { $0 = (rejected, fresh) }
            return fresh
        }
    }

    private func known(_ rejected: String) -> String? {
        last.withLock { $0?.rejected == rejected && $0?.fresh != rejected ? $0?.fresh : nil }
    }
}
