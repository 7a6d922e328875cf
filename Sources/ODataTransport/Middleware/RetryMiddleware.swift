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
        /// Where the doubling of ``firstDelay`` ends; `Retry-After` has a limit of its own.
        public var longestDelay = Duration.seconds(30)
        /// A `Retry-After` longer than this is left to the caller: the response is returned as it is.
        public var longestRetryAfter = Duration.seconds(60)
        /// Which requests are repeated after which failure.
        public var table = RetryTable.standard

        /// Four attempts, with waits of at most 0.5, 1 and 2 seconds, and the standard table.
        public init() {}
    }

    private let policy: Policy
    private let pause: @Sendable (Duration) async throws -> Void
    private let random: @Sendable () -> Double
    private let now: @Sendable () -> Int64
    private let metrics = RequestMetrics()

    /// - Parameters:
    ///   - policy: How often and after what time a request is repeated.
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

    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        let kind = RetryTable.Kind(request, next.context)
        var isInDoubt = false
        for attempt in 1..<max(1, policy.attempts) {
            let delay: Duration
            let failure: RetryTable.Failure
            do {
                let response = try await send(request, body: body, isInDoubt: isInDoubt, next: next)
                failure = response.failure
                guard policy.table.allows(kind, after: failure), body?.isReadable ?? true,
                    let wait = self.delay(after: response, attempt: attempt)
                else { return response }
                await response.discard()
                delay = wait
            } catch let error as TransportError
                where policy.table.allows(kind, after: .transport(error.code)) && body?.isReadable ?? true
            {
                failure = .transport(error.code)
                delay = backOff(attempt)
            }
            // What is not repeated where it would act twice may have acted.
            isInDoubt = isInDoubt || kind != .read && !RetryTable.standard.allows(.change, after: failure)
            try await wait(delay)
            metrics.noteRetry(failure)
        }
        do { return try await send(request, body: body, isInDoubt: isInDoubt, next: next) } catch var error
            as TransportError
            where policy.attempts > 1 && policy.table.allows(kind, after: .transport(error.code))
        {
            error.message += " It was tried \(policy.attempts) times."
            throw error
        }
    }

    /// One attempt.
    ///
    /// - Parameter isInDoubt: An earlier one may have been carried out. The response reports if the service says that
    ///   it recognized the request.
    private func send(
        _ request: HTTPRequest, body: ByteContent?, isInDoubt: Bool, next: NextTransport
    ) async throws -> TransportResponse {
        do {
            var response = try await next.send(request, body: body)
            let isRecognized = response.head.headerFields[.repeatabilityResult]?.lowercased() == "accepted"
            if isInDoubt, !isRecognized { response.mayHaveActedBefore = true }
            return response
        } catch var error as TransportError where isInDoubt {
            error.mayHaveActedBefore = true
            throw error
        }
    }

    /// Nil if the service asks for more patience than is had here: the response is for the caller.
    private func delay(after response: TransportResponse, attempt: Int) -> Duration? {
        guard let field = response.head.headerFields[.retryAfter], let seconds = RetryAfter.seconds(field, now: now())
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

extension TransportResponse {
    fileprivate var failure: RetryTable.Failure {
        let status = head.status.code
        return head.headerFields.contains(.retryAfter) ? .postponed(status) : .status(status)
    }
}
