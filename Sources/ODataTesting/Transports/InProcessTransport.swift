import ByteStreams
import HTTPTypes
import ODataService
import ODataTransport

/// Connects a client to an ``ODataService`` in the same process, without a network.
///
/// Requests, responses and streamed bodies are the real ones:
///
/// ```swift
/// let transport = InProcessTransport(service: ODataService(store: published), root: "http://service.test/")
/// let store = try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
/// ```
public final class InProcessTransport: HTTPTransport {
    private let service: any HTTPResponder
    private let root: String
    private let metrics = RequestMetrics()

    /// - Parameters:
    ///   - service: Responds to the requests.
    ///   - root: The absolute URL that the service is to be at, with a trailing slash.
    public init(service: any HTTPResponder, root: String = "http://service.test/") {
        self.service = service
        self.root = root.hasSuffix("/") ? root : root + "/"
    }

    /// - Throws: ``OData/TransportError`` with code `invalidURL` for a request without a host, `unreachable` for
    ///   another host than that of the service, `cancelled` if the task is. Reading the body of the response throws
    ///   `interrupted` where the service failed in the middle of it.
    public func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
        -> TransportResponse
    {
        try await metrics.measuring(request, body: body, context: context, exchange)
    }

    private func exchange(_ request: HTTPRequest, body: ByteContent?) async throws -> TransportResponse {
        guard let scheme = request.scheme, let authority = request.authority else {
            throw TransportError(.invalidURL, "The request has no absolute URL.")
        }
        guard root.hasPrefix("\(scheme)://\(authority)/") else {
            throw TransportError(.unreachable, "No service is at \(scheme)://\(authority); one is at \(root).")
        }
        guard !Task.isCancelled else { throw TransportError(.cancelled, "The request was cancelled.") }
        var request = request
        if let length = body?.length { request.headerFields[.contentLength] = "\(length)" }
        let response = await service.respond(to: request, body: body ?? .empty, root: root)
        return TransportResponse(head: response.head, body: connected(response.body))
    }

    /// The body with the error of a connection that breaks.
    private func connected(_ body: ByteContent) -> ByteContent {
        if body.isReplayable { return body }
        let opening = OpenedBody(body)
        return ByteContent(ByteChunks { try await opening.next() }, length: body.length)
    }
}

/// A response's body, opened when it is first read.
private actor OpenedBody {
    private let body: ByteContent
    private var iterator: ByteChunks.AsyncIterator?

    init(_ body: ByteContent) {
        self.body = body
    }

    func next() async throws -> [UInt8]? {
        do {
            let iterator = try iterator ?? body.chunks().makeAsyncIterator()
            self.iterator = iterator
            return try await iterator.next()
        } catch {
            throw TransportError(.interrupted, "The response ended before it was complete.", cause: error)
        }
    }
}
