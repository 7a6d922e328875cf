import ByteStreams
import HTTPTypes

/// Follows redirects.
///
/// 307 and 308 keep method and body, if the body can be read again. 301, 302 and 303 are followed for GET and HEAD
/// only; for other methods the reply is given to the caller, since clients differ in what they make of them. Only
/// headers that tell no secret go to another origin, and `https` never leads to `http`.
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
    public func intercept(
        _ request: HTTPRequest, body: ByteContent?, next: any HTTPTransport
    ) async throws -> HTTPReply {
        var hop = Hop(request: request, isForeign: ForeignOrigin.isEntered)
        for _ in 0...limit {
            let reply = try await ForeignOrigin.$isEntered.withValue(hop.isForeign) {
                try await next.send(hop.request, body: body)
            }
            guard let location = location(of: reply, to: hop.request) else { return reply }
            hop = try hop.following(location, body: body)
            await discard(reply.body)
        }
        throw TransportError(.redirect, "The service redirects more than \(limit) times.")
    }

    private func location(of reply: HTTPReply, to request: HTTPRequest) -> String? {
        switch reply.response.status.code {
        case 307, 308: break
        case 301, 302, 303: guard request.method == .get || request.method == .head else { return nil }
        default: return nil
        }
        return reply.response.headerFields[.location]
    }

    /// Reads what little a redirect says, so that its connection can be used again.
    private func discard(_ body: ByteContent) async {
        guard let length = body.length, length <= 64 * 1024 else { return }
        _ = try? await body.collect(upTo: 64 * 1024)
    }
}

/// One request on the way.
private struct Hop: Sendable {
    var request: HTTPRequest
    var isForeign: Bool

    func following(_ location: String, body: ByteContent?) throws -> Hop {
        guard let from = request.absoluteURL, let to = from.resolving(location) else {
            throw TransportError(.redirect, "The service redirects to what is no URL: \(location)")
        }
        guard body?.isReplayable ?? true else {
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
