/// How long clients may make an ``ODataServer`` wait, and how many of them may be connected.
///
/// A server that waits for all of them without end can be stopped by any client that opens connections and sends
/// nothing, or very little. Time that the service itself needs for a response does not count.
public struct ServerLimits: Hashable, Sendable {
    /// The time for the TLS handshake; the connection is closed beyond. Nil for any.
    public var handshakeTime: Duration? = .seconds(10)
    /// The time from the first byte of a request's line and headers to their last one; 408 beyond. Nil for any.
    public var headTime: Duration? = .seconds(15)
    /// How long a connection may be open without a request, and for how long no byte may come of a body (408 beyond) or
    /// be taken of a response (the connection is closed). Nil for any.
    public var idleTime: Duration? = .seconds(60)
    /// The bytes per second, on average, at which a body must come and a response be taken, once the client has been
    /// waited for longer than ``rateTime``. Nil for any.
    public var byteRate: Int? = 500
    /// For how long a client may be slower than ``byteRate`` in one request.
    public var rateTime = Duration.seconds(20)
    /// The most connections. For one more, that which has waited longest without a request, for a second at least, is
    /// closed; if all have requests under way, further clients wait until one ends. There are never more than leave files for the service's
    /// own work: half of those that the process may have open (`ulimit -n`), less 128.
    public var connections = 1_000
    /// How long a connection without a request is left alone where there are too many.
    package var settlingTime = Duration.seconds(1)

    /// The limits above.
    public init() {}
}
