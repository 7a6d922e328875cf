/// How often a broken transfer is taken up again, and after what time.
package struct RetryPlan: Sendable, Hashable {
    /// Failures without a byte of progress between them, after which a transfer is given up.
    package var limit = 4
    /// The first wait; each following one is twice as long.
    package var firstDelay = Duration.milliseconds(500)
    package var longestDelay = Duration.seconds(30)
    /// How often a transfer may begin anew because the stream changed on the way.
    package var restartLimit = 3

    package init() {}

    /// The wait after failure number `failure`, from 1. What the service wishes (`Retry-After`, in seconds) counts up
    /// to ten times the longest wait.
    func delay(afterFailure failure: Int, wish: Int?) -> Duration {
        if let wish { return min(.seconds(max(0, wish)), longestDelay * 10) }
        return min(firstDelay * (1 << min(max(0, failure - 1), 16)), longestDelay)
    }
}
