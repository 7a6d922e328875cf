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
    private let isReadOnly: Bool

    /// Takes the store in a folder, or makes one. Sends nothing: ``open()`` is next.
    ///
    /// - Parameters:
    ///   - folder: Belongs to the store alone.
    ///   - root: The URL of the service.
    ///   - isReadOnly: For lists while another process has the store open, and changes it.
    /// - Throws: `ODataError` `unusableStore` while another process has the store open.
    public init(folder: String, service root: String, isReadOnly: Bool = false) throws {
        #if canImport(Darwin)
            let transport = URLSessionTransport()
        #else
            let transport = AsyncHTTPTransport()
        #endif
        let service = try OnlineStore(serviceRoot: root, transport: transport)
        store = try OfflineStore(folder: folder, remote: service, isReadOnly: isReadOnly)
        field = FieldService(store)
        self.isReadOnly = isReadOnly
    }

    /// Reads the metadata of the service, the first time, and declares the data of the store, which the next download
    /// fetches.
    ///
    /// - Throws: `ODataError` `unreachable` the first time without the service.
    public func open() async throws {
        try await store.open()
        guard !isReadOnly else { return }
        try await store.setQueries([
            DefiningQuery(name: "work", query: field.workOrders.expand(\.inspections).url),
            DefiningQuery(name: "photos", query: field.photos.url, retrievesStreams: true),
        ])
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
