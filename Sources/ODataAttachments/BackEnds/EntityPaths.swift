import ODataModel
import ODataOffline
import ODataQuery
import ODataStores

/// Paths of a store by their text.
struct EntityPaths: Sendable {
    let store: any ODataStore

    /// `Inspections(1)/Photos`. In an offline store keys that were made there stand for those that the service has
    /// given since.
    ///
    /// - Throws: ``ODataError`` `badRequest` that reports the name and position at fault.
    func path(_ text: String) async throws -> ResourcePath {
        if let store = store as? OfflineStore { return try store.path(text) }
        do { return try QueryParser(model: try await store.model()).path(text) } catch { throw ODataError(any: error) }
    }

    /// The path of an entity.
    func entity(_ text: String) async throws -> ResourcePath {
        let path = try await path(text).resource
        guard path.target == .entity else { throw ODataError(.badRequest, "\(text) does not lead to an entity.") }
        return path
    }

    /// - Throws: ``ODataError`` `notFound`.
    func read(_ path: ResourcePath, _ options: QueryOptions = QueryOptions()) async throws -> EdmEntity {
        guard let entity = try await store.entities(BoundQuery(path: path, options: options)).first else {
            throw ODataError(.notFound, "\(path.url) is not there.")
        }
        return entity
    }

    /// Deletes the entity of an attachment, unless it is another version by now.
    func delete(_ attachment: RemoteAttachment) async throws {
        var request = ChangeRequest(try await entity(attachment.id), .delete)
        request.ifMatch = attachment.etag
        _ = try await store.provenChange(request)
    }
}
