import HTTPTypes
import ODataTransport

/// The way of responses that come before the answer, `104 Upload Resumption Supported`, where the server has one.
package enum InterimResponses {
    @TaskLocal package static var send: (@Sendable (HTTPResponse) -> Void)?

    /// Whether one may come to a request.
    package static func mayCome(to request: HTTPRequest) -> Bool { request.headerFields.contains(.uploadComplete) }
}
