import ByteStreams
import Foundation
import HTTPTypes
import ODataTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionTransport {
    /// Sends `request` with the bytes of `source` as its body, which are read while they are sent: as
    /// `httpBodyStream` of a data task.
    ///
    /// A source may let wait, but not for longer than the session's `timeoutIntervalForRequest`. A source that fails,
    /// or is not what it was, breaks the request off, so that no service takes what it has got for the whole. Where
    /// the session has to send the body again, it gets a new stream. Redirects are not followed, but are the response.
    ///
    /// - Throws: ``OData/TransportError``: with code `unsupported` for GET and HEAD and for requests that have a body
    ///   already or, on Linux, a `Content-Length`, of which URLSession would send two. ``OData/ByteStreamError``, or
    ///   what else the source throws, if it cannot be read.
    public func send(_ request: URLRequest, streaming source: any ByteSource) async throws -> TransportResponse {
        guard let url = request.url, let host = url.host(), AbsoluteURL(url.absoluteString) != nil else {
            throw TransportError(
                .invalidURL,
                "This is not an http or https URL with a port up to 65535: \(request.url?.absoluteString ?? "")")
        }
        guard request.httpBody == nil, request.httpBodyStream == nil else {
            throw TransportError(.unsupported, "The request has a body already: only the one of the source is sent.")
        }
        #if canImport(FoundationNetworking)
            guard request.value(forHTTPHeaderField: "Content-Length") == nil else {
                throw TransportError(
                    .unsupported, "Leave out Content-Length: URLSession sends a streamed body in chunks here.")
            }
        #endif
        guard let method = HTTPRequest.Method(rawValue: request.httpMethod ?? "GET"), method != .get, method != .head
        else { throw TransportError(.unsupported, "\(request.httpMethod ?? "GET") cannot have a body.") }
        return try await stream(
            StreamedBody(source), in: request,
            for: HTTPRequest(method: method, scheme: url.scheme, authority: host, path: url.path()))
    }

    /// In a session of its own, which alone asks its delegate for streams. On Linux a body that lets wait keeps the
    /// transfers of all sessions waiting.
    func stream(_ body: StreamedBody, in urlRequest: URLRequest, for request: HTTPRequest) async throws
        -> TransportResponse
    {
        var urlRequest = urlRequest
        urlRequest.httpBodyStream = body.newStream()
        let transfers = SessionTransfers(
            folder: folder, responseLimit: responseLimit, decodedLimit: decodedLimit, body: body)
        let own = URLSession(configuration: session.configuration, delegate: transfers, delegateQueue: nil)
        defer { own.finishTasksAndInvalidate() }
        return try await transfers.response(to: own.dataTask(with: urlRequest), request: request)
    }
}
