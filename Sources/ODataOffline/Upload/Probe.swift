import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// Asks the service what became of a request whose answer was lost.
struct Probe {
    let remote: any ODataStore
    let offline: OfflineModel
    let database: StoreDatabase

    enum Verdict {
        case executed(ChangeResult)
        /// Not executed, or sending it again does no harm: it is refused then, or changes nothing.
        case notExecuted
        case unknown([Entity])
    }

    /// The entity as the service has it; nil if it cannot be read.
    func entity(at path: ResourcePath) async -> Entity? {
        try? await remote.entities(BoundQuery(path: path)).first
    }

    /// What the service's state tells of a request before it is sent again.
    ///
    /// - Throws: ``ODataError`` if the service cannot be asked.
    func verdict(on request: ChangeRequest, of record: QueueRecord) async throws -> Verdict {
        switch request.operation {
        case .update(let payload), .replace(let payload): return try await verdict(payload, request)
        case .create(let payload): return try await verdict(onCreationOf: payload, request, record)
        // A second deletion finds nothing, a second reference is refused, and streams carry their ETag.
        case .delete, .addReference, .removeReference, .replaceStream, .deleteStream, .setValue, .setRawValue:
            return .notExecuted
        case .createMedia, .call, .insertValue: return .unknown([])
        }
    }

    private func verdict(_ payload: EntityPayload, _ request: ChangeRequest) async throws -> Verdict {
        if request.ifNoneMatch != nil { return .notExecuted }
        guard let entity = try await found(request.target), Self.has(entity, payload) else { return .notExecuted }
        return .executed(ChangeResult(.updated, entity: entity, path: request.target, etag: entity.etag))
    }

    private func verdict(
        onCreationOf payload: EntityPayload, _ request: ChangeRequest, _ record: QueueRecord
    ) async throws -> Verdict {
        guard let set = request.target.entitySet else { return .unknown([]) }
        if let key = EntityKey(of: set.type, in: payload.properties) {
            let path = ResourcePath(set, key: key)
            guard let entity = try await found(path), Self.has(entity, payload) else { return .notExecuted }
            return .executed(ChangeResult(.created, entity: entity, path: path, etag: entity.etag))
        }
        let candidates = try await self.candidates(payload, request, record)
        guard let entity = candidates.first else { return .notExecuted }
        guard candidates.count == 1, let key = entity.key else { return .unknown(candidates) }
        let path = ResourcePath(set, key: key)
        return .executed(ChangeResult(.created, entity: entity, path: path, etag: entity.etag))
    }

    /// Entities with all the values that were sent, without those that the store had before the request was made.
    private func candidates(
        _ payload: EntityPayload, _ request: ChangeRequest, _ record: QueueRecord
    ) async throws -> [Entity] {
        guard let table = offline.schema.tables[record.set] else { return [] }
        let conditions = payload.properties.members.compactMap { member in
            member.value.isComparable ? "\(member.name) eq \(member.value.urlLiteral)" : nil
        }
        var query = BoundQuery(path: request.target)
        if !conditions.isEmpty {
            let condition = conditions.joined(separator: " and ")
            do { query = try offline.parser.query("\(request.target.url)?$filter=\(condition)") } catch {
                throw ODataError(any: error)
            }
        }
        let found = try await remote.entities(query).filter { Self.has($0, payload) }
        return try await database.reading { db in
            try found.filter { entity in
                guard let id = try RowLookup(db: db, table: table).id(of: entity.key) else { return true }
                return id > record.row
            }
        }
    }

    private func found(_ path: ResourcePath) async throws -> Entity? {
        do { return try await remote.entities(BoundQuery(path: path)).first } catch let error as ODataError
            where error.code == .notFound || error.code == .gone
        { return nil }
    }

    private static func has(_ entity: Entity, _ payload: EntityPayload) -> Bool {
        payload.properties.members.allSatisfy { entity[$0.name] == $0.value }
    }

    /// The result of a request that was sent again and refused, if the service's state shows that it was executed
    /// before.
    func confirm(_ request: ChangeRequest, _ error: ODataError) async -> ChangeResult? {
        switch request.operation {
        case .update(let payload), .replace(let payload):
            guard error.code == .preconditionFailed else { return nil }
            return await confirm(payload, at: request.target, as: .updated)
        case .create(let payload):
            guard error.code == .conflict, let set = request.target.entitySet,
                let key = EntityKey(of: set.type, in: payload.properties)
            else { return nil }
            return await confirm(payload, at: ResourcePath(set, key: key), as: .created)
        case .addReference: return error.code == .conflict ? ChangeResult(.updated) : nil
        case .removeReference: return error.code == .notFound ? ChangeResult(.updated) : nil
        default: return nil
        }
    }

    private func confirm(
        _ payload: EntityPayload, at path: ResourcePath, as outcome: ChangeResult.Outcome
    ) async -> ChangeResult? {
        guard let entity = await entity(at: path), Self.has(entity, payload) else { return nil }
        return ChangeResult(outcome, entity: entity, path: path, etag: entity.etag)
    }
}

extension Value {
    /// Whether every service finds the value again by `eq`.
    fileprivate var isComparable: Bool {
        switch self {
        case .double, .binary, .complex, .collection, .geo: false
        default: true
        }
    }
}
