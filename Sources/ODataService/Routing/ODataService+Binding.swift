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
        return ServiceCall(
            service: self, request: request, metadata: metadata,
            resource: try resource(url, batch: request.batch, parser: metadata.parser), version: version,
            preferences: Preferences(request.headers))
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
