import ByteStreams
import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataStores

/// `GET /v2/`
struct ReadV2ServiceDocument: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let format = try call.v2Format()
        return ServiceResponse(
            .ok, contentType: format.contentType(.serviceDocument),
            body: ByteContent(format.serviceDocument(model: call.model, serviceRoot: call.root.url)))
    }
}

/// `GET /v2/$metadata`
struct ReadV2Metadata: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        try call.metadata.document(.v2, call.version).response(to: call)
    }
}

extension LegacyEntityWriter: RowWriter {}

/// `GET /v2/Products?$filter=substringof('a',Name)`
///
/// [OData V2: Atom, sections 2 and 3; JSON, section 6]
struct ReadV2Collection: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let result = try await call.store.read(call.readRequest(try call.query()))
        return try await response(to: result, call: call)
    }

    func response(to result: ReadResult, call: ServiceCall) async throws -> ServiceResponse {
        guard case .entities(let reader) = result.body else {
            return result.isNotModified ? .notModified(etag: result.etag) : ServiceResponse(.noContent)
        }
        let format = try call.v2Format()
        let first = try await reader.next()
        let path = try? call.query().path.legacyURL()
        let writer = LegacyEntityWriter(format, shape: reader.shape, kind: .collection, options: call.v2Options(path))
        return ServiceResponse(
            .ok, contentType: format.contentType(.feed),
            body: try await ByteContent(reader, first: first, writer: writer, call: call))
    }
}

/// `GET /v2/Products(1)`
struct ReadV2Entity: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let result = try await call.store.read(call.readRequest(try call.query()))
        return try await response(to: result, call: call)
    }

    func response(to result: ReadResult, call: ServiceCall) async throws -> ServiceResponse {
        guard case .entities(let reader) = result.body else {
            guard !result.isNotModified else { return .notModified(etag: result.etag) }
            throw ServiceFailure(.notFound, "There is no such entity.")
        }
        let format = try call.v2Format()
        var writer = LegacyEntityWriter(format, shape: reader.shape, kind: .entity, options: call.v2Options())
        var etag: String?
        var isFound = false
        writer.begin()
        while let block = try await reader.next() {
            guard let header = block.rows.first else { continue }
            if !isFound { etag = block.text(header.etag) }
            isFound = true
            writer.write(block)
            if let problem = writer.problem { throw ServiceFailure(.notAcceptable, problem) }
        }
        guard isFound else { throw ServiceFailure(.notFound, "There is no such entity.") }
        writer.end()
        var headers = HTTPFields()
        headers[.eTag] = result.etag ?? etag
        return ServiceResponse(
            .ok, headers: headers, contentType: format.contentType(.entry), body: ByteContent(writer.takeBytes()))
    }
}

/// `GET /v2/Products(1)/Name`, and the value that a function import gives.
struct ReadV2Value: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let result = try await call.store.read(call.readRequest(try call.query()))
        return try response(to: result, call: call)
    }

    func response(to result: ReadResult, call: ServiceCall) throws -> ServiceResponse {
        let path = try call.query().path
        let value: EdmValue
        let type: EdmTypeReference
        switch result.body {
        case .value(let found, let foundType): (value, type) = (found, foundType)
        case .nothing:
            guard let expected = path.valueType else { return ServiceResponse(.noContent) }
            (value, type) = (.null, expected)
        case .notModified: return .notModified(etag: result.etag)
        case .entities, .count: throw ODataError.noResult(of: "The read of a value")
        }
        let format = try call.v2Format()
        var headers = HTTPFields()
        headers[.eTag] = result.etag
        let property: EdmProperty? = if case .property(let property) = path.target { property } else { nil }
        let bytes: [UInt8]
        do throws(FormatError) {
            bytes = try format.bytes(
                value: value, name: property?.name ?? path.lastCall?.importName ?? "value", type: type,
                annotations: property?.annotations ?? [], model: call.model)
        } catch { throw ServiceFailure(.notAcceptable, error.message) }
        return ServiceResponse(
            .ok, headers: headers, contentType: format.contentType(.value), body: ByteContent(bytes))
    }
}

/// `GET /v2/Categories(1)/$links/Products`, `GET /v2/Products(1)/$links/Category`
struct ReadV2Links: RequestHandler {
    func respond(to call: ServiceCall) async throws -> ServiceResponse {
        let query = try call.query()
        let result = try await call.store.read(call.readRequest(query))
        guard case .entities(let reader) = result.body else {
            throw ServiceFailure(.notFound, "The navigation property is null.")
        }
        let format = try call.v2Format()
        var links: [String] = []
        var count: Int64?
        var nextLink: String?
        while let block = try await reader.next() {
            count = block.count ?? count
            nextLink = block.nextLink.map(call.v2Link) ?? nextLink
            for row in block.rows where row.depth == 0 {
                guard let id = block.text(row.id) else { continue }
                links.append(call.v2Link(id))
            }
        }
        if query.path.target == .collection {
            let bytes = format.bytes(references: links, count: count, nextLink: nextLink)
            return ServiceResponse(.ok, contentType: format.contentType(.value), body: ByteContent(bytes))
        }
        guard let link = links.first else { throw ServiceFailure(.notFound, "The navigation property is null.") }
        let bytes = format.bytes(reference: link, isResponse: true)
        return ServiceResponse(.ok, contentType: format.contentType(.value), body: ByteContent(bytes))
    }
}

extension ReadResult {
    var isNotModified: Bool { if case .notModified = body { true } else { false } }
}
