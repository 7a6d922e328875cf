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
struct ReadEntity: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.format()
        let query = try call.query()
        return try await response(
            to: call.store.read(call.readRequest(query)), query: query, format: format, call: call)
    }

    func response(
        to result: ReadResult, query: BoundQuery, format: ResponseFormat, call: ServiceCall
    ) async throws -> ServiceResponse {
        switch result.body {
        case .entities(let reader):
            let context = ContextURL(call).entities(query, suffix: "/$entity")
            let options = call.writerOptions(format, contextURL: context, shape: reader.shape)
            let writer = JSONEntityWriter(call.metadata.layout(reader.shape, options), kind: .entity, options: options)
            let (bytes, etag, isAnnotated) = try await written(reader, writer)
            var headers = HTTPFields()
            headers[.eTag] = result.etag ?? etag
            headers[.preferenceApplied] = call.preferences.applied(
                ["omit-values"] + (isAnnotated ? ["include-annotations"] : []))
            return ServiceResponse(.ok, headers: headers, contentType: format.contentType, body: ByteContent(bytes))
        case .notModified: return .notModified(etag: result.etag)
        case .nothing: return ServiceResponse(.noContent)
        case .value, .count: throw ODataError(.internalError, "The store gave no entity.")
        }
    }

    private func written(
        _ reader: any EntityReader, _ writer: JSONEntityWriter
    ) async throws -> (bytes: [UInt8], etag: String?, isAnnotated: Bool) {
        var writer = writer
        var etag: String?
        var isFound = false
        var isAnnotated = false
        writer.begin(count: nil)
        while let block = try await reader.next() {
            guard let header = block.rows.first else { continue }
            if !isFound { etag = block.text(header.etag) }
            isFound = true
            isAnnotated = isAnnotated || !block.annotationTerms.isEmpty
            writer.write(block)
        }
        guard isFound else { throw ODataError.noSuchEntity }
        writer.end(nextLink: nil, deltaLink: nil)
        return (writer.takeBytes(), etag, isAnnotated)
    }
}
