import ODataQuery

/// What a client may ask of an ``ODataService``.
public struct ServiceLimits: Hashable, Sendable {
    /// Path and query of a request, in bytes; 414 beyond.
    public var urlLength = 32 * 1024
    /// A JSON request body, in bytes; 413 beyond. Media streams have no limit here.
    public var payloadSize = 16 * 1024 * 1024
    /// The body of a batch request, and the sum of its responses, in bytes; 413 beyond.
    public var batchSize = 64 * 1024 * 1024
    /// The sum of the responses of a batch in bytes, where it is less than ``batchSize``: they are held in memory, those
    /// to reads are 413 beyond.
    public var batchResponseSize = 32 * 1024 * 1024
    /// Requests in one batch; 400 beyond.
    public var batchRequests = 1_000

    /// How many navigation properties may be expanded inside one another; 400 beyond.
    public var expandDepth = 20
    /// All streams together whose content `$expand` asks for in one request, in bytes; 400 beyond.
    public var expandedStreamSize = 16 * 1024 * 1024
    /// The most entities of a page that a client gets, whatever it prefers; nil for what the store gives.
    public var pageSize: Int?
    /// How long the database may work on a request until there is something to send, and on each further part of what is
    /// sent while it is read; 503 beyond. Changes that take longer are rolled back, but not those that bring a stream.
    /// Nil for any time. Stores of other services have limits of their own.
    public var queryTime: Duration? = .seconds(10)
    /// Responses that are kept for clients that asked for them to be made asynchronously; beyond, they have to wait.
    public var asynchronousRequests = 100
    /// Those of one client, a user or else an address.
    public var asynchronousRequestsPerClient = 10
    /// The body of such a request and of its response, in bytes, which are held in memory; 413 beyond.
    public var asynchronousSize = 16 * 1024 * 1024
    /// How long such a response is kept once it is made.
    public var asynchronousLifetime = Duration.seconds(600)

    /// Uploads of one user (or of all who are not known) that wait to be continued; 429 beyond.
    public var resumableUploads = 1_000
    /// All of them together in bytes, each with the length it is to have; 507 beyond.
    public var resumableUploadSize: Int64 = 100 << 30
    /// How long such an upload waits for more, and how long its outcome is kept.
    public var resumableUploadLifetime = Duration.seconds(86_400)
    /// The body of one request of such an upload, in bytes; 413 beyond. Nil for any: it is for services behind a proxy
    /// that has a limit.
    public var resumableAppendSize: Int64?

    /// The limits above; there is none for ``pageSize`` and ``resumableAppendSize``.
    public init() {}
}

extension ServiceLimits {
    /// - Throws: 400 for what is nested too deeply.
    func check(_ options: QueryOptions) throws {
        guard options.expandDepth <= expandDepth else {
            throw ServiceFailure(
                .badRequest, "$expand is nested deeper than the limit of \(expandDepth).", target: "$expand")
        }
    }
}

extension QueryOptions {
    /// How many navigation properties are expanded inside one another.
    fileprivate var expandDepth: Int {
        expand.map { item in
            switch item.levels {
            case .number(let levels): max(levels, 1) + item.options.expandDepth
            case .max, nil: 1 + item.options.expandDepth
            }
        }.max() ?? 0
    }
}
