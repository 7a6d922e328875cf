import EncryptionKeys
import Foundation
import MediaIndexes
import ODataMedia
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

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
    let state: StoreState
    let streams: StoreMedia
    let remote: (any ODataStore)?
    let configuration: Configuration
    let liveQueries = LiveQueries()
    let transfers = RunningTransfers()
    let thumbnailTurns = FairQueue(count: 2)
    let transferBoard: TransferBoard
    let syncBoard = SyncBoard()
    let queueWatch = QueueWatch()
    let observation: StoreObservation

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
        try streams.clean()
    }

    init(
        folder: StoreFolder, database: StoreDatabase, media: FolderIndex, remote: (any ODataStore)?,
        configuration: Configuration, offline: OfflineModel?, isFilling: Bool = false, board: TransferBoard? = nil
    ) {
        self.folder = folder
        self.remote = remote
        self.configuration = configuration
        observation = StoreObservation(logger: configuration.logger)
        transferBoard =
            board
            ?? TransferBoard(
                limit: configuration.parallelStreams, hostLimit: configuration.parallelStreamsPerHost,
                batch: configuration.transferBatch)
        state = StoreState(database: database, offline: offline)
        streams = StoreMedia(folder: media, state: state, configuration: configuration, isFilling: isFilling)
        observe(database)
    }

    private func observe(_ database: StoreDatabase) {
        database.pool.add(transactionObserver: liveQueries)
        database.pool.add(transactionObserver: queueWatch)
    }

    /// Fetches the service's metadata if the store does not have them; otherwise the network is not needed.
    ///
    /// - Throws: ``ODataError`` of the remote store, or `badRequest` if a query that was added before does not fit
    ///   the model.
    public func open() async throws {
        try checkOpen()
        if state.knownModel == nil { try await models.fetch(from: remote) }
        if let csdl = configuration.localSets, !database.isReadOnly { try await addLocalSets(csdl: csdl) }
        if observation.instruments.hasMetrics { watchQueue() }
    }

    /// Ends the use of the folder, and live queries. Calls after it throw `cancelled`. The database is one file then,
    /// `store.sqlite` or what ``databasePath(in:)`` says, unless another process reads it.
    public func close() throws {
        guard try state.close() else { return }
        do { try database.close() } catch {
            state.reopen()
            throw ODataError(.conflict, "The store cannot be closed while it is read.", cause: error)
        }
        liveQueries.finish()
        queueWatch.finish()
        syncBoard.finish()
        transferBoard.finish()
        // The old file, which a rebuild has kept for running reads.
        if !database.isReadOnly { try? folder.removeAbandoned() }
        streams.folder.close()
        folder.unlock()
    }

    /// The service's model, with the sets `RequestQueue`, `ErrorArchive` and `EventLog` of the store's own, and
    /// the app's client-only sets.
    public func model() async throws -> EdmModel { try offlineModel().model }
}

extension OfflineStore {
    var database: StoreDatabase { state.database }

    /// The media folder.
    var media: FolderIndex { streams.folder }

    func checkOpen() throws { try state.checkOpen() }

    /// The model of the service, and the store's parsers and executors.
    ///
    /// - Throws: As ``StoreState/working()``.
    func offlineModel() throws -> OfflineModel { try working().offline }

    func working() throws -> (offline: OfflineModel, database: StoreDatabase) { try state.working() }

    /// Uses another file from now on.
    func replace(_ database: StoreDatabase, _ offline: OfflineModel, as service: EdmModel) {
        observe(database)
        state.replace(database, offline, as: service)
        liveQueries.wake()
        queueWatch.wake()
    }

    /// Runs `body` while no other download or upload runs.
    func transferring<Result>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        try beginTransfer(name)
        defer { state.endTransfer() }
        return try await learning.learning(body)
    }

    /// The same for operations without the network.
    func transferringNow<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        try beginTransfer(name)
        defer { state.endTransfer() }
        return try body()
    }

    private func beginTransfer(_ name: String) throws {
        try state.beginTransfer(name)
        transferBoard.expectRun()
    }

    var learning: ServiceLearning { ServiceLearning(service: remote as? any LearningStore, state: state) }
}
