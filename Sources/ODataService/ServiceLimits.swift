/// What a client may ask of an ``ODataService``.
public struct ServiceLimits: Hashable, Sendable {
    /// Path and query of a request, in bytes; 414 beyond.
    public var urlLength = 32 * 1024
    /// A JSON request body, in bytes; 413 beyond. Media streams have no limit here.
    public var payloadSize = 16 * 1024 * 1024
    /// The body of a batch request, and the sum of its responses, in bytes; 413 beyond.
    public var batchSize = 64 * 1024 * 1024
    /// Requests in one batch; 400 beyond.
    public var batchRequests = 1_000

    public init() {}
}
