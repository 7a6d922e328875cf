import ByteStreams
import Foundation
import HTTPTypes
import ODataAttachments
import ODataModel
import ODataOnline
import ODataStores
import ODataTransport

/// An ArcGIS feature service over HTTP.
///
/// ```swift
/// let service = try ArcGISClient(
///     serviceURL: "https://example.org/arcgis/rest/services/Trees/FeatureServer", transport: AsyncHTTPTransport())
/// let backEnd = FeatureLayerBackEnd(service: service, layer: 0)
/// ```
///
/// Requests are forms with `f=json`. An error with HTTP status 200, or in place of a file, is an
/// `ODataError` with the service's code, message and details in its `service`. All errors are `ODataError`.
///
/// [ArcGIS REST API, Feature Service]
public final class ArcGISClient: Sendable {
    /// The place of a token in a request.
    public struct TokenPlacement: Hashable, Sendable {
        private let name: String

        /// `X-Esri-Authorization: Bearer …`: in no URL and no log, and on no way to another origin.
        public static let header = TokenPlacement(name: "header")
        /// `token=…`, which services of all versions read. The transport must not follow redirects then.
        public static let parameter = TokenPlacement(name: "parameter")
    }

    /// How a service is asked.
    public struct Configuration: Sendable {
        /// Gives the token of each request; where the service refuses it (498, 499), it is asked once for another one.
        /// Nil: the service requires none.
        public var tokens: BearerAuthentication.Provider?
        /// Where the tokens of ``tokens`` are put; of no meaning without them. In a header by default.
        public var tokenPlacement = TokenPlacement.header
        /// In characters: a read whose URL would be longer is sent as a form.
        public var longestURL = 2048
        /// Content with more bytes is uploaded in parts of this size, where the service takes uploads.
        public var partSize: Int64 = 8 * 1024 * 1024
        /// Endings of the names of files that the service takes, as its administrator has set them (`jpg`, `.jpg` or
        /// `*.jpg`, in any case; `*` for all): others are refused before anything is kept. Nil: what the service
        /// reports, if it does.
        public var fileExtensions: Set<String>?
        /// The most bytes of a response that is read whole: all but files.
        public var maxResponseBytes = 64 * 1024 * 1024

        /// No token, the limits above, and the endings of files that the service reports.
        public init() {}
    }

    let configuration: Configuration
    /// Without a slash at its end.
    let root: AbsoluteURL
    private let transport: any HTTPTransport
    private let refresh: TokenRefresh?

    /// - Parameters:
    ///   - serviceURL: With `FeatureServer` at its end.
    ///   - transport: With what it takes to retry and to follow redirects, if any.
    ///   - configuration: How the service is asked.
    /// - Throws: ``OData/ODataError`` with code `badRequest` if this is not an `http` or `https` URL, or has a query or
    ///   credentials in it.
    public init(
        serviceURL: String, transport: any HTTPTransport, configuration: Configuration = Configuration()
    ) throws {
        guard let url = AbsoluteURL(serviceURL), url.userInformation == nil, !url.target.contains("?") else {
            throw ODataError(.badRequest, "No URL of a service, without query and credentials: \(serviceURL)")
        }
        var path = url.path
        while path.hasSuffix("/") { path.removeLast() }
        root = url.with(target: path)
        self.transport = transport
        self.configuration = configuration
        refresh = configuration.tokens.map { TokenRefresh($0) }
    }

    /// The successful response to a request.
    func response(to request: ArcGISRequest) async throws -> JSONNode {
        try await withToken(of: request) { token in
            let response = try await self.send(request, token, [.init("f", "json")])
            return try await self.node(response, request)
        }
    }

    /// The response to a request for a file, whose body may still be an error: `GET …/0/12/attachments/409`.
    ///
    /// - Parameter listed: What the service says of the file.
    func file<Result: Sendable>(
        _ request: ArcGISRequest, listed: RemoteAttachment, fields: HTTPFields,
        _ body: @Sendable (TransportResponse) async throws -> Result
    ) async throws -> Result {
        try await withToken(of: request) { token in
            let response = try await self.send(request, token, [], fields: fields)
            guard (200..<300).contains(response.head.status.code) else { throw await self.failure(response, request) }
            guard !Self.isPage(response, for: listed) else {
                throw try await self.reason(of: response, to: request, token)
            }
            return try await body(response)
        }
    }

