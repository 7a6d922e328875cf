import Foundation

/// Calls a handler in run loops: one timer for each run loop and mode, which fires only when asked to.
///
/// Foundation on Linux gives subclasses of streams no way to the sources of a run loop. A timer that is set from
/// another thread wakes the run loop that waits in its mode, as a source would; but `RunLoop.run(mode:before:)` returns
/// after sources only, and after the last timer has been removed.
///
/// `@unchecked Sendable`: the places are guarded by the lock; run loops and timers are not sendable, but adding a timer
/// to a loop and setting its date may be done from any thread.
final class RunLoopEvents: @unchecked Sendable {
    private struct Place {
        let loop: RunLoop
        let mode: RunLoop.Mode
        let timer: Timer
    }

    /// It fires when its date is set.
    private static let interval: TimeInterval = 1_000_000_000

    private let lock = NSLock()
    private var places: [Place] = []
    private let firing = NSLock()

    func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode, handler: @escaping @Sendable () -> Void) {
        let timer = Timer(fire: .distantFuture, interval: Self.interval, repeats: true) { [weak self] timer in
            if let self, self.has(timer) { handler() } else { timer.invalidate() }
        }
        let isNew = lock.withLock {
            guard !places.contains(where: { $0.loop === loop && $0.mode == mode }) else { return false }
            places.append(Place(loop: loop, mode: mode, timer: timer))
            return true
        }
        if isNew { loop.add(timer, forMode: mode) }
    }

    func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {
        remove { $0.loop === loop && $0.mode == mode }
    }

    func removeAll() { remove { _ in true } }

    /// Lets the handler be called soon in each run loop that runs in one of the modes.
    func fire() {
        for timer in lock.withLock({ places.map(\.timer) }) where timer.isValid { fire(timer) }
    }

    /// One at a time: Foundation notes the time when it is asked and not when it sets the timer, and skips a time
    /// that is before the one for which it just calls the handler. A late one would undo a newer one.
    private func fire(_ timer: Timer) { firing.withLock { timer.fireDate = .distantPast } }

    private func remove(where isGone: (Place) -> Bool) {
        let gone = lock.withLock {
            let gone = places.filter(isGone)
            places.removeAll(where: isGone)
            return gone
        }
        for place in gone where place.timer.isValid {
            if place.loop === RunLoop.current {
                place.timer.invalidate()
            } else {
                // The loop has to wake up, to find that it has nothing to wait for any more.
                fire(place.timer)
            }
        }
    }

    private func has(_ timer: Timer) -> Bool { lock.withLock { places.contains { $0.timer === timer } } }
}
