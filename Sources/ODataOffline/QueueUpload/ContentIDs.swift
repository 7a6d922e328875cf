import ODataModel
import ODataQuery
import ODataStores

/// What earlier requests of a change set made: `$1`.
struct ContentIDs {
    private var paths: [String: ResourcePath] = [:]

    mutating func note(_ id: String?, _ path: ResourcePath?) {
        if let id, let path { paths[id] = path }
    }

    /// The request with paths in the place of content ids.
    func resolved(_ request: ChangeRequest) throws -> ChangeRequest {
        var request = request
        request.target = try resolved(request.target)
        switch request.operation {
        case .create(let payload): request.operation = .create(try resolved(payload))
        case .update(let payload): request.operation = .update(try resolved(payload))
        case .replace(let payload): request.operation = .replace(try resolved(payload))
        case .addReference(let reference): request.operation = .addReference(try resolved(reference))
        case .removeReference(let reference?): request.operation = .removeReference(try resolved(reference))
        default: break
        }
        return request
    }

    private func resolved(_ path: ResourcePath) throws -> ResourcePath {
        guard case .contentID(let id, _) = path.root else { return path }
        guard var made = paths[id] else {
            throw ODataError(.badRequest, "No earlier request of the change set has the content id \(id).")
        }
        made.segments += path.segments
        return made
    }

    private func resolved(_ payload: EntityPayload) throws -> EntityPayload {
        var payload = payload
        for index in payload.bindings.indices {
            payload.bindings[index].references = try payload.bindings[index].references.map(resolved)
        }
        return payload
    }

    private func resolved(_ reference: EntityReference) throws -> EntityReference {
        switch reference {
        case .path(let path): return .path(try resolved(path))
        case .url(let url):
            guard url.hasPrefix("$"), let path = paths[String(url.dropFirst())] else { return reference }
            return .path(path)
        }
    }
}
