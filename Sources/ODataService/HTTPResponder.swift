import ByteStreams
import HTTPTypes

/// Something that answers HTTP requests at a root URL: an ``ODataService``, or what stands for one in a test or a
/// benchmark.
public protocol HTTPResponder: Sendable {
    /// Answers one request; what goes wrong is a response too.
    ///
    /// - Parameters:
    ///   - request: Its path is the full path and query, as in the request line.
    ///   - body: Can be read once, from its start.
    ///   - root: The absolute URL of the service root, with a trailing slash.
    func respond(to request: HTTPRequest, body: ByteContent, root: String) async -> ServiceResponse
}