    /// The reason for a page in place of a file: requests for JSON return it. Files are requested without, since
    /// some services return the description of a file then.
    private func reason(of page: TransportResponse, to request: ArcGISRequest, _ token: String?) async throws
        -> ODataError
    {
        _ = try? await page.body.collect(upTo: Self.maxErrorBytes)
        let response = try await send(request, token, [.init("f", "json")])
        let bytes = (try? await response.body.collect(upTo: Self.maxErrorBytes)) ?? []
        if let node = try? JSONParser.parse(bytes[...]), let error = ODataError(response: node) {
            return completed(error, response, request)
        }
        let error = ODataError(.invalidResponse, "The service returned a page in place of the file.")
        return completed(error, page, request)
    }

    /// Does `body` with a token, and once more with another one if the service refuses that.
    private func withToken<Result>(
        of request: ArcGISRequest, _ body: (_ token: String?) async throws -> Result
    ) async throws -> Result {
        do {
            guard let refresh else { return try await body(nil) }
            let token = try await self.token(refresh)
            do { return try await body(token) } catch let error as ODataError where error.isTokenRefused {
                let fresh = try await self.token(refresh, replacing: token)
                guard fresh != token else { throw error }
                return try await body(fresh)
            }
        } catch {
            var failure = ODataError(noResponse: error, isEdit: request.isEdit)
            failure.request = failure.request ?? request.name(below: root)
            throw failure
        }
    }

    /// - Parameter rejected: What the service has refused.
    /// - Throws: ``OData/ODataError``; the service has done nothing.
    private func token(_ refresh: TokenRefresh, replacing rejected: String? = nil) async throws -> String {
        do {
            guard let rejected else { return try await refresh.token() }
            return try await refresh.token(replacing: rejected)
        } catch {
            throw ODataError(noResponse: error, isEdit: false)
        }
    }

    private func send(
        _ request: ArcGISRequest, _ token: String?, _ parameters: [ArcGISRequest.Parameter], fields: HTTPFields = [:]
    ) async throws -> TransportResponse {
        var parameters = parameters
        if let token, configuration.tokenPlacement == .parameter { parameters.append(.init("token", token)) }
        let (made, body) = try request.message(below: root, with: parameters, longestURL: configuration.longestURL)
        var message = made
        message.headerFields[.accept] = "*/*"
        message.headerFields[.acceptEncoding] = "identity"
        if let token, configuration.tokenPlacement == .header {
            message.headerFields[.esriAuthorization] = "Bearer \(token)"
        }
        for field in fields { message.headerFields[field.name] = field.value }
        return try await transport.send(message, body: body)
    }
}

extension ArcGISClient {
    /// What the response says, unless it is an error.
    private func node(_ response: TransportResponse, _ request: ArcGISRequest) async throws -> JSONNode {
        guard (200..<300).contains(response.head.status.code) else { throw await failure(response, request) }
        let bytes: [UInt8]
        do { bytes = try await response.body.collect(upTo: configuration.maxResponseBytes) } catch {
            throw ODataError(reading: error, isEdit: request.isEdit)
        }
        guard let node = try? JSONParser.parse(bytes[...]), node.members != nil else {
            let text = String(decoding: bytes.prefix(160), as: UTF8.self)
            var error = ODataError(.invalidResponse, "The response is not a JSON object; it begins with “\(text)”.")
            error.status = response.head.status.code
            error.isOutcomeUnknown = request.isEdit
            throw error
        }
        if let error = ODataError(response: node) { throw completed(error, response, request) }
        return node
    }

    /// The error that a response is by its status.
    private func failure(_ response: TransportResponse, _ request: ArcGISRequest) async -> ODataError {
        let bytes = (try? await response.body.collect(upTo: 1024 * 1024)) ?? []
        let status = response.head.status.code
        let node = try? JSONParser.parse(bytes[...])
        if let error = node.flatMap({ ODataError(response: $0) }) { return completed(error, response, request) }
        let code: ODataError.Code = [498, 499].contains(status) ? .unauthorized : .init(status: status)
        return completed(ODataError(code, "The service returned \(status)."), response, request)
    }

    /// An error with what its response reports besides.
    func completed(_ error: ODataError, _ response: TransportResponse, _ request: ArcGISRequest) -> ODataError {
        var error = error
        error.status = response.head.status.code
        error.retryAfter = response.head.headerFields[.retryAfter].flatMap { text in
            RetryAfter.seconds(text, now: Int64(Date().timeIntervalSince1970))
        }
        error.isOutcomeUnknown = request.isEdit && (error.isOfGateway || response.mayHaveActedBefore)
        return error
    }
}

extension HTTPField.Name {
    /// `X-Esri-Authorization: Bearer …`
    fileprivate static let esriAuthorization = HTTPField.Name("X-Esri-Authorization")!
}
