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
    ///   - context: What is known of the request. A transport that sends through another one passes it on; one that
    ///     reaches the server itself need not read it.
    /// - Throws: ``TransportError``. Reading the response's body throws it too: with code `truncated` if fewer bytes
    ///   arrive than `Content-Length` promised.
    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse
}

/// A response whose body is still arriving.
public struct TransportResponse: Sendable {
    /// Status and headers, whatever the status is: a 404 is a response, and no error of the transport.
    public var head: HTTPResponse
    /// Over a network it is still arriving: then it can be read once, and must be read or dropped.
    public var body: ByteContent
    /// The request was sent more than once, and an earlier attempt may have been carried out: a refusal does not mean
    /// that nothing happened.
    public var mayHaveActedBefore = false
    /// A redirect led to another host, which sent the response.
    package var isOfOtherHost = false
    /// The headers of the request as the last middleware sent it; nil where they were not recorded.
    package var sentFields: HTTPFields?

    /// A response to a request that was sent once, as a transport gives it.
    public init(head: HTTPResponse, body: ByteContent = .empty) {
        self.head = head
        self.body = body
    }
}

extension HTTPTransport {
    /// Sends a request to the service, of which nothing else is known: see ``send(_:body:context:)``.
    ///
    /// For requests that begin here. A transport that sends through another one passes the context on instead.
    public func send(_ request: HTTPRequest, body: ByteContent?) async throws -> TransportResponse {
        try await send(request, body: body, context: TransportContext())
    }
}
