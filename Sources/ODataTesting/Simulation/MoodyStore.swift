import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization

/// A service that refuses changes for no reason, and may not know repeated requests. Keys of new jobs and parts come
/// from their markers, so that no key is ever used again for another entity.
final class MoodyStore: ODataStore {
    private let base: SQLiteStore
    private let recognisesRepeats: Bool
    private let dice: FaultDice
    /// Requests that were executed: a repetition of one is not refused.
    private let executed = Mutex<Set<String>>([])

    init(_ base: SQLiteStore, recognisesRepeats: Bool, dice: FaultDice) {
        self.base = base
        self.recognisesRepeats = recognisesRepeats
        self.dice = dice
    }

    func model() async throws -> Model { try await base.model() }
    func read(_ request: ReadRequest) async throws -> ReadResult { try await base.read(request) }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        try refuse([request])
        let result = try await base.change(adjusted(request))
        note([request])
        return result
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        try refuse(requests)
        let results = try await base.changeSet(requests.map(adjusted))
        note(requests)
        return results
    }

    private func refuse(_ requests: [ChangeRequest]) throws {
        let isRepeated = executed.withLock { executed in
            requests.contains { executed.contains($0.repeatability?.requestID ?? "") }
        }
        guard !isRepeated, var error = dice.refusal() else { return }
        if requests.count > 1 { error.requestIndex = 0 }
        throw error
    }

    private func note(_ requests: [ChangeRequest]) {
        executed.withLock { $0.formUnion(requests.compactMap { $0.repeatability?.requestID }) }
    }

    private func adjusted(_ request: ChangeRequest) -> ChangeRequest {
        var request = request
        if !recognisesRepeats { request.repeatability = nil }
        guard case .create(var payload) = request.operation, payload.properties["ID"] == nil,
            request.target.entitySet?.type.key.first.flatMap({ request.target.entitySet?.type.property(named: $0) })?
                .type == .int64,
            case .string(let marker)? = payload.properties["Marker"], let number = Int64(marker.dropFirst())
        else { return request }
        payload.properties["ID"] = .integer(1000 + number)
        request.operation = .create(payload)
        return request
    }
}
