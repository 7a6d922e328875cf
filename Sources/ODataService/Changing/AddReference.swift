import ODataFormats
import ODataQuery
import ODataStores

/// `POST Categories(1)/Products/$ref`, `PUT Products(1)/Category/$ref`: `{"@odata.id":"Categories(2)"}`
///
/// [OData-Protocol, sections 11.4.6.1 and 11.4.6.3]
struct AddReference: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let id = try JSONPayload.reference(try await call.jsonBody())
        return try call.changeRequest(try call.query().path, .addReference(call.reference(id)))
    }
}

/// `DELETE Products(1)/Category/$ref`, `DELETE Categories(1)/Products/$ref?$id=Products(1)`,
/// `DELETE Categories(1)/Products(1)/$ref`
///
/// [OData-Protocol, section 11.4.6.2]
struct RemoveReference: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        if let id = call.request.parts["$id"] {
            return try call.changeRequest(path, .removeReference(call.reference(id)))
        }
        let resource = path.resource
        if case .key = resource.segments.last, resource.segments.count > 1 {
            let collection = ResourcePath(root: resource.root, segments: Array(resource.segments.dropLast()))
            return try call.changeRequest(collection.appending(.ref), .removeReference(.path(resource)))
        }
        guard path.target == .entity else {
            throw ServiceFailure(.badRequest, "Say with $id which reference is taken out of the collection.")
        }
        return try call.changeRequest(path, .removeReference(nil))
    }
}
