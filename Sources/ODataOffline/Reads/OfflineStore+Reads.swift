import ByteStreams
import ODataModel
import ODataQuery
import ODataStores

extension OfflineStore {
    public func read(_ request: ReadRequest) async throws -> ReadResult {
        try await withStreams(
            try await reads.response(to: request, pageSize: configuration.pageSize).result, of: request)
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
        if stored.isAbsent(from: self), let remote, !database.isReadOnly,
            let result = try await fetch(stored, for: request, from: remote)
        {
            return result
        }
        return try stored.result(for: request, in: self)
    }

    var reads: StoreReads { StoreReads(state: state) }

    private func readRawValue(_ request: StreamRequest, _ property: EdmProperty) async throws -> StreamResult {
        let result = try await read(ReadRequest(BoundQuery(path: request.path.resource)))
        guard case .value(let value, _) = result.body, !value.isNull else { return .null }
        if case .binary(let bytes) = value {
            return StreamResult(
                content: ByteContent(bytes), contentType: "application/octet-stream", totalLength: Int64(bytes.count))
        }
        let bytes = Array(value.lexical.utf8)
        return StreamResult(
            content: ByteContent(bytes), contentType: "text/plain;charset=utf-8", totalLength: Int64(bytes.count))
    }

    /// Errors of the layers below as ``ODataError``.
    func mappingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw ODataError(any: error) }
    }
}
