import HTTPTypes
import ODataTransport

/// The way of responses that come before the response, `104 Upload Resumption Supported`, where the server has one.
///
/// A value around the function: the optimizer of Swift 6.3 loses the type of a task-local function, and crashes.
package struct InterimResponses: Sendable {
    /// That of the request which the task answers.
    @TaskLocal package static var current: InterimResponses?

    /// Sends one.
    package let send: @Sendable (HTTPResponse) -> Void

    package init(send: @escaping @Sendable (HTTPResponse) -> Void) {
        self.send = send
    }

    /// Whether one may come to a request.
    package static func mayCome(to request: HTTPRequest) -> Bool { request.headerFields.contains(.uploadComplete) }
}
