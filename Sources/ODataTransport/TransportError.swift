/// Why there is no complete response.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code that acts on it.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The word for logs: that of the constant, such as `unreachable`.
        public let name: String
        private init(_ name: String) { self.name = name }
        /// The ``name``.
        public var description: String { name }

        /// The URL cannot be used: no host, a scheme other than `http` and `https`, a port outside 1 to 65535.
        public static let invalidURL = Code("invalidURL")
        /// Name not resolved, connection refused, no route: the request was not sent.
        public static let unreachable = Code("unreachable")
        /// The certificate was not accepted, or TLS failed otherwise: the request was not sent.
        public static let insecure = Code("insecure")
        /// The transport cannot send such a request: nothing was sent.
        public static let unsupported = Code("unsupported")
        /// No bytes were received or sent for too long: the service may have acted.
        public static let timeout = Code("timeout")
        /// The connection ended before the response was complete: the service may have acted.
        public static let interrupted = Code("interrupted")
        /// The body is shorter than its `Content-Length`.
        public static let truncated = Code("truncated")
        /// The compressed body is broken, or longer than allowed when it is decoded.
        public static let encoding = Code("encoding")
        /// The task was cancelled, or the transport shut down: the service may have acted.
        public static let cancelled = Code("cancelled")
        /// Too many redirects, or one to where it must not lead.
        public static let redirect = Code("redirect")
        /// No token could be had, or the service refused it with the request: it did nothing.
        public static let credentials = Code("credentials")
    }

    /// What programs decide by; new codes may come.
    public var code: Code
    /// A sentence for the user, which names the host where there is one.
    public var message: String
    /// The error of the HTTP library or the system; nil where there is none.
    public var cause: (any Error)?
    /// The request was sent more than once, and an earlier attempt may have been carried out.
    public var mayHaveActedBefore = false

    /// An error of a transport of the app's own, with one of the codes above.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// Whether the service cannot have acted on the request.
    public var isBeforeSending: Bool {
        !mayHaveActedBefore && [.invalidURL, .unreachable, .insecure, .credentials, .unsupported].contains(code)
    }

    public var description: String { message }
}
