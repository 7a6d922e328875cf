import ByteStreams
import Foundation
import HTTPTypes
import ODataModel
import ODataStores
import ODataTransport

/// The request that an upload has begun with, as it is kept with the upload: all but its body.
struct KeptRequest: Codable, Sendable {
    /// Secrets, and what is of the one message only.
    private static let dropped: [HTTPField.Name] = [
        .authorization, .proxyAuthorization, .cookie, .csrfToken, .connection, .contentLength, .transferEncoding,
        .expect, .contentDigest, .uploadComplete, .uploadLength, .uploadOffset, .uploadDraftInteropVersion,
    ]

    private var method: String
    private var url: String
    private var headers: HTTPFields
    private var isV2: Bool
    /// Whether the client does not use the headers that make the change repeatable.
    private(set) var hidesRepeatability: Bool

    /// - Parameters:
    ///   - token: Of the upload. It makes the change repeatable where the client does not: it may have to be asked for
    ///     again after a crash, when it is unknown whether it was made.
    ///   - now: Seconds after 1970.
    init(_ request: ServiceRequest, token: String, now: Int64) {
        method = request.method.rawValue
        url = request.url
        headers = request.headers
        isV2 = request.isV2
        for name in Self.dropped { headers[name] = nil }
        hidesRepeatability = !headers.asksForRepeatability
        guard hidesRepeatability else { return }
        headers[.repeatabilityRequestID] = IncomingUpload.requestIDPrefix + token
        headers[.repeatabilityFirstSent] = EdmDateTimeOffset(secondsSinceEpoch: now).httpDate
    }

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }

    func bytes() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }

    /// The whole request.
    ///
    /// - Parameter last: The one that has brought the end of the stream.
    func request(_ body: ByteContent, last: ServiceRequest) throws -> ServiceRequest {
        guard let method = HTTPRequest.Method(rawValue: method) else {
            throw ServiceFailure(.internalServerError, "The request of the upload cannot be read.")
        }
        var headers = headers
        if let digest = last.headers[.reprDigest] { headers.append(HTTPField(name: .reprDigest, value: digest)) }
        return ServiceRequest(
            method: method, url: url, headers: headers, body: body, root: last.root, context: last.context,
            isV2: isV2)
    }
}

/// The outcome of an upload, as it is stored to be returned again.
struct UploadResponse: Codable, Sendable {
    private var status: Int
    private var reason: String
    private(set) var headers: HTTPFields
    private var body: Data

    init(_ response: HTTPResponse, _ body: [UInt8]) {
        status = response.status.code
        reason = response.status.reasonPhrase
        headers = response.headerFields
        self.body = Data(body)
    }

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }

    func bytes() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }

    var response: ServiceResponse {
        ServiceResponse(
            head: HTTPResponse(status: .init(code: status, reasonPhrase: reason), headerFields: headers),
            body: ByteContent(Array(body)))
    }
}
