import ByteStreams
import HTTPTypes

/// Fetches and sends the token by which SAP services distinguish an app from a page that abuses its session.
///
/// ```
/// HEAD /root/              →  X-CSRF-Token: Fetch
/// 200                      ←  X-CSRF-Token: abc   Set-Cookie: session=…
/// POST /root/Orders        →  X-CSRF-Token: abc   Cookie: session=…
/// ```
///
/// The token belongs to a session, so cookies must be kept: place a ``CookieMiddleware`` behind it. Requests that are
/// made at the same time share one fetch. A change that is refused with 403 and `X-CSRF-Token: Required` was not
/// carried out: it is sent once more with a fresh token. So is one that is refused with 403 alone, if the service gives
/// another token by then, or the first one. A body that can be read only once is sent after the token was
/// fetched anew, where the service requires one or its requirement is unknown.
public struct CSRFProtection: HTTPMiddleware {
    /// When tokens are fetched.
    public enum Mode: Hashable, Sendable {
        /// Once the service has refused a change because of a missing token.
        case automatic
        /// Before the first change.
        case always
    }

    private let root: String
    private let session: CSRFSession

    /// - Parameters:
    ///   - serviceRoot: Where tokens are asked for: the service document.
    ///   - mode: When a token is asked for.
    public init(serviceRoot: String, mode: Mode = .automatic) {
        root = serviceRoot
        session = CSRFSession(isWanted: mode == .always)
    }

    /// - Throws: ``TransportError`` with code `credentials` if the service refused the token of a request whose body
    ///   cannot be sent again.
    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        guard !next.context.isForeign, request.headerFields[.csrfToken] == nil else {
            return try await next.send(request, body: body)
        }
        guard !request.isReading else { return try await read(request, body: body, next: next) }
        var used = session.token
        if session.needsToken(for: body) {
            switch try await fetch(replacing: used, for: request, next: next) {
            case .token(let token): used = token
            case .unauthorized(let refusal): return refusal
            case .none: break
            }
        }
        let response = try await send(request, body: body, token: used, next: next)
        guard response.head.wantsCSRFToken else {
            return try await again(request, body: body, after: response, token: used, next: next)
        }
        session.refuse(used)
        guard body?.isReadable ?? true else {
            throw TransportError(
                .credentials, "The service refused the CSRF token, and the body of the request can be sent only once.")
        }
        guard case .token(let fresh) = try await fetch(replacing: used, for: request, next: next), fresh != used else {
            return response
        }
        await response.discard()
        return try await send(request, body: body, token: fresh, next: next)
    }

    /// Some services refuse a token that has expired, or a change without a token, with 403 and do not say that one is
    /// required: such a request is sent once more if the service gives another token now. Else it was refused for another
    /// reason; a service that gives no token is not asked again.
    private func again(
        _ request: HTTPRequest, body: ByteContent?, after response: TransportResponse, token: String?,
        next: NextTransport
    ) async throws -> TransportResponse {
        guard response.head.status == .forbidden, body?.isReadable ?? true, session.mayWant(another: token) else {
            return response
        }
        if let token { session.refuse(token) }
        switch try? await fetch(replacing: token, for: request, next: next) {
        case .token(let fresh) where fresh != token:
            await response.discard()
            return try await send(request, body: body, token: fresh, next: next)
        case .none? where token == nil: session.goWithout()
        default: if let token, session.token == nil { session.take(token) }
        }
        return response
    }

    /// A read also requests a token, if one is required.
    private func read(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse
    {
        let response = try await send(request, body: body, token: session.isMissing ? "Fetch" : nil, next: next)
        if let token = response.token { session.take(token) }
        return response
    }

    private func send(
        _ request: HTTPRequest, body: ByteContent?, token: String?, next: NextTransport
    ) async throws -> TransportResponse {
        var request = request
        request.headerFields[.csrfToken] = token
        return try await next.send(request, body: body)
    }

    /// A token that is not `old`.
    private func fetch(
        replacing old: String?, for request: HTTPRequest, next: NextTransport
    ) async throws -> CSRFSession.Fetched {
        if let token = session.token, token != old { return .token(token) }
        do { return try await sharedFetch(for: request, next: next) } catch is CancellationError {
            throw TransportError(.cancelled, "The request was cancelled while its CSRF token was fetched.")
        }
    }

    private func sharedFetch(
        for request: HTTPRequest, next: NextTransport
    ) async throws -> CSRFSession.Fetched {
        try await session.fetch.value { [session, root] in
            var response = TransportResponse(head: HTTPResponse(status: .ok))
            // `GET` for services that do not support `HEAD`, or one without the token.
            for method in [HTTPRequest.Method.head, .get] {
                var asking = request.asking(method, url: AbsoluteURL(root))
                asking.headerFields[.csrfToken] = "Fetch"
                response = try await next.send(asking, body: nil)
                await response.discard()
                if let token = response.token {
                    session.take(token)
                    return .token(token)
                }
                if response.head.status == .unauthorized {
                    return .unauthorized(TransportResponse(head: response.head))
                }
            }
            if response.head.status.kind == .successful { session.goWithout() }
            return .none
        }
    }
}

extension HTTPRequest {
    /// Whether the method changes nothing, so that no token is asked of it.
    fileprivate var isReading: Bool { method == .get || method == .head || method == .options }
}

extension HTTPResponse {
    /// `403` with `X-CSRF-Token: Required`
    package var wantsCSRFToken: Bool {
        status == .forbidden && headerFields[.csrfToken]?.lowercased() == "required"
    }
}

extension TransportResponse {
    /// The token that the response brings.
    fileprivate var token: String? {
        guard let text = head.headerFields[.csrfToken], !text.isEmpty,
            !["required", "fetch"].contains(text.lowercased())
        else { return nil }
        return text
    }
}
