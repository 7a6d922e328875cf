import GRDB

/// Notifies a live query of commits that affect its result.
///
/// Called on the writing connection only; it lives as long as the live query.
final class CommitObserver: TransactionObserver, Sendable {
    /// The events that an observer collects: of the rows of the query's table one by one, or all others.
    enum Events {
        case ofRows, others
    }

    private let region: LiveRegion
    private let events: Events
    private let changes: CommittedChangeLog
    private let signal: AsyncStream<Void>.Continuation

    init(
        _ region: LiveRegion, _ events: Events, changes: CommittedChangeLog, signal: AsyncStream<Void>.Continuation
    ) {
        (self.region, self.events, self.changes, self.signal) = (region, events, changes, signal)
    }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        region.isModified(byEventsOfKind: kind) && region.isOfRows(kind) == (events == .ofRows)
    }

    func databaseDidChange() { add(.anything) }

    func databaseDidChange(with event: DatabaseEvent) { add(events == .ofRows ? .rows([event.rowID]) : .anything) }

    private func add(_ changes: CommittedChanges) {
        if self.changes.add(changes) { stopObservingDatabaseChangesUntilNextTransaction() }
    }

    func databaseDidCommit(_ db: Database) {
        if changes.commit() { signal.yield() }
    }

    func databaseDidRollback(_ db: Database) { changes.rollBack() }
}
