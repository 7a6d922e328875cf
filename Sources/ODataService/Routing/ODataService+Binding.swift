import HTTPTypes
import ODataModel
import ODataQuery
import ODataTransport

extension ODataService {
    /// Query options that the service reads and the parser does not need.
    private static let ownOptions: Set<String> = ["$format", "$id"]

    /// Checks what every request must keep to, and binds its URL.
    ///
    /// A part of a body (`Upload-Complete: ?0`) arrives here inside a batch only. Whatever it is sent to, it would be
    /// taken for the whole.
    func bind(_ request: ServiceRequest) async throws -> ServiceCall {
        let version = try checkedVersion(of: request)
        let metadata = try await metadata.published(store.model(), for: self)
        let key = BoundURL.key(of: request)
        if let key, let known = known(request, key, metadata, version) { return known }
        let rewritten = try await QueryInBody.rewritten(request, limit: configuration.limits.payloadSize)
        return try bind(
            rewritten ?? request, for: rewritten == nil ? key : nil, metadata: metadata, version: version)
    }

    /// As ``bind(_:)`` for a GET request, with metadata that are there already; nil where the URL may be long in reading.
    func bindImmediately(_ request: ServiceRequest, metadata: PublishedMetadata) throws -> ServiceCall? {
        let version = try checkedVersion(of: request)
        guard let key = BoundURL.key(of: request), !request.parts.path.hasSuffix(QueryInBody.suffix) else { return nil }
        return try known(request, key, metadata, version)
            ?? bind(request, for: key, metadata: metadata, version: version)
    }

    private func checkedVersion(of request: ServiceRequest) throws -> ProtocolVersion {
        let version = try version(of: request)
        guard UploadFields.isComplete(request.headers) != false else {
            throw ServiceFailure(.notImplemented, "Uploads in a batch cannot be continued: send the whole at once.")
        }
        try Isolation.check(request.headers)
        let limits = configuration.limits
        guard request.url.utf8.count <= limits.urlLength else {
            throw ServiceFailure(.uriTooLong, "The URL is longer than the limit of \(limits.urlLength) bytes.")
        }
        return version
    }

    /// The call of a request whose URL was bound before.
    private func known(
        _ request: ServiceRequest, _ key: BoundURL.Key, _ metadata: PublishedMetadata, _ version: ProtocolVersion
    ) -> ServiceCall? {
        guard let known = metadata.boundURLs[key] else { return nil }
        var request = request
        request.isFormEncoded = known.isFormEncoded
        return call(request, known.resource, metadata, version)
    }

    /// - Parameter key: What the URL is kept by; nil for one that is not kept.
    private func bind(
        _ request: ServiceRequest, for key: BoundURL.Key?, metadata: PublishedMetadata, version: ProtocolVersion
    ) throws -> ServiceCall {
        var request = request
        let parser = request.isV2 ? metadata.v2Parser : metadata.parser
        request.isFormEncoded = parser.isFormEncoded(request.url)
        let entity = try EntityIDResource.rewritten(request)
        request.url = entity ?? request.url
        try SystemOptions.check(request)
        let url = request.parts.text(without: Self.ownOptions)
        let resource: BoundResource
        do {
            resource = try self.resource(url, batch: request.batch, parser: parser)
        } catch {
            try UnboundResource(request: request, model: metadata.model, parser: parser).checkMethod()
            throw error
        }
        if entity != nil { try EntityIDResource.check(resource) }
        try checkOptions(of: request, resource)
        let call = call(request, resource, metadata, version)
        try SchemaVersion.check(call)
        if let key, entity == nil {
            metadata.boundURLs.insert(BoundURL(resource: resource, isFormEncoded: request.isFormEncoded), for: key)
        }
        return call
    }

    private func call(
        _ request: ServiceRequest, _ resource: BoundResource, _ metadata: PublishedMetadata, _ version: ProtocolVersion
    ) -> ServiceCall {
        ServiceCall(
            service: self, request: request, metadata: metadata, resource: resource, version: version,
            preferences: Preferences(request.headers))
    }

    func version(of request: ServiceRequest) throws -> ProtocolVersion {
        request.isV2 ? .v2 : try ProtocolVersion(negotiatedFrom: request.headers)
    }

    private func checkOptions(of request: ServiceRequest, _ resource: BoundResource) throws {
        let parts = request.parts
        for name in Self.ownOptions.sorted() where parts.count(of: name) > 1 {
            throw ServiceFailure(.badRequest, "The query option \(name) is given twice.", target: name)
        }
        if parts["$id"] != nil {
            // `$id` says which reference a DELETE takes away, and nothing else.
            guard case .query(let query) = resource, query.path.suffix == .ref, request.method == .delete,
                query.path.target == .collection
            else {
                throw ServiceFailure(
                    .badRequest, "The query option $id is for DELETE of the /$ref of a collection only.", target: "$id")
            }
        }
        if case .query(let query) = resource {
            guard query.options.index == nil || request.method == .post && query.path.isCollectionOfValues else {
                throw ServiceFailure(
                    .badRequest, "The query option $index is for POST to a collection of values only.",
                    target: "$index")
            }
            try configuration.limits.check(query.options)
            return
        }
        let known: Set<String> = ["$format", "$schemaversion"]
        if let unknown = parts.options.first(where: { $0.name.hasPrefix("$") && !known.contains($0.name.lowercased()) })
        {
            throw ServiceFailure(.badRequest, "\(unknown.name) does not apply here.", target: unknown.name)
        }
    }

    /// A name that is unknown makes 404 in the path and 400 in the options.
    private func resource(_ url: String, batch: BatchScope?, parser: QueryParser) throws -> BoundResource {
        let contentIDs = batch?.groupSets ?? [:]
        do {
            return try parser.resource(url, contentIDs: contentIDs)
        } catch {
            guard error.code == .unknownName else { throw error }
            do {
                _ = try parser.resource(RequestURL(url).path, contentIDs: contentIDs)
            } catch {
                guard error.code == .unknownName else { throw error }
                throw ServiceFailure(.notFound, code: "notFound", error.description)
            }
            throw error
        }
    }
}

extension ResourcePath {
    fileprivate var isCollectionOfValues: Bool {
        guard case .property(let property) = target, suffix == nil else { return false }
        return property.type.isCollection
    }
}

/// `OData-Isolation: snapshot`: all parts of a request as of one moment, its pages too, which is not offered.
///
/// [OData-Protocol, section 8.2.4]
enum Isolation {
    static func check(_ headers: HTTPFields) throws {
        guard let wanted = headers[.oDataIsolation] ?? headers[.isolation] else { return }
        guard wanted.lowercased() == "snapshot" else {
            throw ServiceFailure(.badRequest, "The isolation \(wanted) is not known.")
        }
        throw ServiceFailure(.preconditionFailed, "Snapshot isolation is not supported.")
    }
}
