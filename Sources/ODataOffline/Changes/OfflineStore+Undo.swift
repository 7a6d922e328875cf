import GRDB
import ODataQuery
import ODataStores

extension OfflineStore {
    /// What ``undo(_:force:)`` would drop. Nothing is changed.
    ///
    /// - Throws: ``ODataError`` `notFound` if the request or entity of the scope is not there.
    public func undoPlan(_ scope: UndoScope) async throws -> UndoPlan {
        let (offline, database) = try working()
        if case .entity(let path) = scope {
            try await reads.makeTables(for: QuerySets(path).names, offline, in: database)
        }
        return try await database.reading { [configuration] db in
            let planner = UndoPlanner(context: StoreTransaction(db: db, offline: offline, configuration: configuration))
            return try planner.plan(for: planner.records(of: scope))
        }
    }

    /// Takes queued requests back, failed or not sent yet, with what they have changed here and with their entries of
    /// the error archive. An entity becomes what the last download has brought, with the changes that are left on
    /// top; a local entity is removed, and so are the requests that refer to it. A request that removes a link is
    /// undone with the one that makes it. Requests of a change set are undone together.
    ///
    /// - Parameters:
    ///   - scope: Which requests go.
    ///   - force: Takes requests back too that may have been executed: the next download tells.
    /// - Returns: What was dropped.
    /// - Throws: ``ODataError`` `notFound` if the request or entity of the scope is not there, `conflict` naming a
    ///   request that may have been executed, or while a download or upload runs. Nothing is undone then.
    @discardableResult
    public func undo(_ scope: UndoScope, force: Bool = false) async throws -> UndoPlan {
        try await changingQueue("undoing") { try Undo(context: $0).undo(scope, force: force) }
    }

    /// Changes the queue in one transaction while nothing is transferred; content that is no longer needed is removed.
    func changingQueue<Result: Sendable>(
        _ name: String, _ body: @escaping @Sendable (StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await transferring(name) {
            let offline = try offlineModel()
            let result = try await database.writingDurably { [configuration] db in
                try body(StoreTransaction(db: db, offline: offline, configuration: configuration))
            }
            try await streams.collect()
            return result
        }
    }
}
