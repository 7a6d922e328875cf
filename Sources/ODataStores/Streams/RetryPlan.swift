/// How often a broken transfer is taken up again, and after what time.
package struct RetryPlan: Sendable, Hashable {
    /// Failures without a byte of progress between them, after which a transfer fails.
    package var limit = 4
    /// The first wait; each following one is twice as long.
    package var firstDelay = Duration.milliseconds(500)
    package var longestDelay = Duration.seconds(30)
    /// How often a transfer may begin anew because the stream changed on the way.
    package var restartLimit = 3

    package init() {}

    /// The wait after failure number `failure`, from 1. Nil if the service wishes (`Retry-After`, in seconds) for more
    /// than ten times the longest wait: the next download asks again.
    package func delay(afterFailure failure: Int, wish: Int?) -> Duration? {
        if let wish {
            let delay = Duration.seconds(max(0, wish))
            return delay <= longestDelay * 10 ? delay : nil
        }
        return min(firstDelay * (1 << min(max(0, failure - 1), 16)), longestDelay)
    }
}
