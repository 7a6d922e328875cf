import HTTPTypes
import ODataModel
import ODataQuery

extension ODataService {
    /// Query options that the service reads and the parser does not need.
    private static let ownOptions: Set<String> = ["$format", "$id"]

    /// Checks what every request must keep to, and binds its URL.
    func bind(_ request: ServiceRequest) async throws -> ServiceCall {
        let version = try ProtocolVersion(negotiatedFrom: request.headers)
        guard request.url.utf8.count <= configuration.limits.urlLength else {
            throw ServiceFailure(
                .uriTooLong, "The URL is longer than the limit of \(configuration.limits.urlLength) bytes.")
        }
        let metadata = try await metadata.published(store.model())
        let url = request.parts.text(without: Self.ownOptions)
        let resource = try resource(url, batch: request.batch, parser: metadata.parser)
        try checkID(of: request, resource)
        return ServiceCall(
            service: self, request: request, metadata: metadata, resource: resource, version: version,
            preferences: Preferences(request.headers))
    }

    /// `$id` says which reference a DELETE takes away, and nothing else.
    private func checkID(of request: ServiceRequest, _ resource: BoundResource) throws {
        guard request.parts["$id"] != nil else { return }
        if case .query(let query) = resource, query.path.suffix == .ref, request.method == .delete { return }
        throw ServiceFailure(.badRequest, "The query option $id is for DELETE of a /$ref only.", target: "$id")
    }

    /// A name that is unknown makes 404 in the path and 400 in the options.
    private func resource(_ url: String, batch: BatchScope?, parser: QueryParser) throws -> BoundResource {
        let contentIDs = batch?.groupSets ?? [:]
        do {
            return try parser.resource(url, contentIDs: contentIDs)
        } catch {
            guard error.code == .unknownName else { throw error }
            do {
                _ = try parser.resource(RequestURL(url).path, contentIDs: contentIDs)
            } catch {
                guard error.code == .unknownName else { throw error }
                throw ServiceFailure(.notFound, code: "notFound", error.description)
            }
            throw error
        }
    }
}
