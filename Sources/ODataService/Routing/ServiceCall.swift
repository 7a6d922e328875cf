import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores

/// A request that is understood: bound to the model, with what it wishes for its response.
struct ServiceCall: Sendable {
    let service: ODataService
    var request: ServiceRequest
    let metadata: PublishedMetadata
    var resource: BoundResource
    let version: ProtocolVersion
    let preferences: Preferences

    var store: any ODataStore { service.store }
    var model: EdmModel { metadata.model }
    /// Reads URLs as the client writes them.
    var parser: QueryParser { request.isV2 ? metadata.v2Parser : metadata.parser }
    var root: ServiceRoot { ServiceRoot(request.root) }
    var headers: HTTPFields { request.headers }

    /// The scope that the store gets with each read and change of the request.
    var scope: WorkScope {
        WorkScope(
            timeLimit: service.configuration.limits.queryTime, client: request.context.sender,
            user: request.context.user)
    }

    /// The query of a resource that is not the service document, the metadata or a batch.
    func query() throws -> BoundQuery {
        guard case .query(let query) = resource else {
            throw ServiceFailure(.notFound, "\(request.url) is not a resource with data.")
        }
        return query
    }

    /// How a JSON response is written.
    func format() throws -> ResponseFormat {
        try ResponseFormat(formatOption: request.parts["$format"], accept: headers[.accept])
    }

    /// The same call for another path, for a response that shows an entity or a property after its change.
    func reading(_ path: ResourcePath) throws -> ServiceCall {
        var call = self
        var options = try query().options
        options.skipToken = nil
        options.deltaToken = nil
        call.resource = .query(BoundQuery(path: path, options: options))
        for name in [HTTPField.Name.ifMatch, .ifNoneMatch, .range, .ifRange] { call.request.headers[name] = nil }
        return call
    }
}
