import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    /// The path of a URL that a user has typed: `Orders(1)`, `Photos(2)/$value`, `Employees(3)/Photo`. Temporary keys
    /// stand for their entities, before and after the upload.
    ///
    /// - Throws: ``ODataError`` `badRequest` with the name and position of the error.
    public func path(_ text: String) throws -> ResourcePath {
        let (offline, database) = try working()
        do {
            let path = try offline.parser.path(text)
            return try database.readBesideWriters { try PathResolver(db: $0, schema: offline.schema).resolve(path) }
        } catch {
            throw ODataError(any: error)
        }
    }

    /// The query of a URL that a user has typed, relative to the service root, percent-encoded or raw.
    ///
    /// - Throws: ``ODataError`` `badRequest` with the name and position of the error, `notImplemented`.
    public func query(_ url: String) async throws -> BoundQuery {
        do { return try offlineModel().parser.query(url) } catch { throw ODataError(any: error) }
    }

    /// Reads the JSON body of a create or update of the resource at `target`.
    ///
    /// - Throws: ``ODataError`` `badRequest` with the property in error.
    public func payload(_ json: String, for target: ResourcePath) async throws -> EntityPayload {
        let offline = try offlineModel()
        guard let type = target.entityType(in: offline.model) else {
            throw ODataError(.badRequest, "\(target.url) does not lead to entities.")
        }
        do {
            return try JSONPayload.entity(
                Array(json.utf8), type: type, model: offline.model, parser: offline.parser, serviceRoot: nil)
        } catch {
            throw ODataError(.badRequest, "The JSON text does not fit \(type.name): \(error)", cause: error)
        }
    }

    /// The reason why a result may be empty although the service has entities: a set without a defining query.
    public func notice(for query: BoundQuery) async throws -> String? {
        try await reads.unheldSets(of: query).map {
            "No defining query holds \($0): only entities made here can be found there."
        }
    }
}
