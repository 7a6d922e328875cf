import Synchronization

/// A value that any number of tasks follow.
final class FollowedValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var isReady: Bool
        var isFinished = false
        var last = 0
        var followers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter isReady: Whether the value is complete: until ``update(isReady:_:)`` makes it so, followers wait.
    init(_ value: Value, isReady: Bool = true) { state = Mutex(State(value: value, isReady: isReady)) }

    deinit { finish() }

    var value: Value { state.withLock { $0.value } }

    /// The value, then each change; changes that are faster than the iterator are combined. Ends with ``finish()``.
    func values() -> AsyncStream<Value> {
        let (stream, follower) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.followers[state.last] = follower
            if state.isReady { follower.yield(state.value) }
            return state.last
        }
        guard let number else {
            follower.finish()
            return stream
        }
        follower.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) {
        _ = state.withLock { $0.followers.removeValue(forKey: number) }
    }

    func update(isReady: Bool = false, _ change: (inout Value) -> Void) {
        state.withLock { state in
            change(&state.value)
            if isReady { state.isReady = true }
            guard state.isReady else { return }
            for follower in state.followers.values { follower.yield(state.value) }
        }
    }

    func finish() {
        let followers = state.withLock { state in
            state.isFinished = true
            defer { state.followers = [:] }
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }
}
