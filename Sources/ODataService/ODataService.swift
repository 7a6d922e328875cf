import ByteStreams
import HTTPTypes
import Logging
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport

/// Publishes an ``OData/ODataStore`` as an OData service: HTTP requests in, HTTP responses out.
///
/// The service knows no network. A server adapter or an in-process transport hands it requests:
///
/// ```swift
/// let service = ODataService(store: store)
/// let response = await service.respond(to: request, body: .empty, root: "http://127.0.0.1:8080/")
/// ```
///
/// [OData-Protocol]
public final class ODataService: HTTPResponder {
    /// How a service responds.
    public struct Configuration: Sendable {
        /// Whether only GET and HEAD are allowed (and batches of them).
        public var isReadOnly = false
        /// What is refused for its size or number, with the status that each limit names.
        public var limits = ServiceLimits()
        /// Whether V2 clients are served too: below `v2/`, and those that say `MaxDataServiceVersion: 2.0`.
        public var publishesV2 = true
        /// Whether PATCH and PUT of an entity that is not there create it.
        public var allowsUpsert = true
        /// Whether changes of entities that exist must say with `If-Match` (or `If-None-Match`) what they change; 428
        /// without.
        public var requiresETags = false
        /// Whether clients may ask for a response to be made while they do not wait for it: `Prefer: respond-async`.
        public var allowsAsynchronousRequests = true
        /// Whether streams may come in several requests, where the store can keep what has come:
        /// draft-ietf-httpbis-resumable-upload-12.
        public var allowsResumableUploads = true
        /// Whether the metadata refer to the documents of the vocabularies whose terms they use, at the site of OASIS.
        /// Some clients, such as the typed ones of Olingo, fetch them first, and fail where they cannot.
        public var refersToVocabularies = false
        /// Gets what went wrong inside the service, and at level `debug` a line for each request with its method, status
        /// and time; silent by default. Values of entities are not in it, so URLs are not either.
        public var logger = Logger(label: "ODataService") { _ in SwiftLogNoOpLogHandler() }

        /// Reads and changes of V4 and V2 clients, with asynchronous requests and uploads in several requests.
        public init() {}
    }

    /// As it was given: a service keeps it for its lifetime.
    public let configuration: Configuration
    let store: any ODataStore
    /// The store, if it has reads that need not wait.
    let immediateStore: (any ImmediateStore)?
    let metadata = MetadataCache()
    let monitors = StatusMonitors()
    let uploadSessions = UploadSessions()
    let observation: RequestObservation

    /// Asks nothing of the store yet; its model is read with the first request.
    public init(store: any ODataStore, configuration: Configuration = .init()) {
        self.store = store
        immediateStore = store as? any ImmediateStore
        self.configuration = configuration
        observation = RequestObservation(logger: configuration.logger)
    }

