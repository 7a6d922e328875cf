import Synchronization

/// A value that any number of tasks follow.
final class FollowedValue<Value: Sendable>: Sendable {
    private let state: Mutex<(value: Value, isReady: Bool)>
    private let followers = Followers<Value>()

    /// - Parameter isReady: Whether the value is complete: until ``update(isReady:_:)`` makes it so, followers wait.
    init(_ value: Value, isReady: Bool = true) { state = Mutex((value, isReady)) }

    var value: Value { state.withLock { $0.value } }

    /// The value, then each change; changes that are faster than the iterator are combined. Ends with ``finish()``.
    func values() -> AsyncStream<Value> {
        state.withLock { followers.follow(from: $0.isReady ? $0.value : nil).stream }
    }

    func update(isReady: Bool = false, _ change: (inout Value) -> Void) {
        // Within the lock, so that followers get the changes in their order.
        state.withLock { state in
            change(&state.value)
            if isReady { state.isReady = true }
            if state.isReady { followers.yield(state.value) }
        }
    }

    func finish() { followers.finish() }
}
