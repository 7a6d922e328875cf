import Synchronization

// Inlinable: users of generic code of another module pay for each type that is looked up when it runs.

/// Keeps a limited number of values by key, and drops those that were not used for the longest time.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Generations {
        @usableFromInline var recent: [Key: Value] = [:]
        /// Those that were recent until there were too many.
        @usableFromInline var older: [Key: Value] = [:]

        @usableFromInline init() {}

        @inlinable
        mutating func insert(_ value: Value, for key: Key, limit: Int) {
            if recent.count >= limit, recent[key] == nil { (older, recent) = (recent, [:]) }
            recent[key] = value
        }
    }

    @usableFromInline let limit: Int
    @usableFromInline let generations: Mutex<Generations>

    /// - Parameter limit: How many values are recent; there may be as many older ones.
    @inlinable
    package init(limit: Int) {
        self.limit = limit
        generations = Mutex(Generations())
    }

    @inlinable
    package subscript(key: Key) -> Value? {
        generations.withLock { generations in
            if let value = generations.recent[key] { return value }
            guard let value = generations.older[key] else { return nil }
            generations.insert(value, for: key, limit: limit)
            return value
        }
    }

    @inlinable
    package func insert(_ value: Value, for key: Key) {
        generations.withLock { $0.insert(value, for: key, limit: limit) }
    }
}
