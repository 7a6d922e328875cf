import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores

/// `GET Products(1)/Name`
///
/// [OData-Protocol, section 11.2.4]
struct ReadProperty: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.format()
        let query = try call.query()
        let result = try await call.store.read(call.readRequest(query))
        switch result.body {
        case .value(.null, _), .nothing: return ServiceResponse(.noContent)
        case .notModified: return .notModified(etag: result.etag)
        case .value(let value, let type):
            let context = format.metadata == .none ? nil : ContextURL(call).property(query.path)
            let bytes = JSONPayload.bytes(
                value: value, type: type, model: call.model, contextURL: context,
                ieee754Compatible: format.isIEEE754Compatible)
            var headers = HTTPFields()
            headers[.eTag] = result.etag
            return ServiceResponse(.ok, headers: headers, contentType: format.contentType, body: ByteContent(bytes))
        case .entities, .count: throw ODataError(.internalError, "The store gave no value.")
        }
    }
}

/// `GET Products(1)/Name/$value`: text; bytes for `Edm.Binary`.
///
/// [OData-Protocol, section 11.2.4.1]
struct ReadRawValue: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        var query = try call.query()
        guard case .property(let property) = query.path.target else {
            throw ServiceFailure(.notFound, "\(query.path.url) has no raw value.")
        }
        switch property.type {
        case .primitive(.binary): return try await ReadStream().respond(to: call)
        case .primitive, .enumeration: break
        case .complex, .entity, .collection:
            throw ServiceFailure(.badRequest, "\(property.name) is of type \(property.type), which has no raw value.")
        }
        query.path = query.path.resource
        let result = try await call.store.read(call.readRequest(query))
        switch result.body {
        case .value(.null, _), .nothing: return ServiceResponse(.noContent)
        case .notModified: return .notModified(etag: result.etag)
        case .value(let value, _):
            var headers = HTTPFields()
            headers[.eTag] = result.etag
            return ServiceResponse(
                .ok, headers: headers, contentType: "text/plain;charset=utf-8",
                body: ByteContent(Array(value.lexical.utf8)))
        case .entities, .count: throw ODataError(.internalError, "The store gave no value.")
        }
    }
}
