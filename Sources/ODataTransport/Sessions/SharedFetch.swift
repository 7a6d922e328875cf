import Synchronization

/// Fetches a value once for all who want it at the same time.
///
/// A caller that is cancelled does not end the fetch, since others may wait for it.
package final class SharedFetch<Value: Sendable>: Sendable {
    private let running = Mutex<(task: Task<Value, any Error>?, number: Int)>((nil, 0))

    package init() {}

    package func value(_ fetch: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = running.withLock { running in
            if let task = running.task { return task }
            running.number += 1
            let number = running.number
            let task = Task {
                defer { self.end(number) }
                return try await fetch()
            }
            running.task = task
            return task
        }
        return try await task.value
    }

    private func end(_ number: Int) {
        running.withLock { running in
            if running.number == number { running.task = nil }
        }
    }
}
