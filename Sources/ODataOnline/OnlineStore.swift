import HTTPTypes
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// An OData V4 service over HTTP.
///
/// ```swift
/// let store = try OnlineStore(serviceRoot: "https://example.org/sales/", transport: AsyncHTTPTransport())
/// let query = try QueryParser(model: try await store.model()).query("Orders?$top=10&$expand=Items")
/// for order in try await store.entities(query) { print(order["Total"] ?? .null) }
/// ```
///
/// The metadata is fetched with the first request and kept. Answers are streamed: rows are read as they arrive, and
/// nothing is held that the caller does not hold.
///
/// [OData-Protocol]
public final class OnlineStore: ODataStore {
    /// How change sets are sent.
    ///
    /// [OData-Protocol, section 11.7; OData-JSON, section 19]
    public enum BatchEncoding: Hashable, Sendable {
        /// `multipart/mixed`, which every V4 service understands.
        case multipart
        /// JSON, since 4.01.
        case json
    }

    /// What a service needs beyond its URL.
    public struct Configuration: Sendable {
        /// Sees every request: authentication, retries, logs. Redirects are followed behind them.
        public var middleware: [any HTTPMiddleware] = []
        /// Redirects that are followed for one request; 0 for none.
        public var redirectLimit = 5
        /// The service's model where it is known; else `$metadata` is read.
        public var model: Model?
        /// The highest version that the service may answer with: `OData-MaxVersion`.
        public var maxVersion = "4.01"
        public var batchEncoding = BatchEncoding.multipart
        /// Sent with each request; to no other origin.
        public var headers: [HeaderField] = []
        /// Origins such as `https://cdn.example.org:443` that links to streams may lead to besides the service's.
        /// Secrets are not sent there.
        public var foreignOrigins: Set<String> = []
        /// The most bytes of an answer that is read whole: metadata, values, answers to changes.
        public var maxAnswerBytes = 64 * 1024 * 1024

        public init() {}
    }

    let service: ServiceConnection
    let configuration: Configuration
    private let cache: ModelCache

    /// - Parameter serviceRoot: An absolute URL, with or without a slash at its end.
    /// - Throws: ``ODataStores/ODataError`` with code `badRequest` if `serviceRoot` is no `http` or `https` URL, or has
    ///   a query or credentials in it.
    public init(
        serviceRoot: String, transport: any HTTPTransport, configuration: Configuration = Configuration()
    ) throws {
        let address = try ServiceAddress(serviceRoot, foreignOrigins: configuration.foreignOrigins)
        var middleware = configuration.middleware
        let headers = try HTTPFields(configuration.headers)
        if !headers.isEmpty { middleware.append(HeaderMiddleware(headers)) }
        if configuration.redirectLimit > 0 { middleware.append(RedirectMiddleware(limit: configuration.redirectLimit)) }
        let service = ServiceConnection(
            address: address, transport: transport.with(middleware), maxVersion: configuration.maxVersion,
            maxAnswerBytes: configuration.maxAnswerBytes)
        self.service = service
        self.configuration = configuration
        cache = ModelCache(configuration.model) { try await service.metadata() }
    }

    /// The service root with a slash at its end.
    public var serviceRoot: String { service.address.root.description }

    /// The service's model; `$metadata` is read once, and again only after that failed.
    public func model() async throws -> Model { try await cache.model() }

    /// What the metadata has that this library passed over or could not use; empty before it was read.
    public var metadataDiagnostics: [Diagnostic] { cache.diagnostics }
}
