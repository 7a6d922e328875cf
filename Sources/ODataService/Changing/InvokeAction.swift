import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

/// `POST Products(1)/Model.Approve`: `{"comment":"fine"}`
///
/// [OData-Protocol, section 11.5.5]
struct InvokeAction: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let query = try call.query()
        guard let operation = query.path.lastCall?.operation else {
            throw ServiceFailure(.notFound, "\(query.path.url) is not an action.")
        }
        let bytes = try await call.jsonBody(mayBeEmpty: true)
        let arguments = try JSONPayload.parameters(bytes, of: operation, model: call.model)
        var change = try call.changeRequest(query.path, .call(arguments: arguments))
        change.resultOptions = query.options
        return change
    }
}

extension ServiceCall {
    /// What an action gave, as a read of it would return it.
    func response(toCalled result: ReadResult) async throws -> ServiceResponse {
        let format = try format()
        let query = try query()
        switch result.body {
        case .entities:
            return query.path.target == .collection
                ? try await ReadCollection().response(to: result, query: query, format: format, call: self)
                : try await ReadEntity().response(to: result, query: query, format: format, call: self)
        case .value: return try ReadProperty().response(to: result, path: query.path, format: format, call: self)
        case .count(let count): return ReadCount.response(count)
        case .nothing, .notModified: return ServiceResponse(.noContent)
        }
    }
}
