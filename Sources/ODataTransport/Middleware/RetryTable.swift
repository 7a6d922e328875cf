import ByteStreams
import HTTPTypes

/// Which requests are sent again after which failure.
///
/// | failure | read | repeatable | replacement | other change |
/// | --- | --- | --- | --- | --- |
/// | `unreachable`: nothing was sent | yes | yes | yes | yes |
/// | `timeout`, `interrupted`, `truncated`: the service may have acted | yes | yes | yes | no |
/// | 425, 429, and 503 with `Retry-After`: the service did not act | yes | yes | yes | yes |
/// | 408, 503 without `Retry-After`: gateways say so too when they lost the response | yes | yes | yes | no |
/// | 502, 504: a gateway got no response | yes | yes | yes | no |
/// | any other | no | no | no | no |
///
/// A request that was repeated after it may have been carried out keeps that doubt, whatever the outcome of the next
/// attempts: ``TransportResponse/mayHaveActedBefore``, ``TransportError/mayHaveActedBefore``.
///
/// The wait before a request is sent again is what `Retry-After` says (429 and 503, in seconds or as a date), else the
/// back-off of ``RetryMiddleware/Policy``. A body that can be read only once and was begun is never sent again.
///
/// [RFC 9110, section 9.2.2; RFC 6585, section 4; RFC 8470, section 5.2; Repeatable Requests 1.0]
public struct RetryTable: Sendable {
    /// What happens if a request is carried out twice.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// GET, HEAD, OPTIONS, POST to `…/$query`: nothing.
        case read
        /// A change with `Repeatability-Request-ID` to a service of which it is known that it carries such a request out
        /// once: ``TransportContext/recognizesRepeatedRequests``. Any other service passes the header over.
        case repeatable
        /// PUT without conditions: the same. A second DELETE would be 404, and one with `If-Match` 412, which would hide
        /// that the first was carried out.
        case replacement
        /// Twice the change.
        case change
    }

    /// How a request failed.
    public enum Failure: Hashable, Sendable {
        /// A status; also one with `Retry-After` for which the table has no row ``postponed(_:)``.
        case status(Int)
        /// A status with `Retry-After`; where ``RetryTable/rows`` has none of these, ``status(_:)`` counts.
        case postponed(Int)
        /// No complete response: `TransportError.Code.timeout`
        case transport(TransportError.Code)
    }

    /// The kinds that are sent again, by failure.
    public var rows: [Failure: Set<Kind>]

    /// A table of one's own. After failures that it does not name nothing is sent again.
    public init(_ rows: [Failure: Set<Kind>]) {
        self.rows = rows
    }

    /// The table above.
    public static let standard = RetryTable([
        .transport(.unreachable): all, .transport(.timeout): harmless, .transport(.interrupted): harmless,
        .transport(.truncated): harmless, .status(425): all, .status(429): all, .postponed(503): all,
        .status(408): harmless, .status(502): harmless, .status(503): harmless, .status(504): harmless,
    ])

    private static let all = Set(Kind.allCases)
    private static let harmless: Set<Kind> = [.read, .repeatable, .replacement]

    func allows(_ kind: Kind, after failure: Failure) -> Bool {
        if case .postponed(let status) = failure, rows[failure] == nil { return allows(kind, after: .status(status)) }
        return rows[failure]?.contains(kind) ?? false
    }
}

extension RetryTable.Kind {
    init(_ request: HTTPRequest, _ context: TransportContext) {
        let fields = request.headerFields
        if [.get, .head, .options].contains(request.method) || request.isQuery {
            self = .read
        } else if context.recognizesRepeatedRequests, fields.contains(.repeatabilityRequestID) {
            self = .repeatable
        } else if request.method == .put, !fields.contains(.ifMatch), !fields.contains(.ifNoneMatch) {
            self = .replacement
        } else {
            self = .change
        }
    }
}
