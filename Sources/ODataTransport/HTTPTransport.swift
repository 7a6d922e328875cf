import ByteStreams
import HTTPTypes

/// Sends one HTTP request and gives its response: the seam between the online store and the network.
///
/// Write a transport to reach a server in another way; write a middleware to change what is sent or received.
/// A transport does not follow redirects and does not retry. It returns a compressed response either unchanged, or
/// decoded and without the header `Content-Encoding`.
public protocol HTTPTransport: Sendable {
    /// Sends `request` with `body` and returns once the response's header has arrived.
    ///
    /// - Parameters:
    ///   - request: With an absolute URL (scheme, authority and path).
    ///   - body: Nil for none. A known length is sent as `Content-Length`.
    /// - Throws: ``TransportError``. Reading the response's body throws it too: with code `truncated` if fewer bytes
    ///   arrive than `Content-Length` promised.
    func send(_ request: HTTPRequest, body: ByteContent?) async throws -> HTTPReply
}

/// A response whose body is still arriving.
public struct HTTPReply: Sendable {
    /// Status and headers, whatever the status is: a 404 is a response, and no error of the transport.
    public var response: HTTPResponse
    /// Over a network it is still arriving: then it can be read once, and must be read or dropped.
    public var body: ByteContent
    /// The request was sent more than once, and an earlier attempt may have been carried out: a refusal does not mean
    /// that nothing happened.
    public var mayHaveActedBefore = false
    /// A redirect led to another host, which sent the response.
    package var isOfOtherHost = false

    /// A reply to a request that was sent once, as a transport gives it.
    public init(response: HTTPResponse, body: ByteContent = .empty) {
        self.response = response
        self.body = body
    }
}

/// Sees each request before it is sent and each response before it is given to the caller.
public protocol HTTPMiddleware: Sendable {
    /// Sends `request`, changed or not, through `next`: once, several times or not at all.
    ///
    /// - Throws: ``TransportError``.
    func intercept(_ request: HTTPRequest, body: ByteContent?, next: any HTTPTransport) async throws -> HTTPReply
}

extension HTTPTransport {
    /// This transport behind `middleware`; the first of them sees a request first.
    public func with(_ middleware: [any HTTPMiddleware]) -> any HTTPTransport {
        middleware.reversed().reduce(self as any HTTPTransport) { MiddlewareTransport(middleware: $1, next: $0) }
    }
}

private struct MiddlewareTransport: HTTPTransport {
    let middleware: any HTTPMiddleware
    let next: any HTTPTransport

    func send(_ request: HTTPRequest, body: ByteContent?) async throws -> HTTPReply {
        try await middleware.intercept(request, body: body, next: next)
    }
}
