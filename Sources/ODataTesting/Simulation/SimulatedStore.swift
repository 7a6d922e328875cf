import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores
import Synchronization

/// A service that refuses changes for no reason, may not know repeated requests, and has quirks. Keys of new jobs and
/// parts come from their markers, so that no key is ever used again for another entity.
final class SimulatedStore: ODataStore {
    private let base: SQLiteStore
    private let setup: SimulationSetup
    private let dice: RandomFaults
    /// Requests that were executed: a repetition of one is not refused.
    private let executed = Mutex<Set<String>>([])

    init(_ base: SQLiteStore, setup: SimulationSetup, dice: RandomFaults) {
        self.base = base
        self.setup = setup
        self.dice = dice
    }

    func model() async throws -> EdmModel { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        let result = try await base.read(request)
        return setup.quirks.hidesETags ? result.withoutETags : result
    }

    func readStream(_ request: StreamRequest) async throws -> StreamResult {
        var result = try await base.readStream(request)
        if setup.quirks.hidesETags { result.etag = nil }
        return result
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        try refuse([request])
        let result = try await base.change(adjusted(request))
        note([request])
        return setup.quirks.hidesETags ? result.withoutETags : result
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        try refuse(requests)
        let results = try await base.changeSet(requests.map(adjusted))
        note(requests)
        return setup.quirks.hidesETags ? results.map(\.withoutETags) : results
    }

    private func refuse(_ requests: [ChangeRequest]) throws {
        if setup.quirks.refusesDeepInserts, let index = requests.firstIndex(where: \.isDeepInsert) {
            var error = ODataError(.notImplemented, "The service takes no deep inserts (by habit).")
            if requests.count > 1 { error.requestIndex = index }
            throw error
        }
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
        if !setup.recognisesRepeats { request.repeatability = nil }
        switch request.operation {
        case .create(let payload):
            let type = request.target.entitySet?.type
            let isNumbered = type?.key.first.flatMap { type?.property(named: $0) }?.type == .int64
            request.operation = .create(stored(payload, isNumbered: isNumbered))
        case .update(let payload): request.operation = .update(stored(payload))
        case .replace(let payload): request.operation = .replace(stored(payload))
        default: break
        }
        return request
    }

    /// A payload as the service keeps it.
    ///
    /// - Parameter isNumbered: New entities, those of a deep insert too, get a number as their key.
    private func stored(_ payload: EntityPayload, isNumbered: Bool = false) -> EntityPayload {
        var payload = payload
        if setup.quirks.storesUpperCase, case .string(let text)? = payload.properties["First"] {
            payload.properties["First"] = .string(text.uppercased())
        }
        if isNumbered, payload.properties["ID"] == nil, case .string(let marker)? = payload.properties["Marker"],
            let number = Int64(marker.dropFirst())
        {
            payload.properties["ID"] = .integer(1000 + number)
        }
        for index in payload.nested.indices {
            payload.nested[index].entities = payload.nested[index].entities.map {
                stored($0, isNumbered: isNumbered)
            }
        }
        return payload
    }
}

extension ChangeRequest {
    fileprivate var isDeepInsert: Bool {
        guard case .create(let payload) = operation else { return false }
        return !payload.nested.isEmpty
    }
}
