import Synchronization

/// Values that were made for keys, as many as were used lately: of those that are no longer, some remain for a while.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Generations {
        var recent: [Key: Value] = [:]
        /// Those that were recent until there were too many.
        var older: [Key: Value] = [:]

        mutating func insert(_ value: Value, for key: Key, limit: Int) {
            if recent.count >= limit, recent[key] == nil { (older, recent) = (recent, [:]) }
            recent[key] = value
        }
    }

    private let limit: Int
    private let generations = Mutex(Generations())

    /// - Parameter limit: How many values are recent; there may be as many older ones.
    package init(limit: Int) { self.limit = limit }

    package subscript(key: Key) -> Value? {
        generations.withLock { generations in
            if let value = generations.recent[key] { return value }
            guard let value = generations.older[key] else { return nil }
            generations.insert(value, for: key, limit: limit)
            return value
        }
    }

    package func insert(_ value: Value, for key: Key) {
        generations.withLock { $0.insert(value, for: key, limit: limit) }
    }
}
