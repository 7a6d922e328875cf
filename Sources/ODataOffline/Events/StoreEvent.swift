import Foundation
import GRDB

/// What a download, an upload or other work of a store has done.
public struct StoreEvent: Hashable, Sendable, Identifiable {
    /// An open set.
    public struct Kind: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let download = Kind(rawValue: "download")
        public static let upload = Kind(rawValue: "upload")
        public static let rebuild = Kind(rawValue: "rebuild")
        /// Of requests, or of an entry of the error archive: the message names the first request that was taken back.
        public static let undo = Kind(rawValue: "undo")
        public static let clear = Kind(rawValue: "clear")
        public static let keyChange = Kind(rawValue: "keyChange")
    }

    /// How it ended.
    public enum Outcome: String, Sendable {
        case succeeded
        case failed
        case cancelled
        /// The process ended before the work did.
        case interrupted
    }

    public var id: Int64
    public var kind: Kind
    /// In UTC: `2024-01-02T03:04:05`
    public var started: String
    /// Nil while it runs, and where it was interrupted.
    public var ended: String?
    public var outcome: Outcome?
    /// What went wrong, or what is worth knowing of a success.
    public var message: String?
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

/// How much was done, per defining query and phase.
public struct EventCounts: Hashable, Sendable, Codable {
    /// One defining query of a download.
    public struct Query: Hashable, Sendable, Codable {
        public var name: String
        /// Entities that came; at a refresh by delta the changed and removed ones.
        public var entities = 0
        public var pages = 0
        /// Bytes of the entities that came, as far as they hold values; nil in events of earlier releases.
        public var bytes: Int64?
        /// How it was read; nil if it did not come to its end.
        public var mode: RefreshMode?
        /// Why everything was read again, where changes only would have been wanted.
        public var reason: String?
        /// Seconds by phase, `reading` and `publishing`; empty if the query did not come to its end.
        public var seconds: [String: Double] = [:]
    }

    /// The streams of a download.
    public struct Streams: Hashable, Sendable, Codable {
        public var wanted = 0
        public var finished = 0
        public var failed = 0
        public var bytes: Int64 = 0
        public var seconds = 0.0
    }

    /// What became of the requests of an upload: how many there are of each list of an ``UploadReport``.
    public struct Results: Hashable, Sendable, Codable {
        public var succeeded = 0
        /// One for a change set.
        public var failed = 0
        public var held = 0
        public var unconfirmed = 0
        public var notSent = 0
        public var givenUp = 0
        /// Nil in events of earlier releases.
        public var waitingStreams: Int?
        /// Nil in events of earlier releases.
        public var stoppedStreams: Int?
    }

    public var queries: [Query] = []
    public var streams: Streams?
    /// Requests that waited when an upload began, and those of them that it was done with.
    public var requests: Int?
    public var done: Int?
    /// Nil for what is no upload, or one that could not begin.
    public var results: Results?
    public var seconds = 0.0
}
