import Synchronization

/// Wakes any number of tasks that wait for something to happen; what happens while a task works wakes it once.
final class WakeSignals: Sendable {
    private struct State {
        var isFinished = false
        var last = 0
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    deinit { finish() }

    /// Ends with ``finish()`` or when no iterator waits.
    func signals() -> (AsyncStream<Void>, AsyncStream<Void>.Continuation) {
        let (stream, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.signals[state.last] = signal
            return state.last
        }
        guard let number else {
            signal.finish()
            return (stream, signal)
        }
        signal.onTermination = { [weak self] _ in self?.remove(number) }
        return (stream, signal)
    }

    private func remove(_ number: Int) {
        _ = state.withLock { $0.signals.removeValue(forKey: number) }
    }

    func wake() {
        for signal in state.withLock({ Array($0.signals.values) }) { signal.yield() }
    }

    func finish() {
        let signals = state.withLock { state in
            state.isFinished = true
            defer { state.signals = [:] }
            return Array(state.signals.values)
        }
        for signal in signals { signal.finish() }
    }
}
