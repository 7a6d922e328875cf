import Synchronization

/// A clock that stands still until it is told otherwise.
final class TestClock: Sendable {
    private let start = ContinuousClock.now
    private let passed = Mutex(Duration.zero)

    var now: @Sendable () -> ContinuousClock.Instant { { self.start + self.passed.withLock { $0 } } }

    func advance(by duration: Duration) { passed.withLock { $0 += duration } }
}
