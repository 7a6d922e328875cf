import HTTPTypes
import ODataQuery

/// `$entity?$id=Products(1)`: an entity by its id.
///
/// [OData-URL, section 4.16]
enum EntityIDResource {
    /// The URL of the entity itself, with the other options: `Products(1)?$select=Name`; nil for other URLs.
    ///
    /// - Throws: 400 without an id, 404 for an id that is not of this service.
    static func rewritten(_ request: ServiceRequest) throws -> String? {
        let parts = request.parts
        guard parts.path == "$entity" || parts.path.hasPrefix("$entity/") else { return nil }
        guard let id = parts["$id"], !id.isEmpty else {
            throw ServiceFailure(.badRequest, "Say with $id which entity is meant.", target: "$id")
        }
        guard let relative = ServiceRoot(request.root).relative(reference: id), !relative.contains("?") else {
            throw ServiceFailure(.notFound, "The id \(id) is not of this service.", target: "$id")
        }
        let rest = RequestURL(parts.text(without: ["$id"]))
        let path = relative + rest.path.dropFirst("$entity".count)
        let options = rest.text(without: []).dropFirst(rest.path.count)
        return path + options
    }

    /// - Throws: 400 where the id is of something else than one entity.
    static func check(_ resource: BoundResource) throws {
        if case .query(let query) = resource, query.path.target == .entity, query.path.suffix == nil { return }
        throw ServiceFailure(.badRequest, "The value of $id is not the id of an entity.", target: "$id")
    }
}
