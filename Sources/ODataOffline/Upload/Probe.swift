import ODataModel
import ODataQuery
import ODataStores

/// Asks the service what became of a request whose answer was lost and whose repetition it refused.
struct Probe {
    let remote: any ODataStore

    /// The entity as the service has it; nil if it cannot be read.
    func entity(at path: ResourcePath) async -> Entity? {
        try? await remote.entities(BoundQuery(path: path)).first
    }

    /// The result of the lost request, if the service's state shows that it was executed.
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
        default: return nil
        }
    }

    private func confirm(
        _ payload: EntityPayload, at path: ResourcePath, as outcome: ChangeResult.Outcome
    ) async -> ChangeResult? {
        guard let entity = await entity(at: path),
            payload.properties.members.allSatisfy({ entity[$0.name] == $0.value })
        else { return nil }
        return ChangeResult(outcome, entity: entity, path: path, etag: entity.etag)
    }
}
