import EncryptionKeys
import Foundation
import MediaIndexes
import ODataFormats
import ODataMedia
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization

/// A part of a service on the device: data and media of the defining queries, which can be read and changed without the
/// network.
///
///     let store = try OfflineStore(folder: "field", remote: online)
///     try await store.open()
///     try store.addQuery(DefiningQuery(name: "orders", query: "Orders?$expand=Items"))
///     try await store.download()
///     …
///     try await store.upload()
///
/// Every accepted change is on the device when the call returns; the process may end at any moment. One process uses
/// a folder at a time. All errors are ``ODataError``.
public final class OfflineStore: ODataStore {
    let folder: StoreFolder
    let media: FolderIndex
    let remote: (any ODataStore)?
    let configuration: Configuration
    let liveQueries = LiveQueries()
    let transfers = RunningTransfers()
    let thumbnailTurns = FairQueue(count: 2)
    let transferBoard: TransferBoard
    private let state: Mutex<State>
    /// Whether the database is being filled by a rebuild, and does not contain all required streams yet.
    private let isFilling: Bool
    /// The number of callers that are storing streams without a committed row.
    private let mediaWriters = Mutex(0)

    private struct State {
        var database: StoreDatabase
        var offline: OfflineModel?
        /// The service's model as it was last applied to the store.
        var adopted: EdmModel?
        /// `download` or `upload` while one runs.
        var transfer: String?
        var isClosed = false
    }

    /// Opens the store in `folder`, or creates one. No request is sent to `remote`.
    ///
    /// - Parameters:
    ///   - folder: Belongs to the store alone; it is created if it does not exist.
    ///   - remote: The service for downloads and uploads; nil for a store that is only read.
    ///   - configuration: The configuration for this time.
    ///   - key: Encrypts a new store, its database, streams and all files beside them, and opens it again:
    ///     `Documentation/Encryption.md`. Nil for a store that is not encrypted.
    ///   - isReadOnly: Opens a store that another process may have open for writing, or that is in a folder where
    ///     nothing can be written. Everything can be read; changes, downloads and uploads are refused, and streams that
    ///     are read do not count as used. After a rebuild of the store open it again.
    /// - Throws: ``ODataError`` `unusableStore` if the folder is something else, damaged, of a newer version or in use,
    ///   if it is not encrypted and a key is given, or if it has another media folder; `wrongKey`; `keyNeeded`;
    ///   `storage` if it cannot be created.
    public convenience init(
        folder: String, remote: (any ODataStore)?, configuration: Configuration = .init(), key: EncryptionKey? = nil,
        isReadOnly: Bool = false
    ) throws {
        let folder = try StoreFolder(path: folder, key: key, isReadOnly: isReadOnly)
        let database = try StoreDatabase(
            path: folder.database, key: folder.key, isReadOnly: isReadOnly, mayBeNew: !folder.hasStore)
        let media = try MediaPlace(folder: folder, database: database, configuration: configuration).open()
        let known = try database.read { try StoredMetadata(db: $0).model() }
        self.init(
            folder: folder, database: database, media: media, remote: remote, configuration: configuration,
            offline: known?.offline)
        guard !database.isReadOnly else { return }
        try database.write { db in
            if let known, !known.isCompiled { try StoredMetadata(db: db).compile(known.offline.service) }
            try RequestQueue(db: db).recover()
            try EventLog(db: db).markInterrupted()
        }
        try cleanMedia()
    }

    init(
        folder: StoreFolder, database: StoreDatabase, media: FolderIndex, remote: (any ODataStore)?,
        configuration: Configuration, offline: OfflineModel?, isFilling: Bool = false, board: TransferBoard? = nil
    ) {
        self.folder = folder
        self.isFilling = isFilling
        self.media = media
        self.remote = remote
        self.configuration = configuration
        transferBoard =
            board
            ?? TransferBoard(
                limit: configuration.parallelStreams, hostLimit: configuration.parallelStreamsPerHost,
                batch: configuration.transferBatch)
        state = Mutex(State(database: database, offline: offline))
        database.pool.add(transactionObserver: liveQueries)
    }

    var database: StoreDatabase { state.withLock { $0.database } }

    /// Fetches the service's metadata if the store does not have them; otherwise the network is not needed.
    ///
    /// - Throws: ``ODataError`` of the remote store, or `badRequest` if a query that was added before does not fit
    ///   the model.
    public func open() async throws {
        try checkOpen()
        if knownModel == nil { try await fetchMetadata() }
        if let csdl = configuration.localSets, !database.isReadOnly { try await addLocalSets(csdl: csdl) }
    }

    private func fetchMetadata() async throws {
        guard let remote else { throw ODataError.neverOpened }
        let model = try await remote.model()
        let locals = try await database.reading { try StoredMetadata(db: $0).locals() }
        let kept = try OfflineModel.kept(model, locals: locals)
        let known = try await database.reading { try QueryRecord.all(in: $0).map(\.definition) }
        for query in known { _ = try QueryCheck(offline: kept.offline).bound(query) }
        try await migrate(from: nil, to: kept.offline, metadata: kept.xml)
        know(kept.offline, as: model)
    }

