import ByteStreams
import HTTPTypes
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// `GET Products?$filter=…`: written while the store gives rows.
///
/// [OData-Protocol, section 11.2.6]
struct ReadCollection: ImmediateHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.format()
        let query = try call.query()
        return try await response(
            to: call.store.read(call.readRequest(query)), query: query, format: format, call: call)
    }

    func immediateResponse(to call: ServiceCall, from store: any ImmediateStore) throws -> ServiceResponse? {
        let format = try call.format()
        let query = try call.query()
        let result = store.immediateResult(of: call.readRequest(query), model: call.model)
        guard case .entities(let blocks, let shape) = result?.body else { return nil }
        let (headers, writer) = beginning(
            blocks.first, shape, tracksChanges: false, etag: result?.etag, query: query, format: format, call: call)
        return ServiceResponse(
            .ok, headers: headers, contentType: format.contentType,
            body: try ByteContent(blocks, writer: writer, call: call))
    }

    func response(
        to result: ReadResult, query: BoundQuery, format: ResponseFormat, call: ServiceCall
    ) async throws -> ServiceResponse {
        switch result.body {
        case .entities(let reader):
            return try await response(reader, result: result, query: query, format: format, call: call)
        case .notModified: return .notModified(etag: result.etag)
        case .nothing: return ServiceResponse(.noContent)
        case .value, .count: throw ODataError(.internalError, "The store gave no entities.")
        }
    }

    private func response(
        _ reader: any EntityReader, result: ReadResult, query: BoundQuery, format: ResponseFormat, call: ServiceCall
    ) async throws -> ServiceResponse {
        // The first rows are read before the header goes out, so that an error gets its status.
        let first = try await reader.next()
        let (headers, writer) = beginning(
            first, reader.shape, tracksChanges: result.tracksChanges, etag: result.etag, query: query, format: format,
            call: call)
        return ServiceResponse(
            .ok, headers: headers, contentType: format.contentType,
            body: try await ByteContent(reader, first: first, writer: writer, call: call))
    }

    /// - Parameter first: The first rows; nil if there are none.
    private func beginning(
        _ first: RowBlock?, _ shape: RowShape, tracksChanges: Bool, etag: String?, query: BoundQuery,
        format: ResponseFormat, call: ServiceCall
    ) -> (HTTPFields, JSONEntityWriter) {
        let isDelta = isDelta(query.options, first: first)
        let context = ContextURL(call).entities(query, suffix: isDelta ? "/$delta" : "")
        let options = call.writerOptions(format, contextURL: context, shape: shape, isDelta: isDelta)
        var headers = HTTPFields()
        if let etag { headers[.eTag] = etag }
        headers[.preferenceApplied] = call.preferences.applied(
            (call.isPageSizeApplied ? ["maxpagesize"] : []) + (tracksChanges ? ["track-changes"] : [])
                + (isDelta ? [] : ["omit-values"])
                + (first?.annotationTerms.isEmpty == false ? ["include-annotations"] : []))
        let writer = JSONEntityWriter(call.metadata.layout(shape, options), kind: .collection, options: options)
        return (headers, writer)
    }

    /// A link with both tokens continues a first read whose changes are tracked.
    private func isDelta(_ options: QueryOptions, first: RowBlock?) -> Bool {
        (options.deltaToken != nil && options.skipToken == nil)
            || first?.rows.contains { $0.change != .entity } == true
    }
}
