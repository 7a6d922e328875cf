import ByteStreams
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Repeats requests that failed for a passing reason, as ``RetryTable`` says.
///
/// The wait doubles each time, with a random part, so that many devices do not come back together; `Retry-After` is
/// honoured.
public struct RetryMiddleware: HTTPMiddleware {
    /// How often and how long.
    public struct Policy: Sendable {
        /// How often a request is sent at most.
        public var attempts = 4
        /// The wait before the second attempt; it doubles with each further one.
        public var firstDelay = Duration.milliseconds(500)
        public var longestDelay = Duration.seconds(30)
        /// A `Retry-After` longer than this is left to the caller: the reply is returned as it is.
        public var longestRetryAfter = Duration.seconds(60)
        /// Which requests are repeated after which failure.
        public var table = RetryTable.standard

        public init() {}
    }

    private let policy: Policy
    private let pause: @Sendable (Duration) async throws -> Void
    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - pause: Waits; throws if cancelled.
    ///   - random: From 0 up to 1.
    ///   - now: Seconds since 1970, for dates in `Retry-After`.
    public init(
        policy: Policy = Policy(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    ) {
        self.policy = policy
        self.pause = pause
        self.random = random
        self.now = now
    }

    public func intercept(
        _ request: HTTPRequest, body: ByteContent?, next: any HTTPTransport
    ) async throws -> HTTPReply {
        let kind = RetryTable.Kind(request)
        for attempt in 1..<max(1, policy.attempts) {
            let delay: Duration
            do {
                let reply = try await next.send(request, body: body)
                guard policy.table.allows(kind, after: .status(reply.response.status.code)),
                    body?.isReadable ?? true, let wait = self.delay(after: reply, attempt: attempt)
                else { return reply }
                await reply.discard()
                delay = wait
            } catch let error as TransportError
                where policy.table.allows(kind, after: .transport(error.code)) && body?.isReadable ?? true
            {
                delay = backOff(attempt)
            }
            try await wait(delay)
        }
        return try await next.send(request, body: body)
    }

    /// Nil if the service asks for more patience than is had here: the reply is for the caller.
    private func delay(after reply: HTTPReply, attempt: Int) -> Duration? {
        guard let field = reply.response.headerFields[.retryAfter], let seconds = RetryAfter.seconds(field, now: now())
        else { return backOff(attempt) }
        let delay = Duration.seconds(seconds)
        return delay <= policy.longestRetryAfter ? max(delay, .zero) : nil
    }

    /// Between half of the full delay and all of it.
    private func backOff(_ attempt: Int) -> Duration {
        let full = min(policy.firstDelay * (1 << min(attempt - 1, 20)), policy.longestDelay)
        return full * (0.5 + random() / 2)
    }

    private func wait(_ delay: Duration) async throws {
        do {
            try await pause(delay)
        } catch {
            throw TransportError(.cancelled, "The request was cancelled before it was repeated.", cause: error)
        }
    }
}
