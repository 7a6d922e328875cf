import ODataQuery
import ODataStores

/// `PATCH Products(1)`, `PUT Products(1)`, which create where there is nothing
///
/// [OData-Protocol, sections 11.4.3 and 11.4.4]
struct UpdateEntity: ChangeHandler {
    var replaces = false

    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        try await call.checkBeforeBody(path)
        let payload = try await call.entityPayload(at: path, isUpdate: true)
        var change = try call.changeRequest(path, replaces ? .replace(payload) : .update(payload))
        change.allowsCreate = call.allowsCreate
        return change
    }
}

/// `PATCH Products/$filter(Price gt 5)/$each`
///
/// [OData-Protocol, section 11.4.13: Update Members of a Collection]
struct UpdateMembers: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let query = try call.query()
        let payload = try await call.entityPayload(at: query.path, isUpdate: true)
        var change = try call.changeRequest(query.path, .update(payload))
        change.resultOptions = query.options
        return change
    }
}

/// `DELETE Products(1)`, `DELETE Products/$filter(Price gt 5)/$each`
///
/// [OData-Protocol, sections 11.4.5 and 11.4.14]
struct DeleteEntity: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        try call.changeRequest(try call.query().path, .delete)
    }
}

extension ServiceCall {
    /// Whether an update may create: never with `If-Match`, and not where the set takes no inserts.
    ///
    /// [OData-Protocol, section 11.4.4: Upsert an Entity]
    fileprivate var allowsCreate: Bool {
        guard service.configuration.allowsUpsert, headers[.ifMatch] == nil, case .query(let query) = resource else {
            return false
        }
        return query.path.entitySet?.restrictedMethods.contains(.post) != true
    }

    /// Refuses the update of an entity that is not what the request's conditions say, or is not there, where the client
    /// has not sent the body yet and waits for what the headers lead to.
    ///
    /// [RFC 9110, section 10.1.1]
    fileprivate func checkBeforeBody(_ path: ResourcePath) async throws {
        guard headers[.expect]?.lowercased() == "100-continue",
            let space = (store as? any UploadKeepingStore)?.uploadSpace
        else { return }
        var change = try changeRequest(path, .update(EntityPayload()))
        change.allowsCreate = allowsCreate
        try await space.check(change)
    }

    /// The members that `/$each` changed, as a read of their collection would give them.
    func response(toMembers result: ReadResult) async throws -> ServiceResponse {
        var query = try query()
        query.path.segments.removeLast()
        return try await ReadCollection().response(to: result, query: query, format: format(), call: self)
    }
}
