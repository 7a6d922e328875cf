import ODataStores

/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
    /// The phase of a download.
    public enum Phase: String, Sendable {
        /// The metadata or a page of a query was requested, and the response has not begun.
        case waiting
        /// Reading the pages of a query.
        case reading
        /// The pages are published to readers.
        case publishing
        /// Media streams are received.
        case streams
    }

    /// Queries are read concurrently, so the phases of several alternate; `streams` is last.
    public var phase: Phase
    /// The name of the defining query; empty while the metadata are requested and while streams of all queries are
    /// received.
    public var query: String
    /// Received entities of the query, also in earlier runs of the same download, and those of a page that is still being
    /// received.
    public var entities = 0
    /// The number of entities of the query while all of them are read, if the service has returned it in this run:
    /// `$count=true` in the query or ``OfflineStore/Configuration/countsEntities`` requests it. [OData-URL, section
    /// 5.1.7]
    public var totalEntities: Int64?
    /// The part of the query's entities that was received, from 0 to 1: of ``totalEntities``, or of the number that the
    /// last download received if all of them are read again. Nil if the number is not known, as for changes.
    public var fraction: Double?
    /// What ``fraction`` refers to.
    package var expectedEntities: Int64?
    /// Received pages of the query.
    public var pages = 0
    /// Needed, received and failed streams.
    public var streams = 0
    /// Of ``streams``, those that are on the device.
    public var finishedStreams = 0
    /// Of ``streams``, those that failed; the next download tries again.
    public var failedStreams = 0
    /// Bytes received in this run: of the query's entities as far as they hold values, or of streams.
    public var bytes: Int64 = 0
    /// Bytes of the query's pages as they arrive in this run, uncompressed, also of a page of which no entity is complete
    /// yet; 0 if the remote store is not a service over HTTP.
    public var receivedBytes: Int64 = 0

    init(_ phase: Phase, query: String = "") {
        self.phase = phase
        self.query = query
    }
}

/// The result of a download.
public struct DownloadReport: Sendable {
    /// One defining query.
    public struct Query: Sendable, Hashable {
        /// The ``DefiningQuery/name``.
        public var name: String
        /// How it was read.
        public var mode: RefreshMode
        /// The reason why everything was read again although changes were requested.
        public var reason: String?
        /// The first 20 diagnostics of the pages received in this run.
        public var diagnostics: [String] = []
        /// Received entities; at a refresh by delta the changed and removed ones.
        public var entities = 0
        /// Received pages, also in earlier runs of the same download.
        public var pages = 0
        /// Bytes of the entities received in this run, as far as they hold values.
        public var bytes: Int64 = 0
        /// The time to read the pages into the store and to publish them to readers.
        public var reading = Duration.zero
        /// The time to publish the pages to readers.
        public var publishing = Duration.zero

        /// Whether the service returned changes only.
        public var isDelta: Bool { mode == .delta }

        init(name: String, mode: RefreshMode) {
            self.name = name
            self.mode = mode
        }
    }

    /// A failed stream; the next download tries again.
    public struct FailedStream: Sendable {
        /// `Photos(1)`, `Employees(2)/Photo`
        public var path: String
        /// The last error, after all retries.
        public var error: ODataError
    }

    /// One for each defining query that was downloaded.
    public var queries: [Query] = []
    /// Received streams.
    public var streams = 0
    /// Their bytes that were transferred.
    public var streamBytes: Int64 = 0
    /// Failed streams, each with its reason; the download itself has succeeded.
    public var failedStreams: [FailedStream] = []
    /// Streams that the network policy did not allow; the next download asks it again.
    public var waitingStreams = 0
    /// Streams that the app has paused.
    public var pausedStreams = 0
    /// The time of the streams.
    public var streaming = Duration.zero

    /// The report of a download without results.
    public init() {}

    /// A text of one line for the user.
    public var summary: String {
        let entities = queries.reduce(0) { $0 + $1.entities }
        var text =
            queries.count.counted("query", "queries") + ", " + entities.counted("entity", "entities") + ", "
            + "\(streams.counted("stream")) (\(streamBytes.counted("byte")))"
        let compared = queries.filter { $0.mode == .comparison }.count
        if compared > 0 { text += ", \(compared) compared" }
        if !failedStreams.isEmpty { text += ", \(failedStreams.count.counted("stream")) failed" }
        if waitingStreams > 0 { text += ", \(waitingStreams.counted("stream")) waiting for another network" }
        if pausedStreams > 0 { text += ", \(pausedStreams.counted("stream")) paused" }
        return text
    }
}
