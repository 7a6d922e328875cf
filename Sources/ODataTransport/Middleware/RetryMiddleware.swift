import ByteStreams
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Repeats requests that failed for a passing reason: no connection, a timeout, 429, 502, 503, 504.
///
/// Repeated are only GET and HEAD, and changes that are marked with a `Repeatability-Request-ID` and whose body can be
/// read again. The wait doubles each time, with a random part, so that many devices do not come back together;
/// `Retry-After` is honoured.
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
        /// HTTP statuses after which a request is repeated.
        public var statuses: Set<Int> = [429, 502, 503, 504]

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
        guard isRepeatable(request, body: body) else { return try await next.send(request, body: body) }
        for attempt in 1..<max(1, policy.attempts) {
            let delay: Duration
            do {
                let reply = try await next.send(request, body: body)
                guard let wait = self.delay(after: reply, attempt: attempt) else { return reply }
                delay = wait
            } catch let error as TransportError where [.unreachable, .timeout, .interrupted].contains(error.code) {
                delay = backOff(attempt)
            }
            try await wait(delay)
        }
        return try await next.send(request, body: body)
    }

    private func isRepeatable(_ request: HTTPRequest, body: ByteContent?) -> Bool {
        if request.method == .get || request.method == .head { return body?.isReplayable ?? true }
        return request.headerFields.contains(.repeatabilityRequestID) && body?.isReplayable ?? true
    }

    /// Nil if the reply is for the caller.
    private func delay(after reply: HTTPReply, attempt: Int) -> Duration? {
        guard policy.statuses.contains(reply.response.status.code) else { return nil }
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
