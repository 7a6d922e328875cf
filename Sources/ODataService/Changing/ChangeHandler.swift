import ODataStores

/// Responds to a request that changes something: what it asks of the store can go into a change set.
protocol ChangeHandler: RequestHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest
}

extension ChangeHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let response = ChangeResponse(call: call, request: try await change(for: call))
        try response.checkFormat()
        return try await response.response(try await call.store.change(response.request))
    }
}
