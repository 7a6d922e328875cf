import Synchronization

/// Keeps a value for each key. The number of values is bounded: values that were not used recently are removed.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var recent: [Key: Value] = [:]
        /// Those that were recent until there were too many.
        var older: [Key: Value] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: How many values are recent; there may be as many older ones.
    init(limit: Int) { self.limit = limit }

    subscript(key: Key) -> Value? {
        state.withLock { state in
            if let value = state.recent[key] { return value }
            guard let value = state.older[key] else { return nil }
            insert(value, for: key, in: &state)
            return value
        }
    }

    func insert(_ value: Value, for key: Key) { state.withLock { insert(value, for: key, in: &$0) } }

    private func insert(_ value: Value, for key: Key, in state: inout State) {
        if state.recent.count >= limit { (state.older, state.recent) = (state.recent, [:]) }
        state.recent[key] = value
    }
}
