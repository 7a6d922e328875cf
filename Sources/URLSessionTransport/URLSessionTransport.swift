import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP over URLSession: the default on Apple platforms.
///
/// It works by files: what is downloaded is a file before the response is given, and what is uploaded becomes a file first,
/// unless it is streamed: see ``init(configuration:folder:responseLimit:decodedLimit:streamsBodies:)`` and
/// ``send(_:streaming:)``.
///
/// Lengths are checked after each transfer. Responses are asked for with compression, and decoded, where a request does
/// not
/// say otherwise; streams of media are asked for without. Redirects are left to ``OData/RedirectMiddleware``. Cookies are
/// better kept by the session (``init(configuration:folder:responseLimit:decodedLimit:streamsBodies:)``) than by a middleware, since
/// URLSession runs several `Set-Cookie` headers together.
///
/// On Linux GET without a body and requests with a body are sent. Others are refused with the code `unsupported`;
/// `AsyncHTTPTransport` does them. On Apple platforms all requests are sent.
public final class URLSessionTransport: HTTPTransport {
    /// A body that is known to be shorter is sent from a file even where bodies are streamed: a separate session costs
    /// more.
    private static let leastStreamed: Int64 = 64 * 1024

    let session: URLSession
    let folder: URL
    let responseLimit: Int
    let decodedLimit: Int64
    private let transfers: SessionTransfers
    private let streamsBodies: Bool
    private let metrics = RequestMetrics()

    /// - Parameters:
    ///   - configuration: Nil for one that keeps no cookies, credentials and cached responses.
    ///   - folder: Where files are while they are on the way; nil for the system's temporary folder.
    ///   - responseLimit: The most bytes of a response to a request with a body.
    ///   - decodedLimit: The most bytes of a decompressed response.
    ///   - streamsBodies: Reads bodies of 64 KiB and more, and of unknown length, while they are sent, each in a session
    ///     of its own, instead of writing them to a file first. See ``send(_:streaming:)``.
    public init(
        configuration: URLSessionConfiguration? = nil, folder: String? = nil, responseLimit: Int = 64 * 1024 * 1024,
        decodedLimit: Int64 = 1 << 30, streamsBodies: Bool = false
    ) {
        self.folder = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        self.responseLimit = responseLimit
        self.decodedLimit = decodedLimit
        self.streamsBodies = streamsBodies
        transfers = SessionTransfers(
            folder: self.folder, responseLimit: responseLimit, decodedLimit: decodedLimit)
        session = URLSession(
            configuration: configuration ?? Self.plain, delegate: transfers, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// - Throws: ``OData/TransportError``; ``OData/ByteStreamError`` if `body` cannot be read.
    public func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
        -> TransportResponse
    {
        try await metrics.measuring(request, body: body, context: context, exchange)
    }

    private func exchange(_ request: HTTPRequest, body: ByteContent?) async throws -> TransportResponse {
        let urlRequest = try URLRequest(sending: request)
        if let body {
            if streamsBodies, body.length.map({ $0 >= Self.leastStreamed }) ?? true, request.method != .get {
                return try await stream(StreamedBody(body), in: urlRequest, for: request)
            }
            let file = try await TemporaryFile.spooling(body, in: folder)
            let task = session.uploadTask(with: urlRequest, fromFile: file.url)
            return try await transfers.response(to: task, request: request, sent: file)
        }
        if request.method == .get {
            return try await transfers.response(to: session.downloadTask(with: urlRequest), request: request)
        }
        #if canImport(Darwin)
            return try await transfers.response(to: session.dataTask(with: urlRequest), request: request)
        #else
            throw TransportError(
                .unsupported, "\(request.method) without a body cannot be sent by URLSession on this platform.")
        #endif
    }

    private static var plain: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }
}

extension URLRequest {
    /// URLSession makes `Content-Length` itself.
    init(sending request: HTTPRequest) throws {
        guard let target = request.absoluteURL, let url = URL(string: target.description) else {
            let text = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "")"
            throw TransportError(.invalidURL, "This is not an http or https URL with a port up to 65535: \(text)")
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.headerFields where field.name != .contentLength {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        if request.headerFields[.acceptEncoding] == nil {
            setValue(TransportResponse.acceptedEncodings, forHTTPHeaderField: "Accept-Encoding")
        }
    }
}
