import ODataModel
import ODataStores
import Synchronization

/// What an offline store works with: a rebuild replaces the database, a download takes up another model.
final class StoreState: Sendable {
    private struct State {
        var database: StoreDatabase
        var offline: OfflineModel?
        /// The service's model as it was last applied to the store.
        var adopted: EdmModel?
        /// `download` or `upload` while one runs.
        var transfer: String?
        /// Whether the transfer that runs leaves streams to another one.
        var withholdsStreams = false
        var isClosed = false
    }

    private let state: Mutex<State>

    init(database: StoreDatabase, offline: OfflineModel?) {
        state = Mutex(State(database: database, offline: offline))
    }

    var database: StoreDatabase { state.withLock { $0.database } }

    var knownModel: OfflineModel? { state.withLock { $0.offline } }

    /// The service's model as it was when the store took it up last; nil if that was in an earlier run.
    var adoptedModel: EdmModel? { state.withLock { $0.adopted } }

    func checkOpen() throws {
        if state.withLock({ $0.isClosed }) { throw ODataError(.cancelled, "The store is closed.") }
    }

    /// The model and the database that fits it, which a rebuild replaces in one step.
    ///
    /// - Throws: ``ODataError`` if the store has never been opened while the service is reachable, or is closed.
    func working() throws -> (offline: OfflineModel, database: StoreDatabase) {
        try checkOpen()
        let (offline, database) = state.withLock { ($0.offline, $0.database) }
        guard let offline else { throw ODataError.neverOpened }
        return (offline, database)
    }

    /// Uses `offline` from now on, which fits `service`.
    func know(_ offline: OfflineModel, as service: EdmModel?) {
        state.withLock { state in
            state.offline = offline
            state.adopted = service
        }
    }

    /// Uses another file from now on.
    func replace(_ database: StoreDatabase, _ offline: OfflineModel, as service: EdmModel) {
        state.withLock { state in
            state.database = database
            state.offline = offline
            state.adopted = service
        }
    }

    /// - Returns: Whether it was open.
    /// - Throws: ``ODataError`` `conflict` while a transfer runs.
    func close() throws -> Bool {
        try state.withLock { state in
            if let transfer = state.transfer {
                throw ODataError(.conflict, "The store cannot be closed while the \(transfer) runs.")
            }
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }

    func reopen() { state.withLock { $0.isClosed = false } }

    /// Does `body`, which writes in one transaction: once more where a rebuild has put another database in the store's
    /// place meanwhile.
    func inCurrentDatabase<Result>(
        _ body: (OfflineModel?, StoreDatabase) async throws -> Result
    ) async throws -> Result {
        try checkOpen()
        let (offline, database) = state.withLock { ($0.offline, $0.database) }
        do { return try await body(offline, database) } catch  where database.isRetired {
            // The rebuild was first: nothing was written.
            let (rebuilt, next) = state.withLock { ($0.offline, $0.database) }
            return try await body(rebuilt, next)
        }
    }

    // MARK: Transfers

    /// To be called in a transaction that changes definitions. What a transfer does to the database comes after this
    /// transaction, or was begun before this.
    ///
    /// - Throws: ``ODataError`` `conflict` while one of the transfers runs, which has read the definitions already.
    func checkDefinable(_ change: String, during transfers: Set<String>) throws {
        guard let transfer = state.withLock({ $0.transfer }), transfers.contains(transfer) else { return }
        throw ODataError(.conflict, "\(change) while the \(transfer) runs: do it afterwards.")
    }

    func beginTransfer(_ name: String) throws {
        try checkOpen()
        try database.checkWritable(for: "The \(name) is")
        try state.withLock { state in
            if let running = state.transfer {
                throw ODataError(.conflict, "The \(name) cannot start while another \(running) runs.")
            }
            state.transfer = name
        }
    }

    /// The transfer that runs continues as another one, between which no other begins.
    func continueTransfer(as name: String) { state.withLock { $0.transfer = name } }

    /// Whether the transfer that runs leaves streams to another one.
    var withholdsStreams: Bool { state.withLock { $0.withholdsStreams } }

    /// Until the transfer ends.
    func withholdStreams(_ withholds: Bool) { state.withLock { $0.withholdsStreams = withholds } }

    func endTransfer() {
        state.withLock { state in
            state.transfer = nil
            state.withholdsStreams = false
        }
    }
}

extension ODataError {
    static var neverOpened: ODataError {
        ODataError(.unreachable, "The store has no metadata yet: open it once while the service is reachable.")
    }
}
