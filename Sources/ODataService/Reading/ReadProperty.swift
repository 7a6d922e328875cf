import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// `GET Products(1)/Name`, and the value that a function gives.
///
/// [OData-Protocol, section 11.2.4]
struct ReadProperty: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.format()
        let query = try call.query()
        return try response(
            to: await call.store.read(call.readRequest(query)), path: query.path, format: format, call: call)
    }

    func response(
        to result: ReadResult, path: ResourcePath, format: ResponseFormat, call: ServiceCall
    ) throws -> ServiceResponse {
        switch result.body {
        case .value(.null, _), .nothing: return ServiceResponse(.noContent)
        case .notModified: return .notModified(etag: result.etag)
        case .value(let value, let type):
            var options = call.writerOptions(format, contextURL: ContextURL(call).property(path))
            if format.metadata == .none { options.contextURL = nil }
            let bytes = JSONPayload.bytes(
                value: value, type: type, model: call.model, options: options, count: result.count)
            var headers = HTTPFields()
            headers[.eTag] = result.etag
            return ServiceResponse(.ok, headers: headers, contentType: format.contentType, body: ByteContent(bytes))
        case .entities, .count: throw ODataError.noResult(of: "The read of a value")
        }
    }
}

/// `GET Products(1)/Name/$value`: text; bytes for `Edm.Binary`, well-known text for geography and geometry. 204 for a
/// property that is null, of V2 404.
///
/// [OData-Protocol, section 11.2.4.1; MS-ODATA, section 2.2.6.4.1]
struct ReadRawValue: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        var query = try call.query()
        let property: EdmProperty? = if case .property(let property) = query.path.target { property } else { nil }
        guard let type = property?.type ?? query.path.resource.valueType else {
            throw ServiceFailure(.notFound, "\(query.path.url) has no raw value.")
        }
        if property != nil, type == .primitive(.binary) { return try await ReadStream().respond(to: call) }
        switch type {
        case .primitive, .enumeration: break
        case .complex, .entity, .collection:
            throw ServiceFailure(.badRequest, "\(query.path.url) is of type \(type), which has no raw value.")
        }
        query.path = query.path.resource
        let result = try await call.store.read(call.readRequest(query))
        switch result.body {
        case .value(.null, _), .nothing:
            guard property == nil || !call.request.isV2 else {
                throw ServiceFailure(.notFound, "\(query.path.url) is null: it has no raw value.")
            }
            return ServiceResponse(.noContent)
        case .notModified: return .notModified(etag: result.etag)
        case .value(let value, _): return written(value, type, result: result, mediaType: property?.mediaType)
        case .entities, .count: throw ODataError.noResult(of: "The read of a value")
        }
    }

    private func written(
        _ value: EdmValue, _ type: EdmTypeReference, result: ReadResult, mediaType: String?
    ) -> ServiceResponse {
        let bytes: [UInt8]
        let contentType: String
        if case .binary(let value) = value {
            bytes = value
            contentType = mediaType ?? "application/octet-stream"
        } else {
            bytes = Array((value.wellKnownText(type) ?? value.lexical).utf8)
            contentType = mediaType ?? "text/plain;charset=utf-8"
        }
        var headers = HTTPFields()
        headers[.eTag] = result.etag
        headers.guardStoredContent(contentType)
        return ServiceResponse(.ok, headers: headers, contentType: contentType, body: ByteContent(bytes))
    }
}

extension EdmProperty {
    /// `Core.MediaType` of a text property, where it is a type of text.
    fileprivate var mediaType: String? {
        guard case .string(let type)? = annotation(EdmAnnotation.mediaType), MediaTypeSyntax.isWellFormed(type) else {
            return nil
        }
        return type
    }
}
