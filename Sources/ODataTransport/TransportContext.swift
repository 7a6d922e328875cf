/// What a store knows of a request beside its message, a value that is passed with the request through all middleware
/// to the transport.
public struct TransportContext: Hashable, Sendable {
    /// Whether the request is sent to another origin than the service's: a redirect led there, or a link for a media stream.
    ///
    /// Wherever an authentication middleware is in the chain, before the redirects or after them, it sees this and adds
    /// nothing. Middleware of an app that adds secrets must check it too.
    public var isForeign = false
    /// Whether the service is known to carry out a request with `Repeatability-Request-ID` once, however often it is
    /// sent: its metadata or an earlier response say so.
    ///
    /// [Repeatable Requests 1.0]
    public var recognizesRepeatedRequests = false

    /// A request to the service itself, which is not known to recognize repeated requests.
    public init() {}
}
