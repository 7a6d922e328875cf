import Foundation
import GRDB

/// An event of a store: a download, an upload or another operation.
public struct StoreEvent: Hashable, Sendable, Identifiable {
    /// An open set.
    public struct Kind: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A download of defining queries and their streams; ``EventCounts/queries`` and ``EventCounts/streams`` count.
        public static let download = Kind(rawValue: "download")
        /// An upload of the queue, also of some categories only; ``EventCounts/results`` counts.
        public static let upload = Kind(rawValue: "upload")
        /// A rebuild: it counts as the download in it does.
        public static let rebuild = Kind(rawValue: "rebuild")
        /// An undo of requests, or of an entry of the error archive: the message names the first request.
        public static let undo = Kind(rawValue: "undo")
        /// All data of the store were removed; counts nothing.
        public static let clear = Kind(rawValue: "clear")
        /// The key of an encrypted store was changed; only the time is counted.
        public static let keyChange = Kind(rawValue: "keyChange")
    }

    /// The outcome.
    public enum Outcome: String, Sendable {
        /// Everything was done, except for streams of a download that the app has paused or that the network policy did
        /// not allow.
        case succeeded
        /// It ended, but not everything was done; ``EventCounts`` describes the rest: streams of a download failed,
        /// requests of an upload are still in the queue, or do not fit the new metadata after a rebuild.
        case partial
        /// An error ended it: see ``StoreEvent/message``.
        case failed
        /// The task was cancelled, or the store was closed.
        case cancelled
        /// The process ended before the work did.
        case interrupted
    }

    public var id: Int64
    /// The kind of operation, which determines the ``counts``.
    public var kind: Kind
    /// In UTC: `2024-01-02T03:04:05`
    public var started: String
    /// Nil while it runs, and where it was interrupted.
    public var ended: String?
    /// Nil while it runs.
    public var outcome: Outcome?
    /// The error, or a notice about a success.
    public var message: String?
    /// Nil while it runs, where it was interrupted, and for `undo` and `clear`.
    public var counts: EventCounts?

    init(row: Row) {
        id = row["id"]
        kind = Kind(rawValue: row["kind"])
        started = row["started"]
        ended = row["ended"]
        outcome = (row["outcome"] as String?).flatMap(Outcome.init)
        message = row["message"]
        let text: String? = row["counts"]
        counts = text.flatMap { try? JSONDecoder().decode(EventCounts.self, from: Data($0.utf8)) }
    }
}

/// The amount of work, per defining query and phase.
public struct EventCounts: Hashable, Sendable, Codable {
    /// One defining query of a download.
    public struct Query: Hashable, Sendable, Codable {
        /// The ``DefiningQuery/name``.
        public var name: String
        /// Received entities; at a refresh by delta the changed and removed ones.
        public var entities = 0
        /// Received pages, also in earlier runs of the same download.
        public var pages = 0
        /// Bytes of the received entities that hold values; nil in events of earlier releases.
        public var bytes: Int64?
        /// How it was read; nil if it did not finish.
        public var mode: RefreshMode?
        /// The reason why everything was read again although changes were requested.
        public var reason: String?
        /// The diagnostics of the pages: ``DownloadReport/Query/diagnostics``; nil if there are none.
        public var diagnostics: [String]?
        /// Seconds by phase, `reading` and `publishing`; empty if the query did not finish.
        public var seconds: [String: Double] = [:]
    }

    /// The streams of a download.
    public struct Streams: Hashable, Sendable, Codable {
        /// The number of streams to download.
        public var wanted = 0
        /// Of these, the number on the device.
        public var finished = 0
        /// Of these, the number that failed.
        public var failed = 0
        /// Bytes that were transferred in this run.
        public var bytes: Int64 = 0
        /// The duration of the streams' download; 0 if it did not finish.
        public var seconds = 0.0
    }

    /// The number of requests of an upload in each list of an ``UploadReport``.
    public struct Results: Hashable, Sendable, Codable {
        /// Requests that the service has executed.
        public var succeeded = 0
        /// One for a change set.
        public var failed = 0
        /// Requests that were held back because of others or the network.
        public var held = 0
        /// Requests with an unknown outcome.
        public var unconfirmed = 0
        /// Requests that were not sent because the upload ended before.
        public var notSent = 0
        /// Requests that were removed by the resolution of a conflict or by a deletion.
        public var givenUp = 0
        /// Nil in events of earlier releases.
        public var waitingStreams: Int?
        /// Nil in events of earlier releases.
        public var stoppedStreams: Int?
    }

    /// The queries with which a download or rebuild has begun; empty for other events.
    public var queries: [Query] = []
    /// Nil if the operation transferred no streams.
    public var streams: Streams?
    /// The number of requests in the queue when an upload began, and how many of them are done.
    public var requests: Int?
    /// How many of ``requests`` were sent, failed or were held back; nil if ``requests`` is nil.
    public var done: Int?
    /// Nil if the event is not an upload, or if the upload could not begin.
    public var results: Results?
    /// From beginning to end, by the store's clock.
    public var seconds = 0.0
}
