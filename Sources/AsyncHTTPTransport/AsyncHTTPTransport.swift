import AsyncHTTPClient
import ByteStreams
import HTTPTypes
import NIOCore
import NIOHTTP1
import ODataTransport

/// HTTP over AsyncHTTPClient, HTTP/1.1 and HTTP/2, `http` and `https`: the default on Linux and in servers.
///
/// Bodies are streamed both ways and only as fast as they are taken, so memory does not grow with their length. The
/// number of bytes received is checked against `Content-Length`. Responses are asked for with compression unless
/// ``Configuration/compression`` says otherwise or the request has an `Accept-Encoding` of its own.
///
/// One transport is meant for an app's lifetime; it keeps connections open between requests. ``shutdown()`` ends it;
/// a transport that is let go without that ends once its last body is read or dropped.
public final class AsyncHTTPTransport: HTTPTransport {
    /// Times and limits.
    public struct Configuration: Sendable {
        /// Until a connection is established, TLS included.
        public var connectTimeout = Duration.seconds(10)
        /// The longest silence of the service while its response is waited for or read. A pause of the reader counts.
        public var readTimeout = Duration.seconds(60)
        /// The longest time the service takes no more bytes of a request's body.
        public var writeTimeout = Duration.seconds(60)
        /// Open HTTP/1.1 connections to one host; further requests wait for a free one.
        public var connectionsPerHost = 16
        /// How long ``AsyncHTTPTransport/shutdown()`` waits for connections to close.
        public var shutdownLimit = Duration.seconds(5)
        /// A PEM file of certificates to trust instead of the system's.
        public var trustedCertificates: String?
        /// Shown to services that ask for one.
        public var clientCertificate: ClientCertificate?
        /// All requests go through it.
        public var proxy: Proxy?
        /// Whether HTTP/2 is spoken with services that offer it; only over `https`.
        public var usesHTTP2 = true
        /// Whether compressed responses are asked for and decoded.
        public var compression = Compression.gzip(limit: 1 << 30)

        /// HTTP/2 where it is offered, compression, no proxy, and the certificates that the system trusts.
        public init() {}
    }

    /// Whether responses come compressed.
    public enum Compression: Hashable, Sendable {
        /// `Accept-Encoding: identity`; a compressed response is not decoded.
        case none
        /// `Accept-Encoding: gzip, deflate` where a request does not say otherwise. Such a response is decoded, whether
        /// it was requested or not, and has no `Content-Encoding` any more, and no length. A response that would be
        /// longer than `limit` bytes breaks off, so that a small one cannot fill the memory; by default that is 1 GiB.
        ///
        /// Streams of media are always asked for without: their length is checked, and parts of them are asked for.
        case gzip(limit: Int)
    }

    private let connections: Connections
    private let shutdownLimit: Duration
    private let compression: Compression
    private let metrics = RequestMetrics()

    /// Files that the configuration names are read with the first request.
    public init(configuration: Configuration = Configuration()) {
        connections = Connections(configuration: configuration)
        shutdownLimit = configuration.shutdownLimit
        compression = configuration.compression
    }

    /// Sends `request`.
    ///
    /// - Throws: ``OData/TransportError``; ``OData/ByteStreamError`` if `body` cannot be read.
    public func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
        -> TransportResponse
    {
        try await metrics.measuring(request, body: body, context: context, exchange)
    }

    private func exchange(_ request: HTTPRequest, body: ByteContent?) async throws -> TransportResponse {
        var clientRequest = try await HTTPClientRequest(request, body: body)
        if request.headerFields[.acceptEncoding] == nil {
            let encoding = compression == .none ? "identity" : TransportResponse.acceptedEncodings
            clientRequest.headers.add(name: "Accept-Encoding", value: encoding)
        }
        do {
            let received = try await connections.client().execute(clientRequest, deadline: .distantFuture)
            let response = TransportResponse(received, to: request, connections: connections)
            guard case .gzip(let limit) = compression else { return response }
            return response.decoded(limit: Int64(limit))
        } catch let error as ByteStreamError {
            throw error
        } catch {
            throw TransportError.wrap(error, request: request)
        }
    }

    /// Closes all connections; requests that still run fail with code `cancelled` or `interrupted`.
    ///
    /// - Throws: ``OData/TransportError`` with code `timeout` if that takes longer than the configured limit.
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
            throw TransportError(.invalidURL, "This is not an http or https URL with a port up to 65535: \(text)")
        }
        self.init(url: url.description)
        method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields where field.name != .contentLength {
            headers.add(name: field.name.rawName, value: field.value)
        }
        guard let content else { return }
        if content.isReplayable, let length = content.length, length <= Self.smallBody {
            body = .bytes(ByteBuffer(bytes: try await content.collect(upTo: Int(Self.smallBody))))
        } else {
            let length = content.length.map { HTTPClientRequest.Body.Length.known($0) } ?? .unknown
            body = .stream(OutgoingBuffers(content: content), length: length)
        }
    }
}

/// Chunks of bytes as the client takes them: opened when a connection is established, so that content which can be read
/// once is not lost where there is none.
private struct OutgoingBuffers: AsyncSequence, Sendable {
    let content: ByteContent

    struct AsyncIterator: AsyncIteratorProtocol {
        let content: ByteContent
        var chunks: ByteChunks.AsyncIterator?

        mutating func next() async throws -> ByteBuffer? {
            let chunks = try self.chunks ?? content.chunks().makeAsyncIterator()
            self.chunks = chunks
            return try await chunks.next().map { ByteBuffer(bytes: $0) }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(content: content) }
}
