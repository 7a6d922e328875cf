import HTTPTypes
import ODataFormats
import ODataMetadata
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// An OData service over HTTP: of V4, or of the versions before it, whose messages come out as those of V4.
///
/// ```swift
/// let store = try OnlineStore(serviceRoot: "https://example.org/sales/", transport: AsyncHTTPTransport())
/// let query = try QueryParser(model: try await store.model()).query("Orders?$top=10&$expand=Items")
/// for order in try await store.entities(query) { print(order["Total"] ?? .null) }
/// ```
///
/// The metadata is fetched with the first request and kept. Responses are streamed: rows are read as they arrive, and
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
        /// The cookies of the session with the service, which CSRF tokens belong to; nil if none are kept.
        public var cookies: CookieJar? = CookieJar()
        /// When CSRF tokens are fetched; nil for never.
        public var csrf: CSRFProtection.Mode? = .automatic
        /// The service's model where it is known; else `$metadata` is read.
        public var model: EdmModel?
        /// The version of the service where it is known; else what `$metadata` says, or 4.01 if ``model`` is given.
        public var version: ODataVersion?
        /// How services before V4 are spoken to.
        public var legacy = LegacyOptions()
        /// The highest version that the service may respond with: `OData-MaxVersion`.
        public var maxVersion = "4.01"
        /// How change sets and batches are sent to V4 services; multipart by default. Older services get multipart.
        public var batchEncoding = BatchEncoding.multipart
        /// Sent with each request; to no other origin.
        public var headers: [HeaderField] = []
        /// Origins such as `https://cdn.example.org:443` that links may lead to besides the service's: to further pages,
        /// and to where streams are written. Streams are read wherever the service says. Secrets are sent to none of
        /// them.
        public var foreignOrigins: Set<String> = []
        /// How streams are uploaded, by entity set (`Photos`) or stream property (`Employees/Photo`), where it is another
        /// way than the metadata name with ``EdmAnnotation/uploadMethod``; without either they are sent whole, and
        /// where the service does not know it.
        public var uploadMethods: [String: StreamUploadMethod] = [:]
        /// Streams of fewer bytes are sent whole.
        public var resumableSize: Int64 = 4 * 1024 * 1024
        /// Whether a value that is not one of its property's type (`0000-00-00T00:00:00` for a `DateTimeOffset`) is taken as
        /// null, and reported in ``OData/RowBlock/diagnostics`` with its entity and property, where else the read
        /// fails. Keys are not.
        public var takesBadValuesAsNull = false
        /// Elements that the metadata document of the service may have; each takes about 1,300 bytes of memory.
        public var maxMetadataElements = PayloadLimits.default.metadataElements
        /// The most bytes of a response that is read whole: metadata, values, responses to changes.
        public var maxResponseBytes = 64 * 1024 * 1024
        /// How long fetching the metadata may take in all, retries included; nil for any time. What is fetched is waited for
        /// by the first requests of a store, and by each download.
        public var metadataTimeout: Duration? = .seconds(120)
        /// Keeps responses to reads and the metadata for ``OnlineStore/results(of:mode:)``; a plain read revalidates
        /// what is kept. Nil for none.
        public var responseCache: ResponseCache?

        /// No middleware of the app's own; redirects, cookies, CSRF tokens and uploads as the defaults above say.
        public init() {}
    }

    /// How services of V1 to V3 are spoken to.
    public struct LegacyOptions: Hashable, Sendable {
        /// The format that payloads are asked for and sent in.
        public enum Format: Hashable, Sendable {
            /// `application/atom+xml`
            case atom
            /// `application/json`, verbose
            case json
        }

        /// Verbose JSON by default; `atom` is for services that speak nothing else.
        public var format = Format.json
        /// Whether properties are updated with MERGE, and not with PATCH. Nil: in V1 and V2, which know no PATCH.
        public var usesMerge: Bool?
        /// Whether updates and deletions are sent as POST with `X-HTTP-Method`, for what is on the way.
        public var tunnelsMethods = false
        /// Whether the format is asked for with `$format` besides `Accept`.
        public var usesFormatOption = false

        /// Verbose JSON; MERGE in V1 and V2, PATCH in V3; nothing is tunnelled.
        public init() {}
    }

    let service: ServiceConnection
    let configuration: Configuration
    private let cache: ModelCache

    /// - Parameters:
    ///   - serviceRoot: An absolute URL, with or without a slash at its end. What it has of a query
    ///     (`?sap-client=100`) is sent with each request, those of a batch included.
    ///   - transport: Sends the requests.
    ///   - configuration: How the service is asked.
    /// - Throws: ``ODataError`` with code `badRequest` if `serviceRoot` is not an `http` or `https` URL, or has
    ///   credentials in it.
    public init(
        serviceRoot: String, transport: any HTTPTransport, configuration: Configuration = Configuration()
    ) throws {
        let address = try ServiceAddress(serviceRoot, foreignOrigins: configuration.foreignOrigins)
        let middleware = try configuration.middleware(root: address.url(""))
        let service = ServiceConnection(
            address: address, transport: transport.with(middleware), maxVersion: configuration.maxVersion,
            maxResponseBytes: configuration.maxResponseBytes, cache: configuration.responseCache,
            commonFields: try HTTPFields(configuration.headers))
        self.service = service
        self.configuration = configuration
        let known = configuration.model.map { model in
            ServiceMetadata(model: model, dialect: configuration.dialect(of: configuration.version ?? .v401))
        }
        cache = ModelCache(known) { try await service.timelyMetadata(configuration, cacheUse: $0, known: $1) }
    }

    /// The service root with a slash at its end, and its query, if it has one, behind that.
    public var serviceRoot: String { service.address.url("").description }

    /// The service's model; `$metadata` is read once, and again only after that failed.
    public func model() async throws -> EdmModel { try await cache.metadata().model }

    /// The service's model as it is now: asked for with the ETag of what is known, where the service gave one. A model
    /// that the app has given stays.
    public func currentModel() async throws -> EdmModel {
        guard configuration.model == nil else { return try await model() }
        return try await cache.renewed().model
    }

    /// The metadata that a request needs. What the service responds instead of them is not a response to the request:
    /// that the document is not there, say, or a page of a proxy says nothing about an entity.
    func metadata(_ cacheUse: CacheUse = .askingFirst) async throws -> ServiceMetadata {
        do { return try await cache.metadata(cacheUse) } catch var error as ODataError {
            // The request itself was not sent.
            error.isOutcomeUnknown = false
            guard error.passesForAResponse else { throw error }
            error.code = .unreachable
            error.message = "The service's metadata cannot be read: \(error.message)"
            throw error
        }
    }

    /// What the metadata has that this library ignored or could not use; empty before it was read.
    public var metadataDiagnostics: [DocumentDiagnostic] { cache.diagnostics }
}

