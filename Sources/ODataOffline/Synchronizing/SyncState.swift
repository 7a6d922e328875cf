import Foundation
import ODataStores

/// What the synchronization of a store does now, what waits for it, and what it needs of the app:
/// ``OfflineStore/syncStates``.
public struct SyncState: Sendable {
    /// What runs.
    public enum Phase: String, Sendable, Hashable {
        /// Nothing runs.
        case idle
        /// The queue is sent.
        case uploading
        /// Defining queries and streams are received.
        case downloading
    }

    /// What runs, also if the app has started it with ``OfflineStore/upload(categories:progress:)`` or
    /// ``OfflineStore/download(_:progress:)``.
    public var phase = Phase.idle
    /// How far it is; nil while nothing runs.
    public var progress: SyncProgress?
    /// Whether there is a network, as far as a ``NetworkMonitor`` and the last run report: false after a run to which the
    /// service did not respond.
    public var isConnected = true
    /// Requests in the queue: failed and held ones are included.
    public var queueLength = 0
    /// Entries of the error archive: ``OfflineStore/errorEntries()``.
    public var failedRequests = 0
    /// When all defining queries were last brought up to date without an error, also in an earlier run of the app; nil if
    /// they never were. Requests that the service has refused, and streams, may have been left.
    public var lastSuccess: Date?
    /// When a ``SyncScheduler`` will start the next run; nil if none is planned.
    public var nextAttempt: Date?
    /// What the app or the user has to do before all can be synchronized again; nil if nothing.
    public var requirement: SyncRequirement?
    /// The error that ended the last run; nil if none did. What the service has refused is in ``failedRequests``.
    public var failure: ODataError?

    /// Whether an upload or a download runs.
    public var isRunning: Bool { phase != .idle }

    /// The state of a store where nothing runs or waits.
    public init() {}
}

/// What only the app or the user can do before a store is synchronized completely again.
public struct SyncRequirement: Hashable, Sendable, CustomStringConvertible {
    /// The word for logs: that of the constant, such as `signIn`.
    public let name: String
    /// The parts of a ``SyncScheduler``'s runs that wait for it. Where only uploads wait, the next change on the device
    /// is sent all the same, and the requests of the error archive are tried again with it.
    public let stops: SyncWork
    /// The ``name``.
    public var description: String { name }

    private init(_ name: String, stops: SyncWork) {
        self.name = name
        self.stops = stops
    }

    /// The service requires credentials: `unauthorized`. Sign in, then call ``SyncScheduler/resume()``.
    public static let signIn = SyncRequirement("signIn", stops: .all)
    /// The service does not allow the user to read what a defining query names: `forbidden`. Other queries and the queue
    /// are synchronized.
    public static let permission = SyncRequirement("permission", stops: [])
    /// The service does not accept a defining query, or the store cannot hold its result: correct it with
    /// ``OfflineStore/setQueries(_:)``. Other queries and the queue are synchronized.
    public static let queries = SyncRequirement("queries", stops: [])
    /// The store does not fit the service's new metadata: ``OfflineStore/rebuild(progress:)``.
    public static let rebuild = SyncRequirement("rebuild", stops: .download)
    /// The store cannot be used: it is closed, damaged, for reading only, or has no remote store.
    public static let store = SyncRequirement("store", stops: .all)
    /// Requests are in conflict with newer versions of the service: ``OfflineStore/conflicts()``.
    public static let conflict = SyncRequirement("conflict", stops: .upload)
    /// The service has refused requests: ``OfflineStore/errorEntries()``.
    public static let refusal = SyncRequirement("refusal", stops: .upload)
}
