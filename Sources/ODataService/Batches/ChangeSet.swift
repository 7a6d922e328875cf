import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

/// The requests of one change set: all are executed, or none.
///
/// [OData-Protocol, section 11.7.4: Change Sets; OData-JSON, section 19.2]
struct ChangeSet {
    /// Which request failed, and its response.
    struct Failure: Error {
        var index: Int
        var response: ServiceResponse
    }

    struct Response {
        /// What the request's URL was, with references to earlier requests filled in.
        var url: String
        var response: ServiceResponse
    }

    let service: ODataService
    let parts: [BatchPart]
    var scope: BatchScope
    private var prepared: [ChangeResponse] = []

    /// Whether the batch is of a V2 client.
    private let isV2: Bool
    /// The headers of the batch itself: its versions are those of its parts.
    private let headers: HTTPFields

    init(
        service: ODataService, parts: [BatchPart], scope: BatchScope, headers: HTTPFields, isV2: Bool = false
    ) {
        self.service = service
        self.headers = headers
        self.isV2 = isV2
        self.parts = parts
        self.scope = scope
    }

    /// - Parameter request: Makes a request of a part; nil if its URL is outside the service.
    /// - Throws: ``Failure``
    mutating func run(request: (BatchPart, BatchScope) -> ServiceRequest?) async throws -> [Response] {
        for (index, part) in parts.enumerated() {
            do {
                try await prepare(part, request: request)
            } catch {
                throw failure(error, at: index)
            }
        }
        let results: [ChangeResult]
        do {
            results = try await service.store.changeSet(prepared.map(\.request))
        } catch {
            throw failure(error, at: (error as? ODataError)?.requestIndex ?? 0)
        }
        return try await responses(results)
    }

    private mutating func prepare(_ part: BatchPart, request: (BatchPart, BatchScope) -> ServiceRequest?) async throws {
        scope.contentID = part.id
        guard let request = request(part, scope) else {
            throw ServiceFailure(.notFound, "\(part.url) is not in this service.")
        }
        let call = try await service.bind(request)
        guard let handler = try service.route(call).action as? any ChangeHandler else {
            throw ServiceFailure(.badRequest, "A change set takes changes only, not \(part.method) \(part.url).")
        }
        let change = ChangeResponse(call: call, request: try await handler.change(for: call))
        try change.checkFormat()
        prepared.append(change)
        if let id = part.id { scope.groupSets[id] = change.request.target.entitySet }
    }

    private func responses(_ results: [ChangeResult]) async throws -> [Response] {
        var responses: [Response] = []
        for (change, result) in zip(prepared, results) {
            let call = change.call
            let response = try await change.response(result)
            responses.append(
                Response(
                    url: call.request.url,
                    response: service.complete(response, to: call.request.method, version: call.version)))
        }
        return responses
    }

    private func failure(_ error: any Error, at index: Int) -> Failure {
        let position = parts.indices.contains(index) ? index : 0
        let part = parts[position]
        var fields = part.fields
        for name in [HTTPField.Name.oDataVersion, .oDataMaxVersion] where fields[name] == nil {
            fields[name] = headers[name]
        }
        let request = ServiceRequest(
            method: HTTPRequest.Method(rawValue: part.method) ?? .post, url: part.url, headers: fields,
            body: .empty, root: "", isV2: isV2)
        return Failure(index: position, response: service.render(error, to: request))
    }
}
