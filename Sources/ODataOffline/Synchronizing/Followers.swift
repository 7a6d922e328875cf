import Synchronization

/// Any number of streams that get the same elements. Of elements that are faster than an iterator it gets the newest.
final class Followers<Element: Sendable>: Sendable {
    private struct State {
        var isFinished = false
        var last = 0
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let state = Mutex(State())

    deinit { finish() }

    /// A stream that ends with ``finish()``, or when its iterator is gone.
    ///
    /// - Parameter first: What it begins with; nil for the next element.
    func follow(from first: Element? = nil) -> (stream: AsyncStream<Element>, signal: AsyncStream<Element>.Continuation)
    {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.continuations[state.last] = continuation
            return state.last
        }
        guard let number else {
            continuation.finish()
            return (stream, continuation)
        }
        if let first { continuation.yield(first) }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return (stream, continuation)
    }

    private func remove(_ number: Int) {
        _ = state.withLock { $0.continuations.removeValue(forKey: number) }
    }

    func yield(_ element: Element) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(element) }
    }

    /// Ends all streams, and those of later calls at once.
    func finish() {
        let continuations = state.withLock { state in
            state.isFinished = true
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }
}
