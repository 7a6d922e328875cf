import GRDB
import Synchronization

/// Wakes tasks when a commit has changed the queue or the error archive.
final class QueueWatch: TransactionObserver, Sendable {
    private let isChanged = Mutex(false)
    private let wakes = Followers<Void>()

    /// Ends with the store.
    func signals() -> AsyncStream<Void> { wakes.follow().stream }

    func wake() { wakes.yield(()) }

    func finish() { wakes.finish() }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        switch kind {
        case .insert(let table), .delete(let table), .update(let table, _):
            table == StoreTable.queue.name || table == StoreTable.error.name
        }
    }

    func databaseDidChange() { isChanged.withLock { $0 = true } }

    func databaseDidChange(with event: DatabaseEvent) {
        databaseDidChange()
        stopObservingDatabaseChangesUntilNextTransaction()
    }

    func databaseDidCommit(_ db: Database) {
        let isChanged = isChanged.withLock { isChanged in
            defer { isChanged = false }
            return isChanged
        }
        if isChanged { wake() }
    }

    func databaseDidRollback(_ db: Database) { isChanged.withLock { $0 = false } }
}

/// What the queue and the error archive hold.
struct QueueSummary: Hashable, Sendable {
    /// All requests, failed and held ones included.
    var length = 0
    /// Requests that an upload would send now.
    var waiting = 0
    /// Requests that may have been executed.
    var unconfirmed = 0
    /// Entries of the error archive.
    var failed = 0
    /// The greatest id that a request has had.
    var last: Int64 = 0

    init() {}

    init(db: Database) throws {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) AS "length", coalesce(sum("state" = 'waiting'), 0) AS "waiting",
                    coalesce(sum("state" IN ('sending', 'unconfirmed')), 0) AS "unconfirmed",
                    (SELECT count(*) FROM \(.error)) AS "failed",
                    coalesce((SELECT "seq" FROM "sqlite_sequence" WHERE "name" = '\(StoreTable.queue.name)'), 0) AS "last"
                    FROM \(.queue)
                    """))
        guard let row else { return }
        (length, failed, last) = (row["length"], row["failed"], row["last"])
        (waiting, unconfirmed) = (row["waiting"], row["unconfirmed"])
    }

    /// Whether an upload has something to do.
    var isEmpty: Bool { length == 0 }
}
