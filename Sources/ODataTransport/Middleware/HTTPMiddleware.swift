import ByteStreams
import HTTPTypes

/// Sees each request before it is sent and each response before it is given to the caller.
public protocol HTTPMiddleware: Sendable {
    /// Sends `request`, changed or not, through `next`: once, several times or not at all.
    ///
    /// - Throws: ``TransportError``.
    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse
}

/// What is behind a middleware, with the context of the request: what is sent through it gets the context too, also from
/// another task.
public struct NextTransport: Sendable {
    /// What is known of the request. A middleware that learns something else sends through a copy with that.
    public var context: TransportContext
    private let transport: any HTTPTransport

    /// What a transport gives the first middleware before it.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - context: Is passed with each of them.
    public init(_ transport: any HTTPTransport, context: TransportContext = TransportContext()) {
        self.transport = transport
        self.context = context
    }

    /// Sends a request with ``context``.
    ///
    /// - Throws: ``TransportError``.
    public func send(_ request: HTTPRequest, body: ByteContent?) async throws -> TransportResponse {
        try await transport.send(request, body: body, context: context)
    }
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

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        try await middleware.intercept(request, body: body, next: NextTransport(next, context: context))
    }
}
