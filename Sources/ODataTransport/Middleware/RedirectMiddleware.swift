import ByteStreams
import HTTPTypes

/// Follows redirects. A change never turns into a read, and a body is never dropped.
///
/// | status | GET, HEAD | POST to `…/$query` | other methods |
/// | --- | --- | --- | --- |
/// | 301, 302 | followed | sent again as it is | not followed |
/// | 303 | followed | GET without body | not followed |
/// | 307, 308 | followed | sent again as it is | sent again as it is |
///
/// The response to a change that is not followed is the redirect: clients differ in what they make of 301 and 302,
/// login pages are reached by them, and the resource that 303 names says nothing about the change. Only headers that
/// report no secret go to another origin, and `https` never leads to `http`.
///
/// [RFC 9110, section 15.4]
public struct RedirectMiddleware: HTTPMiddleware {
    private let limit: Int

    /// - Parameter limit: How many redirects are followed for one request.
    public init(limit: Int = 5) {
        self.limit = limit
    }

    /// - Throws: ``TransportError`` with code `redirect` after too many, for one to where it must not lead, or if the
    ///   body cannot be sent again.
    public func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
        -> TransportResponse
    {
        var hop = Hop(request: request, isForeign: next.context.isForeign)
        for _ in 0...limit {
            var next = next
            next.context.isForeign = hop.isForeign
            var response = try await next.send(hop.request, body: hop.isWithoutBody ? nil : body)
            guard let location = response.head.headerFields[.location],
                let form = Form(status: response.head.status.code, of: hop.request)
            else {
                response.isOfOtherHost = hop.request.absoluteURL?.host != request.absoluteURL?.host
                return response
            }
            hop = try hop.following(location, body: form == .asItIs ? body : nil)
            if form == .get { hop.becomeGet() }
            await response.discard()
        }
        throw TransportError(.redirect, "The service redirects more than \(limit) times.")
    }

    /// How a redirected request is sent again.
    private enum Form {
        case asItIs
        case get

        /// Nil if the redirect is for the caller.
        init?(status: Int, of request: HTTPRequest) {
            let isGet = request.method == .get || request.method == .head
            let isSafe = isGet || request.isQuery
            switch status {
            case 307, 308: self = .asItIs
            case 301 where isSafe, 302 where isSafe: self = .asItIs
            case 303 where isSafe: self = isGet ? .asItIs : .get
            default: return nil
            }
        }
    }
}

/// One request on the way.
private struct Hop: Sendable {
    var request: HTTPRequest
    var isForeign: Bool
    /// Whether the body stays behind.
    private(set) var isWithoutBody = false

    mutating func becomeGet() {
        request.method = .get
        for name in [HTTPField.Name.contentType, .contentLength, .contentEncoding] { request.headerFields[name] = nil }
        isWithoutBody = true
    }

    func following(_ location: String, body: ByteContent?) throws -> Hop {
        guard let from = request.absoluteURL, let to = from.resolving(location) else {
            throw TransportError(.redirect, "The service redirects to what is not a URL that can be asked: \(location)")
        }
        guard body?.isReadable ?? true else {
            throw TransportError(.redirect, "The service redirects to \(to), but the body can be sent only once.")
        }
        guard from.scheme == to.scheme || to.scheme == "https" else {
            throw TransportError(.redirect, "The service redirects from https to \(to), which is not secure.")
        }
        var hop = self
        hop.request.absoluteURL = to
        guard from.origin != to.origin else { return hop }
        hop.isForeign = true
        hop.request.headerFields = HTTPFields(request.headerFields.filter(\.name.isHarmless))
        return hop
    }
}
