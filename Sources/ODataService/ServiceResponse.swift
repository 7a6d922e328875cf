import ByteStreams
import HTTPTypes

/// The response of an ``ODataService``. Its body may still be made while it is read.
public struct ServiceResponse: Sendable {
    /// With `Content-Length` where the length is known, for HEAD too.
    public var head: HTTPResponse
    /// Reading it may throw: the response is to be cut off then.
    public var body: ByteContent
    /// Whether ``addCommonFields(to:version:)`` has been called.
    private var hasCommonFields = false

    /// A response of an ``HTTPResponder`` of the app's own, which sets `Content-Length` where it is to be sent.
    public init(head: HTTPResponse, body: ByteContent = .empty) {
        self.head = head
        self.body = body
    }

    init(
        _ status: HTTPResponse.Status, headers: HTTPFields = [:], contentType: String? = nil, body: ByteContent = .empty
    ) {
        head = HTTPResponse(status: status, headerFields: headers)
        if let contentType { head.headerFields[.contentType] = contentType }
        self.body = body
    }

    /// Adds what every response has.
    mutating func addCommonFields(to method: HTTPRequest.Method, version: ProtocolVersion) {
        guard !hasCommonFields else { return }
        hasCommonFields = true
        var fields = head.headerFields
        fields[version == .v2 ? .dataServiceVersion : .oDataVersion] = version.rawValue
        if let length = body.length, head.status.kind != .informational, head.status != .noContent,
            head.status != .notModified
        {
            fields[.contentLength] = "\(length)"
        }
        if fields.contains(.contentType) { fields[.xContentTypeOptions] = "nosniff" }
        if method == .get || method == .head, !fields.contains(.vary) {
            fields[.vary] = "Accept, OData-MaxVersion, Prefer"
        }
        head.headerFields = fields
    }
}
