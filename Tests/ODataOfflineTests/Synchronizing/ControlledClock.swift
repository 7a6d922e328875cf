import Foundation
import Synchronization

/// A clock that a test moves on, and the dates that belong to it.
final class ControlledClock: _Concurrency.Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var last = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        /// Those that wait for a sleeper.
        var watchers: [CheckedContinuation<Instant, Never>] = []

        var first: Instant? { sleepers.values.map(\.deadline).min() }
    }

    private static let start = Date(timeIntervalSince1970: 1_700_000_000)
    private let state = Mutex(State())

    let minimumResolution = Duration.zero
    var now: Instant { state.withLock { $0.now } }
    var currentDate: Date { Self.start.addingTimeInterval(now.offset / .seconds(1)) }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                state.withLock { state -> Void in
                    guard state.cancelled.remove(id) == nil else {
                        continuation.resume(throwing: CancellationError())
                        return
                    }
                    guard deadline > state.now else { return continuation.resume() }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    guard let first = state.first else { return }
                    for watcher in state.watchers { watcher.resume(returning: first) }
                    state.watchers = []
                }
            }
        } onCancel: {
            state.withLock { state in
                guard let sleeper = state.sleepers.removeValue(forKey: id) else {
                    state.cancelled.insert(id)
                    return
                }
                sleeper.continuation.resume(throwing: CancellationError())
            }
        }
    }

    /// The end of the next sleep, as soon as there is one.
    func nextDeadline() async -> Instant {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if let first = state.first { return continuation.resume(returning: first) }
                state.watchers.append(continuation)
            }
        }
    }

    func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

    func advance(to instant: Instant) {
        state.withLock { state in
            state.now = max(state.now, instant)
            for (id, sleeper) in state.sleepers where sleeper.deadline <= state.now {
                state.sleepers[id] = nil
                sleeper.continuation.resume()
            }
        }
    }

    /// Lets time pass up to `end`, from one sleep to the next; there must always be one.
    ///
    /// - Parameter body: Called at each stop.
    func run(for duration: Duration, _ body: () async -> Void = {}) async {
        let end = now.advanced(by: duration)
        while case let deadline = await nextDeadline(), deadline <= end {
            advance(to: deadline)
            await body()
        }
        advance(to: end)
    }
}
