import ODataModel
import ODataStores
import Synchronization

/// A service whose metadata change: passes everything on to the store of the moment.
final class SwitchingStore: ODataStore {
    private let state: Mutex<(store: any ODataStore, metadataError: ODataError?)>

    init(_ store: any ODataStore) { state = Mutex((store, nil)) }

    private var store: any ODataStore { state.withLock { $0.store } }

    func use(_ store: any ODataStore) { state.withLock { $0.store = store } }

    func loseMetadata(_ error: ODataError) { state.withLock { $0.metadataError = error } }

    func model() async throws -> EdmModel {
        if let error = state.withLock({ $0.metadataError }) { throw error }
        return try await store.model()
    }

    func read(_ request: ReadRequest) async throws -> ReadResult { try await store.read(request) }

    func change(_ request: ChangeRequest) async throws -> ChangeResult { try await store.change(request) }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await store.changeSet(requests) }

    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await store.readStream(request) }
}
