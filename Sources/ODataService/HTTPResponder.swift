import ByteStreams
import HTTPTypes

/// Responds to HTTP requests at a root URL: an ``ODataService``, a responder in front of one, or what stands
/// for one in a test or a benchmark.
public protocol HTTPResponder: Sendable {
    /// Responds to one request; what goes wrong is a response too.
    ///
    /// - Parameters:
    ///   - request: Its path is the full path and query, as in the request line.
    ///   - body: Can be read once, from its start.
    ///   - root: The absolute URL of the service root, with a trailing slash.
    ///   - context: What is known of the request. A responder in front of another one passes it on, with what it has
    ///     found out.
    func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse
}

extension HTTPResponder {
    /// Responds to a request of which nothing else is known: see ``respond(to:body:root:context:)``.
    ///
    /// For requests that begin here. A responder in front of another one passes the context on instead.
    public func respond(to request: HTTPRequest, body: ByteContent, root: String) async -> ServiceResponse {
        await respond(to: request, body: body, root: root, context: ResponderContext())
    }
}

/// A responder with responses that need not be waited for: a server calls for them on its event loop.
package protocol ImmediateResponder: HTTPResponder {
    /// The response to a GET request without a body, in memory, if it takes no longer than a look at what is kept or at a
    /// few rows.
    ///
    /// - Returns: Nil for a request that ``HTTPResponder/respond(to:body:root:context:)`` is to respond to.
    func immediateResponse(to request: HTTPRequest, root: String, context: ResponderContext) -> ServiceResponse?
}
