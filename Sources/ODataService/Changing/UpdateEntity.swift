import ODataStores

/// `PATCH Products(1)`
///
/// [OData-Protocol, section 11.4.3]
struct UpdateEntity: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        return try call.changeRequest(path, .update(try await call.entityPayload(at: path)))
    }
}

/// `PUT Products(1)`
struct ReplaceEntity: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        return try call.changeRequest(path, .replace(try await call.entityPayload(at: path)))
    }
}

/// `DELETE Products(1)`
///
/// [OData-Protocol, section 11.4.5]
struct DeleteEntity: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        try call.changeRequest(try call.query().path, .delete)
    }
}
