import HTTPTypes
import OData
import Synchronization

/// Keeps requests from leaving, until their tasks are cancelled.
final class RequestHold: Sendable {
    private let isHolding = Mutex(false)
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    /// Holds all requests from now on.
    func begin() { isHolding.withLock { $0 = true } }

    /// Lets all requests pass from now on.
    func end() { isHolding.withLock { $0 = false } }

    /// Returns when a request is held that was not told yet.
    func arrival() async { for await _ in arrivals.stream { return } }

    /// A transport whose requests are held.
    func transport(over next: any HTTPTransport) -> any HTTPTransport { Transport(next: next, hold: self) }

    /// - Throws: `CancellationError` if requests are held, as soon as the task is cancelled.
    private func pass() async throws {
        guard isHolding.withLock({ $0 }) else { return }
        let (end, cancellation) = AsyncStream.makeStream(of: Void.self)
        arrivals.continuation.yield()
        await withTaskCancellationHandler {
            for await _ in end {}
        } onCancel: {
            cancellation.finish()
        }
        throw CancellationError()
    }

    private struct Transport: HTTPTransport {
        let next: any HTTPTransport
        let hold: RequestHold

        func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
            -> TransportResponse
        {
            try await hold.pass()
            return try await next.send(request, body: body, context: context)
        }
    }
}
