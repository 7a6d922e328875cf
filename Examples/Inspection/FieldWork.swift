import OData

#if canImport(Darwin)
    import URLSessionTransport
#else
    import AsyncHTTPTransport
#endif

/// The work of an inspector: what was taken along from the service, what was changed since, and the way back.
///
/// The service must be reachable when a folder is used for the first time, and for ``sync()``. All else needs no network.
public final class FieldWork: Sendable {
    public let store: OfflineStore
    /// The entity sets as collections of structures, which the build plugin has written: `field.inspections`.
    public let field: FieldService

    /// Opens the store in a folder, or makes one.
    ///
    /// - Parameters:
    ///   - folder: Belongs to the store alone.
    ///   - root: The URL of the service.
    ///   - isReadOnly: For lists while another process has the store open, and changes it.
    /// - Throws: `ODataError`: `unreachable` the first time without the service, `unusableStore` while another process
    ///   has the store open.
    public init(folder: String, service root: String, isReadOnly: Bool = false) async throws {
        #if canImport(Darwin)
            let transport = URLSessionTransport()
        #else
            let transport = AsyncHTTPTransport()
        #endif
        let service = try OnlineStore(serviceRoot: root, transport: transport)
        store = try OfflineStore(folder: folder, remote: service, isReadOnly: isReadOnly)
        field = FieldService(store)
        try await store.open()
        if !isReadOnly { try await define() }
    }

    /// The data of the store, which the next download fetches.
    private func define() async throws {
        let wanted = [
            DefiningQuery(name: "work", query: field.workOrders.expand(\.inspections).url),
            DefiningQuery(name: "photos", query: field.photos.url, retrievesStreams: true),
        ]
        let known = Set(try await store.queries.map(\.name))
        for query in wanted where !known.contains(query.name) { try store.addQuery(query) }
    }

    public func close() throws { try store.close() }

    /// Sends what waits, then fetches what is new.
    ///
    /// What the service refuses stays in the queue and is in the report; nothing is sent twice or lost where the
    /// connection breaks.
    ///
    /// - Throws: `ODataError` `unreachable` without the service.
    public func sync() async throws -> (sent: UploadReport, received: DownloadReport) {
        let sent = try await store.upload()
        return (sent, try await store.download())
    }
}
