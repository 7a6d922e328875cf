import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

extension OnlineStore {
    /// Sends a GET and reads the response: entities, a value or a count.
    ///
    /// [OData-Protocol, section 11.2]
    public func read(_ request: ReadRequest) async throws -> ReadResult {
        try await read(request, cacheUse: .asking).result
    }

    /// - Returns: Whether the result is what the cache had, besides the result.
    func read(_ request: ReadRequest, cacheUse: CacheUse) async throws -> (result: ReadResult, isCached: Bool) {
        let metadata = try await metadata(cacheUse == .only ? .only : .askingFirst)
        let model = metadata.model
        if let foreign = QuerySets(request.query).operations.first(where: { model.operations(named: $0).isEmpty }) {
            throw ODataError(.badRequest, "The service has no operation \(foreign).")
        }
        var outgoing = try outgoing(request, model: model, dialect: metadata.dialect)
        if !request.tracksChanges, !outgoing.url.isDelta { outgoing.cacheUse = cacheUse }
        let response = try await self.response(to: outgoing, request, metadata.dialect) { outgoing in
            try await self.response(
                to: outgoing, preferring: metadata.dialect.preferences(of: request), of: request)
        }
        var result = ReadResult(.nothing, etag: response.etag)
        result.tracksChanges = response.head.headerFields.appliesPreference("track-changes")
        switch response.status {
        case 204:
            guard request.query.path.resource.target != .collection else { throw response.missingCollection }
            result.body = .nothing
        case 304: result.body = .notModified
        default: result.body = try await body(of: response, request: request, model: model)
        }
        return (result, response.isCached)
    }

    /// What is at an entity, or below it, is asked for where the entity is changed, if that is elsewhere than its key
    /// reports; else where the key leads.
    private func response(
        to outgoing: OutgoingRequest, _ request: ReadRequest, _ dialect: ProtocolDialect,
        _ send: (OutgoingRequest) async throws -> OnlineResponse
    ) async throws -> OnlineResponse {
        guard request.continuation == nil, EditLinks.entity(of: request.query.path) != nil,
            let link = try service.editLinks.url(
                try dialect.url(of: request.query), of: request.query.path, dialect: dialect)
        else { return try await send(outgoing) }
        var elsewhere = outgoing
        elsewhere.url = try service.address.link(link)
        do { return try await send(elsewhere) } catch let error as ODataError
            where [.notFound, .gone, .methodNotAllowed, .notImplemented].contains(error.code)
        { return try await send(outgoing) }
    }

    /// ```
    /// GET /root/Products?$filter=Price%20gt%2020
    /// Accept: application/json;odata.metadata=minimal
    /// ```
    private func outgoing(
        _ request: ReadRequest, model: EdmModel, dialect: ProtocolDialect
    ) throws -> OutgoingRequest {
        let url =
            try request.continuation.map { try service.address.link($0, model: model) }
            ?? service.address.url(try dialect.url(of: request.query))
        var outgoing = OutgoingRequest(.get, url, accepted: [200, 204, 304], dialect: dialect)
        outgoing.fields[.accept] = request.query.path.accept(dialect)
        outgoing.fields[.ifMatch] = request.ifMatch
        outgoing.fields[.ifNoneMatch] = request.ifNoneMatch
        try outgoing.fields.append(request.headers)
        return outgoing
    }

    private func body(
        of response: OnlineResponse, request: ReadRequest, model: EdmModel
    ) async throws -> ReadResult.Body {
        let query = request.query
        let path = query.path
        if path.suffix == .count { return .count(try await count(response)) }
        if path.suffix == .ref, let format = response.legacyFormat {
            return try await references(response, format: format, query: query, model: model)
        }
        switch path.target {
        case .stream:
            throw ODataError(.badRequest, "The path leads to a stream: open it with readStream.")
        case .property(let property):
            let value =
                path.suffix == .value
                ? try await rawValue(response, type: property.type)
                : try await value(response, type: property.type, name: property.name, model: model)
            return .value(value, property.type)
        case .value(let type):
            return .value(try await value(response, type: type, name: query.path.valueName, model: model), type)
        case .nothing:
            throw ODataError(.badRequest, "The action \(path.url) has no result: it cannot be read.")
        case .collection, .entity:
            try await response.checkFormat()
            let shape = try RowShape.shape(of: query, model: model)
            let kind: PayloadKind = path.target == .collection ? .collection : .entity
            var limits = PayloadLimits.default
            limits.takesBadValuesAsNull = configuration.takesBadValuesAsNull
            let content = try request.onBytes.map(response.body.reporting) ?? response.body
            return .entities(
                OnlineReader(
                    response, content, shape: shape, kind: kind, service: service,
                    hasAnnotations: request.annotations != nil, limits: limits))
        }
    }

    /// `17` as `text/plain`; some services send a byte order mark or a line end with it.
    private func count(_ response: OnlineResponse) async throws -> Int64 {
        let bytes = try await response.bytes(upTo: 1024)
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
        guard let count = Int64(text), count >= 0 else { throw response.unexpected(beginning: bytes) }
        return count
    }

    /// `{"@odata.context":"…","value":12.50}`
    private func value(
        _ response: OnlineResponse, type: EdmTypeReference, name: String?, model: EdmModel
    ) async throws -> EdmValue {
        try await response.checkFormat()
        let bytes = try await response.bytes(upTo: configuration.maxResponseBytes)
        do {
            return try response.legacyFormat?.value(bytes, type: type, name: name, model: model)
                ?? JSONPayload.value(bytes, type: type, model: model)
        } catch {
            throw ODataError(reading: error, of: response.request)
        }
    }

    /// `12.50` as `text/plain`, or the bytes of a binary value.
    private func rawValue(_ response: OnlineResponse, type: EdmTypeReference) async throws -> EdmValue {
        let bytes = try await response.bytes(upTo: configuration.maxResponseBytes)
        if type == .primitive(.binary) { return .binary(bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        let value =
            response.request.dialect.isLegacy
            ? EdmValue(legacyText: text, type: type)
            : EdmValue(wellKnownText: text, type: type) ?? EdmValue(lexical: text, type: type)
        guard let value else { throw response.unexpected(beginning: bytes) }
        return value
    }
}

extension AbsoluteURL {
    /// Whether this is a delta link: its response is only good once.
    fileprivate var isDelta: Bool { target.contains("deltatoken=") }
}

extension ProtocolDialect {
    /// `Prefer: odata.maxpagesize=1000, odata.track-changes`
    fileprivate func preferences(of request: ReadRequest) -> [ReadPreference] {
        var preferences: [ReadPreference] = []
        if let size = request.maxPageSize { preferences.append(ReadPreference("maxpagesize", "\(size)")) }
        if request.tracksChanges { preferences.append(ReadPreference("track-changes")) }
        if let annotations = request.annotations, !isLegacy {
            preferences.append(
                ReadPreference("include-annotations", "\"\(annotations.filter { !"\"\\".contains($0) })\""))
        }
        return preferences
    }
}

extension ResourcePath {
    /// What a GET of this path asks for.
    fileprivate func accept(_ dialect: ProtocolDialect) -> String {
        switch (suffix, target) {
        case (.count, _): "text/plain"
        case (.value, _): "*/*"
        case (nil, .collection), (nil, .entity): dialect.accept
        default: dialect.acceptSmall
        }
    }
}
