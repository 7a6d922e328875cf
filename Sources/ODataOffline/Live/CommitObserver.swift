import GRDB
import Synchronization

/// Notifies a live query of commits that affect its result.
///
/// Called on the writing connection only; it lives as long as the live query.
final class CommitObserver: TransactionObserver, Sendable {
    private let region: DatabaseRegion
    private let signal: AsyncStream<Void>.Continuation
    private let isTouched = Mutex(false)

    init(_ region: DatabaseRegion, signal: AsyncStream<Void>.Continuation) {
        self.region = region
        self.signal = signal
    }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { region.isModified(byEventsOfKind: kind) }

    func databaseDidChange() { touch() }

    func databaseDidChange(with event: DatabaseEvent) { touch() }

    private func touch() {
        isTouched.withLock { $0 = true }
        // The other rows of the transaction say nothing new.
        stopObservingDatabaseChangesUntilNextTransaction()
    }

    func databaseDidCommit(_ db: Database) {
        if takeTouched() { signal.yield() }
    }

    func databaseDidRollback(_ db: Database) { _ = takeTouched() }

    private func takeTouched() -> Bool {
        isTouched.withLock { touched in
            defer { touched = false }
            return touched
        }
    }
}
