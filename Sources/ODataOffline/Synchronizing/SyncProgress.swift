import ODataStores

/// How far an upload, a download or a synchronization is.
public struct SyncProgress: Sendable, Hashable, CustomStringConvertible {
    /// One defining query of a download.
    public struct Query: Sendable, Hashable {
        /// The ``DefiningQuery/name``.
        public var name: String
        /// From 0 to 1; nil while the number of entities is not known. Never less than before.
        public var fraction: Double?
        /// Received entities, also those of a page that is still being received.
        public var entities = 0
        /// The number of entities, if the service has returned it or the last download received as many.
        public var totalEntities: Int64?
        /// Received bytes, also those of a page that is still being received.
        public var bytes: Int64 = 0

        init(name: String) { self.name = name }
    }

    /// What runs.
    public var phase: SyncState.Phase
    /// The part of the whole run that is done, from 0 to 1: never less than before. Each request of the queue, each
    /// defining query and each stream counts; a query whose size is not known counts when it is complete.
    public var fraction = 0.0
    /// Requests of the upload.
    public var requests = 0
    /// Of these, those that were sent, failed or were held back.
    public var finishedRequests = 0
    /// The defining queries that the download has begun, in the order of their beginning.
    public var queries: [Query] = []
    /// Streams of the download.
    public var streams = 0
    /// Of these, those that are on the device or failed.
    public var finishedStreams = 0
    /// Bytes that were received and sent in this run.
    public var bytes: Int64 = 0
    /// Bytes per second in the last seconds; nil before it is known.
    public var bytesPerSecond: Double?

    /// The progress of a run that has not begun.
    public init(phase: SyncState.Phase) { self.phase = phase }

    /// The progress in a few words: `Receiving orders: 812 of 1779 entities, 1.2 MB, 340.5 kB/s`
    public var description: String {
        var parts: [String] = []
        switch phase {
        case .idle: return "Nothing runs"
        case .uploading: parts.append("Sending \(finishedRequests) of \(requests.counted("request"))")
        case .downloading:
            if streams > finishedStreams || queries.allSatisfy({ $0.fraction == 1 }) && streams > 0 {
                parts.append("Receiving streams: \(finishedStreams) of \(streams)")
            } else if let query = queries.last(where: { $0.fraction != 1 }) {
                let count = query.totalEntities.map { "\(query.entities) of \($0.counted("entity", "entities"))" }
                parts.append("Receiving \(query.name): \(count ?? query.entities.counted("entity", "entities"))")
            } else {
                parts.append("Receiving")
            }
        }
        if bytes > 0 { parts.append("\(ByteSize(bytes))") }
        if let bytesPerSecond { parts.append("\(ByteSize(Int64(bytesPerSecond.rounded())))/s") }
        return parts.joined(separator: ", ")
    }
}
