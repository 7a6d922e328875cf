import ByteStreams
import HTTPTypes

/// The response of an ``ODataService``. Its body may still be made while it is read.
public struct ServiceResponse: Sendable {
    /// With `Content-Length` where the length is known, for HEAD too.
    public var head: HTTPResponse
    /// Reading it may throw: the response is to be cut off then.
    public var body: ByteContent

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
}
