import ByteStreams
import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    public func read(_ request: ReadRequest) async throws -> ReadResult {
        try await withStreams(
            try await reads.response(to: request, pageSize: configuration.pageSize), of: request)
    }

    /// A stream in the store: a media stream, a stream property, or the raw value of a property. A stream of a query
    /// with streams that is not on the device, because it was evicted or not downloaded yet, is fetched from the
    /// service and stored.
    ///
    /// - Throws: ``ODataError`` `mediaNotInStore` if the stream is not on the device and cannot be fetched, `notFound`
    ///   if the path does not lead to an entity or to content; for properties that are null with the status 204.
    public func readStream(_ request: StreamRequest) async throws -> StreamResult {
        if case .property(let property) = request.path.target {
            return try await readRawValue(request, property)
        }
        let stored = try await reads.stream(at: request.path)
        let isAbsent = stored.isAbsent(from: self)
        observation.noteRead(of: "stream", isHit: !isAbsent)
        if isAbsent, let remote, !database.isReadOnly,
            let result = try await StreamRefresh(
                store: self, offline: offlineModel(), remote: remote, progress: { _ in }
            ).result(of: stored, for: request)
        {
            return result
        }
        return try stored.result(for: request, in: self)
    }

    var reads: StoreReads { StoreReads(state: state) }

    private func readRawValue(_ request: StreamRequest, _ property: EdmProperty) async throws -> StreamResult {
        let result = try await read(ReadRequest(BoundQuery(path: request.path.resource)))
        guard case .value(let value, _) = result.body, !value.isNull else { return .null }
        return StreamResult(rawValue: value)
    }
}

extension StreamResult {
    /// The raw value of a property.
    fileprivate init(rawValue value: EdmValue) {
        let (bytes, type) =
            if case .binary(let content) = value {
                (content, "application/octet-stream")
            } else {
                (Array(value.lexical.utf8), "text/plain;charset=utf-8")
            }
        self.init(content: ByteContent(bytes), contentType: type, totalLength: Int64(bytes.count))
    }
}