extension OnlineStore.Configuration {
    /// What is between the store and the network. Redirects are followed behind what an app adds, and cookies are
    /// kept behind those, since each hop may set some.
    func middleware(root: AbsoluteURL) throws -> [any HTTPMiddleware] {
        var all = middleware
        let fields = try HTTPFields(headers)
        if !fields.isEmpty { all.append(HeaderMiddleware(fields)) }
        if let csrf { all.append(CSRFProtection(serviceRoot: root.description, mode: csrf)) }
        if redirectLimit > 0 { all.append(RedirectMiddleware(limit: redirectLimit)) }
        if let cookies { all.append(CookieMiddleware(jar: cookies)) }
        if responseCache != nil { all.append(SentFieldsMiddleware()) }
        return all
    }

    func dialect(of version: ODataVersion) -> ProtocolDialect {
        ProtocolDialect(
            version: version, format: legacy.format == .atom ? .atom : .verboseJSON, usesMerge: legacy.usesMerge,
            tunnelsMethods: legacy.tunnelsMethods, usesFormatOption: legacy.usesFormatOption)
    }
}

extension ODataError {
    /// Whether it would pass for the service's response to the request that the metadata were read for.
    fileprivate var passesForAResponse: Bool {
        switch code {
        case .badRequest, .conflict, .forbidden, .gone, .internalError, .invalidResponse, .methodNotAllowed, .notFound,
            .notImplemented, .preconditionFailed, .preconditionRequired, .tooLarge, .unsupportedMediaType:
            true
        default: false
        }
    }
}
