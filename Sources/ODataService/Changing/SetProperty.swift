import ByteStreams
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

/// `PUT Products(1)/Name`: `{"value":"Tea"}`
///
/// [OData-Protocol, section 11.4.9]
struct SetProperty: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        guard case .property(let property) = path.target else {
            throw ServiceFailure(.notFound, "\(path.url) is no property.")
        }
        let value = try JSONPayload.value(try await call.jsonBody(), type: property.type, model: call.model)
        return try call.changeRequest(path, .setValue(value))
    }
}

/// `PUT Products(1)/Name/$value`
struct SetRawValue: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        let path = try call.query().path
        let contentType = call.headers[.contentType]
        try call.checkContentEncoding()
        guard MediaType(contentType)?.isUTF8 ?? true else {
            throw ServiceFailure(.unsupportedMediaType, "Text must be UTF-8, not \(contentType ?? "").")
        }
        return try call.changeRequest(path, .setRawValue(try await call.collectedBody(), contentType: contentType))
    }
}

/// `DELETE Products(1)/Name`: null
struct DeleteProperty: ChangeHandler {
    func change(for call: ServiceCall) async throws -> ChangeRequest {
        try call.changeRequest(try call.query().path.resource, .setValue(.null))
    }
}
