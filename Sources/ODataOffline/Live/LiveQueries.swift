import GRDB
import ODataSQLite
import Synchronization

/// The shared state of a store's live queries.
final class LiveQueries: TransactionObserver, Sendable {
    private struct State {
        var commits = 0
        var definitions = 0
        var isDefining = false
    }

    private let state = Mutex(State())
    private let wakes = Followers<Void>()
    /// Half of the reading connections, so that other reads find one.
    let turns = FairQueue(count: 2)

    /// Wakes a live query; commits during a read are combined. It ends with the store or when no iterator waits.
    func signals() -> (AsyncStream<Void>, AsyncStream<Void>.Continuation) { wakes.follow() }

    /// Makes all live queries read again.
    func wake() { wakes.yield(()) }

    /// Ends all live queries.
    func finish() { wakes.finish() }

    // MARK: Commits

    /// Collects what commits change of `region` from now on. Until that is registered, any commit wakes the query, since
    /// an observer cannot join a running transaction.
    ///
    /// - Returns: The observers, which live as long as they are held.
    func observe(
        _ region: LiveRegion, _ changes: CommittedChangeLog, in database: StoreDatabase,
        signal: AsyncStream<Void>.Continuation
    ) -> [CommitObserver] {
        let known = commits
        let observers = [CommitObserver.Events.ofRows, .others].map {
            CommitObserver(region, $0, changes: changes, signal: signal)
        }
        database.pool.asyncWriteWithoutTransaction { [self] db in
            for observer in observers { db.add(transactionObserver: observer) }
            guard commits != known else { return }
            changes.addUnobserved()
            signal.yield()
        }
        return observers
    }

    /// How many transactions have been committed.
    var commits: Int { state.withLock { $0.commits } }

    /// Which properties rows show depends on what the defining queries ask for: when that changes, live queries read
    /// from other columns than before.
    var definitions: Int { state.withLock { $0.definitions } }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        switch kind {
        case .insert(let table), .delete(let table), .update(let table, _): table == StoreTable.node.name
        }
    }

    func databaseDidChange() { state.withLock { $0.isDefining = true } }

    func databaseDidChange(with event: DatabaseEvent) { databaseDidChange() }

    func databaseDidCommit(_ db: Database) {
        let isDefined = state.withLock { state in
            state.commits += 1
            guard state.isDefining else { return false }
            state.isDefining = false
            state.definitions += 1
            return true
        }
        if isDefined { wake() }
    }

    func databaseDidRollback(_ db: Database) { state.withLock { $0.isDefining = false } }
}
