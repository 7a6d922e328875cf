import ODataStores

/// Answers a request that changes something: what it asks of the store can go into a change set.
protocol ChangeHandler: RequestHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest
}

extension ChangeHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let request = try await change(for: call)
        let result = try await call.store.change(request)
        return try await ChangeResponse(call: call, request: request).response(result)
    }
}
