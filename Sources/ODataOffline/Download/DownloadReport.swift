import ODataStores

/// How far a download has come.
public struct DownloadProgress: Sendable, Hashable {
    /// What is being done.
    public enum Phase: String, Sendable {
        /// The service was asked for its metadata or for a page of a query, and nothing of the response has come yet.
        case waiting
        /// Reading the pages of a query.
        case reading
        /// The pages are shown to readers.
        case publishing
        /// Media streams arrive.
        case streams
    }

    /// Queries are read side by side, so the phases of several alternate; `streams` is last.
    public var phase: Phase
    /// The name of the defining query; empty while the metadata are waited for, and while streams of all queries arrive.
    public var query: String
    /// Entities of the query that have come, also in earlier runs of the same download.
    public var entities = 0
    /// How many entities the query has, while all of them are read, if the service has returned it in this run: it is
    /// asked by `$count=true` in the query, or by ``OfflineStore/Configuration/countsEntities``. [OData-URL, section
    /// 5.1.7]
    public var totalEntities: Int64?
    /// Pages of the query that have come.
    public var pages = 0
    /// Streams that are needed, were received and have failed.
    public var streams = 0
    /// Of ``streams``, those that are on the device.
    public var finishedStreams = 0
    /// Of ``streams``, those that did not come; they are tried again by the next download.
    public var failedStreams = 0
    /// Bytes received in this run: of the query's entities as far as they hold values, or of streams.
    public var bytes: Int64 = 0

    init(_ phase: Phase, query: String = "") {
        self.phase = phase
        self.query = query
    }
}

/// What a download has brought.
public struct DownloadReport: Sendable {
    /// One defining query.
    public struct Query: Sendable, Hashable {
        /// The ``DefiningQuery/name``.
        public var name: String
        /// How it was read.
        public var mode: RefreshMode
        /// Why everything was read again, although only changes were requested.
        public var reason: String?
        /// The first 20 diagnostics of the pages received in this run.
        public var diagnostics: [String] = []
        /// Received entities; at a refresh by delta the changed and removed ones.
        public var entities = 0
        /// Received pages, also in earlier runs of the same download.
        public var pages = 0
        /// Bytes of the entities received in this run, as far as they hold values.
        public var bytes: Int64 = 0
        /// How long it took to read the pages into the store, and to show them to readers.
        public var reading = Duration.zero
        /// How long it took to show what had been read to readers.
        public var publishing = Duration.zero

        /// Whether the service returned changes only.
        public var isDelta: Bool { mode == .delta }

        init(name: String, mode: RefreshMode) {
            self.name = name
            self.mode = mode
        }
    }

    /// A stream that did not come; the next download tries it again.
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
    /// Streams that did not come, each with its reason; the download has succeeded all the same.
    public var failedStreams: [FailedStream] = []
    /// Streams that the network policy did not allow now; the next download asks again.
    public var waitingStreams = 0
    /// Streams that did not come because the app has paused them.
    public var pausedStreams = 0
    /// How long the streams took.
    public var streaming = Duration.zero

    /// The report of a download that has brought nothing.
    public init() {}

    /// One line for people.
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
