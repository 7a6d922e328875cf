import GRDB
import ODataQuery
import ODataSQLite
import ODataStores

extension OfflineStore: LiveStore {
    /// The results of `query`, again whenever the app, a download or an upload changes them.
    ///
    /// Results are held as a whole: use `$top` to limit them. See ``LiveQuery``.
    ///
    /// - Parameters:
    ///   - query: Any that the store can read.
    ///   - annotations: The instance annotations that the entities have, see ``ReadRequest/annotations``; when one
    ///     changes, the entity has changed.
    public func live(_ query: BoundQuery, annotations: String? = nil) -> LiveQuery {
        var request = ReadRequest(query)
        request.annotations = annotations
        return LiveQuery(store: self, request: request)
    }

    var liveReads: LiveReads { LiveReads(reads: reads, turns: liveQueries.turns) }

    /// Notifies `observer` of commits from now on. Until it is registered, any commit wakes it, since it cannot join a
    /// running transaction.
    func observe(_ observer: CommitObserver, signal: AsyncStream<Void>.Continuation) {
        let commits = liveQueries.commits
        database.pool.asyncWriteWithoutTransaction { [liveQueries] db in
            db.add(transactionObserver: observer)
            if liveQueries.commits != commits { signal.yield() }
        }
    }
}
