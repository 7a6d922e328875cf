import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// `GET Products(1)`, `GET Products(1)/Category`
///
/// [OData-Protocol, section 11.2.2]
struct ReadEntity: ImmediateHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.format()
        let query = try call.query()
        return try await response(
            to: call.store.read(call.readRequest(query)), query: query, format: format, call: call)
    }

    func immediateResponse(to call: ServiceCall, from store: any ImmediateStore) throws -> ServiceResponse? {
        let format = try call.format()
        let query = try call.query()
        guard let result = store.immediateResult(of: call.readRequest(query), model: call.model) else { return nil }
        switch result.body {
        case .entities(let blocks, let shape):
            return try response(to: blocks, shape, etag: result.etag, query: query, format: format, call: call)
        case .notModified: return .notModified(etag: result.etag)
        }
    }

    func response(
        to result: ReadResult, query: BoundQuery, format: ResponseFormat, call: ServiceCall
    ) async throws -> ServiceResponse {
        switch result.body {
        case .entities(let reader):
            var blocks: [RowBlock] = []
            while let block = try await reader.next() { blocks.append(block) }
            return try response(to: blocks, reader.shape, etag: result.etag, query: query, format: format, call: call)
        case .notModified: return .notModified(etag: result.etag)
        case .nothing: return ServiceResponse(.noContent)
        case .value, .count: throw ODataError(.internalError, "The store gave no entity.")
        }
    }

    private func response(
        to blocks: [RowBlock], _ shape: RowShape, etag: String?, query: BoundQuery, format: ResponseFormat,
        call: ServiceCall
    ) throws -> ServiceResponse {
        let blocks = blocks.filter { !$0.rows.isEmpty }
        guard let first = blocks.first, let header = first.rows.first else { throw ODataError.noSuchEntity }
        let context = ContextURL(call).entities(query, suffix: "/$entity")
        let options = call.writerOptions(format, contextURL: context, shape: shape)
        var writer = JSONEntityWriter(call.metadata.layout(shape, options), kind: .entity, options: options)
        writer.begin(count: nil)
        for block in blocks { writer.write(block) }
        writer.end(nextLink: nil, deltaLink: nil)
        let isAnnotated = blocks.contains { !$0.annotationTerms.isEmpty }
        var headers = HTTPFields()
        headers[.eTag] = etag ?? first.text(header.etag)
        headers[.preferenceApplied] = call.preferences.applied(
            ["omit-values"] + (isAnnotated ? ["include-annotations"] : []))
        return ServiceResponse(
            .ok, headers: headers, contentType: format.contentType, body: ByteContent(writer.takeBytes()))
    }
}