    /// Responds to one request. It never throws: what goes wrong is an OData error response.
    ///
    /// The body of the response arrives while it is read. An error after the response's header was given ends the
    /// body by throwing, so that the client sees it cut off and not complete.
    ///
    /// - Parameters:
    ///   - request: Its path is the full path and query, as in the request line.
    ///   - body: Read once, from its start, and not at all where the request is refused before.
    ///   - root: The absolute URL of the service root, with a trailing slash: `http://127.0.0.1:8080/`.
    ///   - context: Who has sent it, as far as is known.
    public func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        guard observation.isOn else { return await receive(request, body, root, context) }
        return await observation.observing(request, body: body) { await receive(request, $0, root, context) }
    }

    private func receive(
        _ request: HTTPRequest, _ body: ByteContent, _ root: String, _ context: ResponderContext
    ) async -> ServiceResponse {
        let (message, headers) = (request, request.headerFields)
        if message.method == .options, message.path == "*" { return everything() }
        guard let url = ServiceRoot(root).relative(path: message.path ?? "/") else {
            let outside = ServiceRequest(method: message.method, url: "", headers: headers, body: .empty, root: root)
            return render(ServiceFailure(.notFound, "The service is at \(root)."), to: outside)
        }
        var request = ServiceRequest(
            method: message.method, url: url, headers: headers, body: body, root: root, context: context)
        if configuration.publishesV2, let entered = V2RequestAdapter.entered(request) { request = entered }
        do {
            try CrossSiteRequest.check(message, root: root, allowedOrigin: context.allowedOrigin)
            request = try V2RequestAdapter.admitted(request)
            if let response = try await UploadRequest(service: self, request: request).respond() { return response }
            if let response = try await AsynchronousRequest(service: self, request: request).respond() {
                return response
            }
        } catch {
            return render(error, to: request)
        }
        return await respond(to: request)
    }

    /// Responds to a request whose URL is relative to the service root: one of a batch, too.
    func respond(to request: ServiceRequest) async -> ServiceResponse {
        do {
            let call = try await bind(request)
            if request.method == .options { return try options(call) }
            let response = try await route(call).action.respond(to: call)
            return complete(response, to: request.method, version: call.version)
        } catch {
            return render(error, to: request)
        }
    }

    /// `OPTIONS *`: that the server is there, and the methods that any of its resources has.
    ///
    /// [RFC 9110, section 9.3.7]
    private func everything() -> ServiceResponse {
        let isReadOnly = configuration.isReadOnly
        let methods = Router.known.filter { !isReadOnly || [.get, .head, .options, .post].contains($0) }
        let allow = methods.map(\.rawValue).sorted().joined(separator: ", ")
        return complete(ServiceResponse(.noContent, headers: [.allow: allow]), to: .options, version: .v401)
    }

    /// `OPTIONS Products(1)`: what can be done there.
    private func options(_ call: ServiceCall) throws -> ServiceResponse {
        let kind = try ResourceKind(call.resource)
        let methods = call.request.hasQueryInBody ? QueryInBody.methods : call.allowedMethods(kind)
        var headers: HTTPFields = [.allow: methods.map(\.rawValue).joined(separator: ", ")]
        if let space = uploadSpace, call.takesUploads(kind) {
            headers[.acceptPatch] = UploadFields.partialUpload
            headers[.uploadLimit] = UploadFields.limits(configuration.limits, space)
        }
        let response = ServiceResponse(.noContent, headers: headers)
        return complete(response, to: .options, version: call.version)
    }

    func route(_ call: ServiceCall) throws -> Route {
        let kind = try ResourceKind(call.resource)
        let method = call.request.method
        let route = try Router.route(method, kind, isV2: call.request.isV2)
        // Reads are never restricted.
        if method == .get || method == .head, let route { return route }
        let allowed = call.allowedMethods(kind)
        guard let route, allowed.contains(method) else {
            throw ServiceFailure.methodNotAllowed(method, allowed: allowed)
        }
        if configuration.requiresETags { try checkETagIsGiven(call, kind) }
        return route
    }

    private func checkETagIsGiven(_ call: ServiceCall, _ kind: ResourceKind) throws {
        let kinds: Set<ResourceKind> = [
            .entity, .property, .complexProperty, .collectionProperty, .rawValue, .media, .stream,
        ]
        let methods: Set<HTTPRequest.Method> = [.patch, .put, .delete]
        guard kinds.contains(kind), methods.contains(call.request.method), call.headers[.ifMatch] == nil,
            call.headers[.ifNoneMatch] == nil
        else { return }
        throw ServiceFailure(.preconditionRequired, "Say with If-Match which version of the entity is changed.")
    }

    func render(_ error: any Error, to request: ServiceRequest) -> ServiceResponse {
        let failure = ServiceFailure(error).explained(for: request.headers)
        if failure.status.kind == .serverError {
            configuration.logger.error("The service failed.", metadata: ["error": "\(error)"])
        }
        let version = (try? version(of: request)) ?? .v401
        let response = request.isV2 ? failure.v2Response(request) : failure.response
        return complete(response, to: request.method, version: version)
    }

    /// Adds what every response has; takes the body off the response to HEAD.
    func complete(
        _ response: ServiceResponse, to method: HTTPRequest.Method, version: ProtocolVersion
    ) -> ServiceResponse {
        var response = response
        response.addCommonFields(to: method, version: version)
        if method == .head { response.body = .empty }
        return response
    }
}
