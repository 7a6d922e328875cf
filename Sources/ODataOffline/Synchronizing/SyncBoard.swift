import Synchronization

/// The ``SyncState`` of a store, and what decides who changes it.
final class SyncBoard: Sendable {
    private struct Inner {
        var isWatched = false
        var scheduler: ObjectIdentifier?
    }

    /// Ready when the queue was counted.
    private let shown = FollowedValue(SyncState(), isReady: false)
    private let inner = Mutex(Inner())

    var state: SyncState { shown.value }

    func states() -> AsyncStream<SyncState> { shown.values() }

    func update(_ change: (inout SyncState) -> Void) { shown.update(change) }

    func count(_ summary: QueueSummary, _ change: (inout SyncState) -> Void) {
        shown.update(isReady: true) { state in
            (state.queueLength, state.failedRequests) = (summary.length, summary.failed)
            change(&state)
        }
    }

    /// Whether this is the first call: then the caller counts the queue from now on.
    func beginWatching() -> Bool {
        inner.withLock { inner in
            defer { inner.isWatched = true }
            return !inner.isWatched
        }
    }

    /// - Returns: False while another scheduler runs.
    func claim(for scheduler: SyncScheduler) -> Bool {
        inner.withLock { inner in
            guard inner.scheduler == nil || inner.scheduler == ObjectIdentifier(scheduler) else { return false }
            inner.scheduler = ObjectIdentifier(scheduler)
            return true
        }
    }

    func release(_ scheduler: ObjectIdentifier) {
        inner.withLock { inner in
            if inner.scheduler == scheduler { inner.scheduler = nil }
        }
    }

    func finish() { shown.finish() }
}
