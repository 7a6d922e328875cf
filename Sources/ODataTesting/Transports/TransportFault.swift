import HTTPTypes

/// One thing that goes wrong between a client and a service.
public struct TransportFault: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case refused
        case requestLost
        case requestCut(after: Int)
        case responseLost
        case late
        case reordered
        case cut(after: Int)
        case status(Int, HTTPFields)
        case contentLength(Int64)
        case redirect(String)
        case body([UInt8], contentType: String)
        case intercepted([UInt8], contentType: String)
    }

    let kind: Kind

    /// Whether there may be too little to be cut or put into another order.
    var dependsOnBody: Bool {
        switch kind {
        case .requestCut, .cut, .reordered: true
        default: false
        }
    }

    /// The connection is refused: the service never sees the request. (`TransportError.unreachable`)
    public static let refused = TransportFault(kind: .refused)

    /// The connection breaks before the service has seen anything of the request. (`TransportError.interrupted`)
    public static let requestLost = TransportFault(kind: .requestLost)

    /// The connection breaks after `bytes` bytes of the request's body: the service sees a body that breaks off. A
    /// shorter body arrives whole, and its response too. (`TransportError.interrupted`)
    public static func requestCut(after bytes: Int) -> TransportFault {
        TransportFault(kind: .requestCut(after: bytes))
    }

    /// The request arrives when its client no longer waits for the response: before the next request, or when
    /// ``FaultTransport/deliver()`` is called. (`TransportError.timeout`)
    public static let late = TransportFault(kind: .late)

    /// The responses of a JSON batch come in reverse order; any other response arrives as it is.
    /// [OData-JSON, section 19.5: responses may appear in any order]
    public static let reordered = TransportFault(kind: .reordered)

    /// The service acts, but its response does not arrive. (`TransportError.interrupted`)
    public static let responseLost = TransportFault(kind: .responseLost)

    /// The response's body breaks off after `bytes` bytes; a shorter body arrives whole. (`TransportError.interrupted`)
    public static func cut(after bytes: Int) -> TransportFault { TransportFault(kind: .cut(after: bytes)) }

    /// The service never sees the request, and a status with headers is returned: `503` with `Retry-After`, `429`.
    public static func status(_ code: Int, headers: HTTPFields = [:]) -> TransportFault {
        TransportFault(kind: .status(code, headers))
    }

    /// The response says another `Content-Length` than its body has; reading to the end of a shorter body throws
    /// `TransportError.truncated`, as a real transport does.
    public static func contentLength(_ length: Int64) -> TransportFault { TransportFault(kind: .contentLength(length)) }

    /// `307 Temporary Redirect` to `url`; the service never sees the request.
    public static func redirect(to url: String) -> TransportFault { TransportFault(kind: .redirect(url)) }

    /// The service acts, but another body arrives with status 200: a login page, broken JSON.
    public static func body(_ bytes: [UInt8], contentType: String) -> TransportFault {
        TransportFault(kind: .body(bytes, contentType: contentType))
    }

    /// The service never sees the request, and another body arrives with status 200: what a gateway says of a session.
    public static func intercepted(_ bytes: [UInt8], contentType: String) -> TransportFault {
        TransportFault(kind: .intercepted(bytes, contentType: contentType))
    }
}
