import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization

/// The headers that a request has when it leaves, behind all middleware.
final class SentHeaders: Sendable {
    /// Of the request that is being sent.
    @TaskLocal static var current: SentHeaders?

    private let last = Mutex(HTTPFields())

    var fields: HTTPFields { last.withLock { $0 } }

    /// The last middleware; records the headers of each request.
    struct Middleware: HTTPMiddleware {
        func intercept(
            _ request: HTTPRequest, body: ByteContent?, next: any HTTPTransport
        ) async throws -> HTTPReply {
            SentHeaders.current?.last.withLock { $0 = request.headerFields }
            return try await next.send(request, body: body)
        }
    }
}
