import AsyncHTTPClient
import ByteStreams
import HTTPTypes
import NIOCore
import NIOHTTP1
import ODataTransport

/// HTTP over AsyncHTTPClient: HTTP/1.1 and HTTP/2, `http` and `https`.
///
/// Bodies are streamed both ways and only as fast as they are taken, so memory does not grow with their length. The
/// number of bytes received is checked against `Content-Length`. Replies are asked for without compression unless
/// the request has an `Accept-Encoding` of its own.
///
/// One transport is meant for an app's lifetime; it keeps connections open between requests. ``shutdown()`` ends it;
/// a transport that is let go without that ends once its last body is read or dropped.
public final class AsyncHTTPTransport: HTTPTransport {
    /// Times and limits.
    public struct Configuration: Sendable {
        /// Until a connection stands, TLS included.
        public var connectTimeout = Duration.seconds(10)
        /// The longest silence of the service while its reply is waited for or read. A pause of the reader counts.
        public var readTimeout = Duration.seconds(60)
        /// The longest time the service takes no more bytes of a request's body.
        public var writeTimeout = Duration.seconds(60)
        /// Open HTTP/1.1 connections to one host; further requests wait for a free one.
        public var connectionsPerHost = 16
        /// How long ``AsyncHTTPTransport/shutdown()`` waits for connections to close.
        public var shutdownLimit = Duration.seconds(5)
        /// A PEM file of certificates to trust instead of the system's.
        public var trustedCertificates: String?

        public init() {}
    }

    private let connections: Connections
    private let shutdownLimit: Duration

    public init(configuration: Configuration = Configuration()) {
        connections = Connections(configuration: configuration.client)
        shutdownLimit = configuration.shutdownLimit
    }

    /// Sends `request`.
    ///
    /// - Throws: ``ODataTransport/TransportError``; ``ByteStreams/ByteStreamError`` if `body` cannot be read.
    public func send(_ request: HTTPRequest, body: ByteContent?) async throws -> HTTPReply {
        let clientRequest = try await HTTPClientRequest(request, body: body)
        do {
            let response = try await connections.client.execute(clientRequest, deadline: .distantFuture)
            return HTTPReply(response, to: request, connections: connections)
        } catch let error as ByteStreamError {
            throw error
        } catch {
            throw TransportError.wrap(error, request: request)
        }
    }

    /// Closes all connections; requests that still run fail with code `cancelled` or `interrupted`.
    ///
    /// - Throws: ``ODataTransport/TransportError`` with code `timeout` if that takes longer than the configured limit.
    public func shutdown() async throws {
        try await connections.close(limit: shutdownLimit)
    }
}

extension HTTPClientRequest {
    /// Bodies up to this length are given to the client at once.
    private static let smallBody: Int64 = 64 * 1024

    init(_ request: HTTPRequest, body content: ByteContent?) async throws {
        guard let url = request.absoluteURL else {
            let text = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
            throw TransportError(.invalidURL, "This is no http or https URL: \(text)")
        }
        self.init(url: url.description)
        method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields where field.name != .contentLength {
            headers.add(name: field.name.rawName, value: field.value)
        }
        if request.headerFields[.acceptEncoding] == nil { headers.add(name: "Accept-Encoding", value: "identity") }
        guard let content else { return }
        if content.isReplayable, let length = content.length, length <= Self.smallBody {
            body = .bytes(ByteBuffer(bytes: try await content.collect(upTo: Int(Self.smallBody))))
        } else {
            let length = content.length.map { HTTPClientRequest.Body.Length.known($0) } ?? .unknown
            body = .stream(OutgoingBuffers(chunks: try content.chunks()), length: length)
        }
    }
}

/// Chunks of bytes as the client takes them.
private struct OutgoingBuffers: AsyncSequence, Sendable {
    let chunks: ByteChunks

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: ByteChunks.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            try await chunks.next().map { ByteBuffer(bytes: $0) }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeAsyncIterator()) }
}
