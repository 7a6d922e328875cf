import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP over URLSession, by files: what is downloaded is a file before the reply is given, and what is uploaded becomes
/// a file first.
///
/// Lengths are checked after each transfer. Redirects are left to ``ODataTransport/RedirectMiddleware``. Cookies are
/// better kept by the session (``init(configuration:folder:answerLimit:)``) than by a middleware, since URLSession runs
/// several `Set-Cookie` headers together.
///
/// On Linux URLSession drops bytes of bodies that are streamed, so there only its file tasks are used: GET without a
/// body, and requests with a body. Others are refused with the code `unsupported`; `AsyncHTTPTransport` does them. On
/// Apple platforms all requests are sent.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let transfers: SessionTransfers
    private let folder: URL

    /// - Parameters:
    ///   - configuration: Nil for one that keeps no cookies, credentials and cached replies.
    ///   - folder: Where files are while they are on the way; nil for the system's temporary folder.
    ///   - answerLimit: The most bytes of a reply to a request with a body.
    public init(
        configuration: URLSessionConfiguration? = nil, folder: String? = nil, answerLimit: Int = 64 * 1024 * 1024
    ) {
        self.folder = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        transfers = SessionTransfers(folder: self.folder, answerLimit: answerLimit)
        session = URLSession(
            configuration: configuration ?? Self.plain, delegate: transfers, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// - Throws: ``ODataTransport/TransportError``; ``ByteStreams/ByteStreamError`` if `body` cannot be read.
    public func send(_ request: HTTPRequest, body: ByteContent?) async throws -> HTTPReply {
        let urlRequest = try URLRequest(sending: request)
        if let body {
            let file = try await TemporaryFile.spooling(body, in: folder)
            let task = session.uploadTask(with: urlRequest, fromFile: file.url)
            return try await transfers.reply(to: task, request: request, sent: file)
        }
        if request.method == .get {
            return try await transfers.reply(to: session.downloadTask(with: urlRequest), request: request)
        }
        #if canImport(Darwin)
            return try await transfers.reply(to: session.dataTask(with: urlRequest), request: request)
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
    /// URLSession makes `Content-Length` itself. Without compression, so that lengths can be checked.
    init(sending request: HTTPRequest) throws {
        guard let target = request.absoluteURL, let url = URL(string: target.description) else {
            throw TransportError(.invalidURL, "This is no http or https URL: \(request.path ?? "")")
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.headerFields where field.name != .contentLength {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        if request.headerFields[.acceptEncoding] == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    }
}