    /// Ends the use of the folder, and live queries. Calls after it throw `cancelled`. The database is one file then,
    /// `store.sqlite` or what ``databasePath(in:)`` says, unless another process reads it.
    public func close() throws {
        let wasOpen = try state.withLock { state in
            if let transfer = state.transfer {
                throw ODataError(.conflict, "The store cannot be closed while the \(transfer) runs.")
            }
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return }
        do { try database.close() } catch {
            state.withLock { $0.isClosed = false }
            throw ODataError(.conflict, "The store cannot be closed while it is read.", cause: error)
        }
        liveQueries.finish()
        transferBoard.finish()
        // The old file, which a rebuild has kept for running reads.
        if !database.isReadOnly { try? folder.removeAbandoned() }
        media.close()
        folder.unlock()
    }

    /// The service's model, with the sets `RequestQueue`, `ErrorArchive` and `EventLog` of the store's own, and
    /// the app's client-only sets.
    public func model() async throws -> EdmModel { try offlineModel().model }
}

extension OfflineStore {
    func checkOpen() throws {
        if state.withLock({ $0.isClosed }) { throw ODataError(.cancelled, "The store is closed.") }
    }

    /// The model of the service, and the store's parsers and executors.
    ///
    /// - Throws: ``ODataError`` if it has never been opened with the service at hand, or is closed.
    func offlineModel() throws -> OfflineModel {
        try working().offline
    }

    /// The model and the database that fits it, which a rebuild replaces in one step.
    ///
    /// - Throws: As ``offlineModel()``.
    func working() throws -> (offline: OfflineModel, database: StoreDatabase) {
        try checkOpen()
        let (offline, database) = state.withLock { ($0.offline, $0.database) }
        guard let offline else { throw ODataError.neverOpened }
        return (offline, database)
    }

    var knownModel: OfflineModel? { state.withLock { $0.offline } }

    /// The service's model as it was when the store took it up last; nil if that was in an earlier run.
    var adoptedModel: EdmModel? { state.withLock { $0.adopted } }

    /// Uses `offline` from now on, which fits `service`.
    func know(_ offline: OfflineModel, as service: EdmModel?) {
        state.withLock { state in
            state.offline = offline
            state.adopted = service
        }
    }

    /// Uses another file from now on.
    func replace(_ database: StoreDatabase, _ offline: OfflineModel, as service: EdmModel) {
        database.pool.add(transactionObserver: liveQueries)
        state.withLock { state in
            state.database = database
            state.offline = offline
            state.adopted = service
        }
        liveQueries.wake()
    }

    /// To be called in a transaction that changes definitions. What a transfer does to the database comes after this
    /// transaction, or was begun before this.
    ///
    /// - Throws: ``ODataError`` `conflict` while one of the transfers runs, which has read the definitions already.
    func checkDefinable(_ change: String, during transfers: Set<String>) throws {
        guard let transfer = state.withLock({ $0.transfer }), transfers.contains(transfer) else { return }
        throw ODataError(.conflict, "\(change) while the \(transfer) runs: do it afterwards.")
    }

    /// Runs `body` while no other download or upload runs.
    func transferring<Result>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        try beginTransfer(name)
        defer { endTransfer() }
        return try await learning(body)
    }

    /// The same for operations without the network.
    func transferringNow<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        try beginTransfer(name)
        defer { endTransfer() }
        return try body()
    }

    private func endTransfer() { state.withLock { $0.transfer = nil } }

    private func beginTransfer(_ name: String) throws {
        try checkOpen()
        try database.checkWritable(for: "The \(name) is")
        try state.withLock { state in
            if let running = state.transfer {
                throw ODataError(.conflict, "The \(name) cannot start while another \(running) runs.")
            }
            state.transfer = name
        }
        transferBoard.expectRun()
    }

    /// Runs `body`, which stores streams in the media folder and then refers to them in a transaction.
    func writingMedia<Result>(_ body: () async throws -> Result) async throws -> Result {
        mediaWriters.withLock { $0 += 1 }
        defer { mediaWriters.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Runs `body` unless a stream is being stored in the media folder; none can be begun meanwhile. Nothing is done
    /// for a database that a rebuild fills.
    ///
    /// - Returns: Whether it was done.
    @discardableResult
    func whileNoMediaIsWritten(_ body: () throws -> Void) throws -> Bool {
        guard !isFilling else { return false }
        return try mediaWriters.withLock { writers in
            guard writers == 0 else { return false }
            try body()
            return true
        }
    }
}

extension ODataError {
    fileprivate static var neverOpened: ODataError {
        ODataError(.unreachable, "The store has no metadata yet: open it once with the service at hand.")
    }
}
