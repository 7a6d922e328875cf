import ByteStreams
import HTTPTypes

/// Which web pages of other origins may use a service from a browser.
///
/// [Fetch, section 3.2: CORS protocol]
public struct CrossOriginPolicy: Sendable {
    /// Nil: pages of every origin.
    var origins: Set<String>?
    /// How long a browser may remember the response to a preflight, in seconds.
    public var maxAge = 600

    /// Pages of every origin, without the credentials that the browser keeps.
    public static let any = CrossOriginPolicy(origins: nil)

    /// Pages of these origins: `https://app.example`. They may send the credentials that the browser keeps.
    public static func origins(_ origins: Set<String>) -> CrossOriginPolicy {
        CrossOriginPolicy(origins: origins)
    }

    /// The headers that inform a browser that a page of `origin` may read a response; nil where it may not.
    func headers(origin: String) -> HTTPFields? {
        guard let origins else { return [.accessControlAllowOrigin: "*"] }
        guard origins.contains(origin) else { return nil }
        return [.accessControlAllowOrigin: origin, .accessControlAllowCredentials: "true"]
    }
}

/// Lets pages of other origins use a service: responds to preflights, and says what may be read.
public struct CrossOriginResponder: HTTPResponder {
    private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    private static let exposed = """
        OData-Version, OData-EntityId, ETag, Location, Preference-Applied, AsyncResult, Retry-After, Content-Range, \
        Accept-Ranges, Allow, Repeatability-Result, Repr-Digest, Accept-Patch, Upload-Offset, Upload-Complete, \
        Upload-Length, Upload-Limit
        """

    let next: any HTTPResponder
    private let policy: CrossOriginPolicy

    /// - Parameters:
    ///   - next: Responds to everything but preflights.
    ///   - policy: Which origins may read the responses.
    public init(_ next: any HTTPResponder, policy: CrossOriginPolicy) {
        self.next = next
        self.policy = policy
    }

    public func respond(
        to request: HTTPRequest, body: ByteContent, root: String, context: ResponderContext
    ) async -> ServiceResponse {
        guard let origin = request.headerFields[.origin] else {
            return await next.respond(to: request, body: body, root: root, context: context)
        }
        if request.method == .options, request.headerFields[.accessControlRequestMethod] != nil {
            return preflight(request, origin: origin)
        }
        let allowed = policy.headers(origin: origin)
        var context = context
        context.allowedOrigin = allowed == nil ? nil : origin
        var response = await next.respond(to: request, body: body, root: root, context: context)
        let vary = response.head.headerFields[.vary]
        response.head.headerFields[.vary] = vary.map { $0 + ", Origin" } ?? "Origin"
        guard let allowed else { return response }
        for field in allowed { response.head.headerFields[field.name] = field.value }
        response.head.headerFields[.accessControlExposeHeaders] = Self.exposed
        return response
    }

    private func preflight(_ request: HTTPRequest, origin: String) -> ServiceResponse {
        guard let allowed = policy.headers(origin: origin) else {
            return .refusal(.forbidden, "Pages of \(origin) may not use this service.")
        }
        var headers = allowed
        headers[.vary] = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
        headers[.accessControlAllowMethods] = Self.methods
        headers[.accessControlAllowHeaders] = request.headerFields[.accessControlRequestHeaders]
        headers[.accessControlMaxAge] = "\(policy.maxAge)"
        return ServiceResponse(.noContent, headers: headers)
    }
}
