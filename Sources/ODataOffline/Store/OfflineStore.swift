import Foundation
import MediaFiles
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import Synchronization

/// A part of a service on the device: data and media of the defining queries, readable and changeable without
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
    let database: StoreDatabase
    let media: MediaFolder
    let remote: (any ODataStore)?
    let configuration: Configuration
    let liveQueries = LiveQueries()
    private let state = Mutex(State())
    /// How many callers put streams into the media folder that no committed row refers to yet.
    private let mediaWriters = Mutex(0)

    private struct State {
        var offline: OfflineModel?
        /// `download` or `upload` while one runs.
        var transfer: String?
        var isClosed = false
    }

    /// Opens the store in `folder`, or makes one. Nothing is asked of `remote`.
    ///
    /// - Throws: ``ODataError`` `unusableStore` if the folder is something else, of a newer version or in use;
    ///   `storage` if it cannot be made.
    public init(folder: String, remote: (any ODataStore)?, configuration: Configuration = .init()) throws {
        self.folder = try StoreFolder(path: folder)
        database = try StoreDatabase(path: self.folder.database)
        do { media = try MediaFolder(path: self.folder.media) } catch {
            throw ODataError(.storage, "The media folder cannot be used: \(error)", cause: error)
        }
        self.remote = remote
        self.configuration = configuration
        database.pool.add(transactionObserver: liveQueries)
        if let metadata = try database.read({ try Data.fetchOne($0, sql: Self.metadataQuery) }) {
            let offline = try OfflineModel(metadata: [UInt8](metadata))
            state.withLock { $0.offline = offline }
        }
        try database.write { try RequestQueue(db: $0).recover() }
        try cleanMedia()
    }

    private static let metadataQuery = #"SELECT "value" FROM "$store" WHERE "name" = 'metadata'"#

    /// Fetches the service's metadata if the store does not have it; else needs no network.
    ///
    /// - Throws: ``ODataError`` of the remote store, or `badRequest` if a query that was added before does not fit
    ///   the model.
    public func open() async throws {
        try checkOpen()
        guard state.withLock({ $0.offline == nil }) else { return }
        guard let remote else {
            throw ODataError(.unreachable, "The store has no metadata yet: open it once with the service at hand.")
        }
        let model = try await remote.model()
        let offline = try OfflineModel(service: model)
        let known = try await database.reading { try QueryRecord.all(in: $0).map(\.definition) }
        for query in known { _ = try QueryCheck(offline: offline).bound(query) }
        let xml = Data(CSDL.xml(model))
        // Read back what is kept, so that this opening works with the same model as all later ones.
        let kept = try OfflineModel(metadata: [UInt8](xml))
        try await database.writingDurably { db in try StoreValues(db: db).set("metadata", xml) }
        state.withLock { $0.offline = kept }
    }

    /// Ends the use of the folder, and live queries. Calls after it throw `cancelled`.
    public func close() throws {
        let wasOpen = try state.withLock { state in
            if let transfer = state.transfer {
                throw ODataError(.conflict, "The store cannot be closed while the \(transfer) runs.")
            }
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard wasOpen else { return }
        do { try database.pool.close() } catch {
            state.withLock { $0.isClosed = false }
            throw ODataError(.conflict, "The store cannot be closed while it is read.", cause: error)
        }
        liveQueries.finish()
        folder.unlock()
    }

    /// The service's model, with the sets `RequestQueue` and `ErrorArchive` of the store's own.
    public func model() async throws -> Model { try offlineModel().model }
}

extension OfflineStore {
    func checkOpen() throws {
        if state.withLock({ $0.isClosed }) { throw ODataError(.cancelled, "The store is closed.") }
    }

    /// What the store knows of the service.
    ///
    /// - Throws: ``ODataError`` if it has never been opened with the service at hand, or is closed.
    func offlineModel() throws -> OfflineModel {
        try checkOpen()
        guard let offline = state.withLock({ $0.offline }) else {
            throw ODataError(.unreachable, "The store has no metadata yet: open it once with the service at hand.")
        }
        return offline
    }

    var knownModel: OfflineModel? { state.withLock { $0.offline } }

    /// Does `body` while no other download or upload runs.
    func transferring<Result>(_ name: String, _ body: () async throws -> Result) async throws -> Result {
        try beginTransfer(name)
        defer { endTransfer() }
        return try await body()
    }

    /// The same for what needs no network.
    func transferringNow<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        try beginTransfer(name)
        defer { endTransfer() }
        return try body()
    }

    private func endTransfer() { state.withLock { $0.transfer = nil } }

    private func beginTransfer(_ name: String) throws {
        try checkOpen()
        try state.withLock { state in
            if let running = state.transfer {
                throw ODataError(.conflict, "The \(name) cannot start while another \(running) runs.")
            }
            state.transfer = name
        }
    }

    /// Does `body`, which puts streams into the media folder and then refers to them in a transaction.
    func writingMedia<Result>(_ body: () async throws -> Result) async throws -> Result {
        mediaWriters.withLock { $0 += 1 }
        defer { mediaWriters.withLock { $0 -= 1 } }
        return try await body()
    }

    /// Does `body` unless a stream is being put into the media folder; none can be begun meanwhile.
    func whileNoMediaIsWritten(_ body: () throws -> Void) throws {
        try mediaWriters.withLock { writers in
            if writers == 0 { try body() }
        }
    }
}
