import Foundation
import OData
import Observation

/// The synchronization of an offline store, as it is now, for views: what runs and how far it is, what waits, and what only
/// the user can do.
///
/// ```swift
/// @State private var sync = SyncStatus(store)
///
/// if let fraction = sync.fraction { ProgressView(value: fraction) }
/// if sync.queueLength > 0 { Text("\(sync.queueLength) changes wait") }
/// ```
///
/// It follows runs that a `SyncScheduler` starts and those that the app starts, and starts none.
@MainActor @Observable
public final class SyncStatus {
    /// All of it. Until the store has been asked, that of a store where nothing runs or waits.
    public private(set) var state = SyncState()
    /// Whether changes are seen: not after ``stop()``, nor when the store is closed.
    public private(set) var isFollowing = true

    @ObservationIgnored private let followed = FollowedSequence()

    /// Follows `OfflineStore.syncStates`.
    public init(_ store: OfflineStore) {
        followed.follow(store.syncStates) { [weak self] state in
            self?.state = state
            return self != nil
        } end: { [weak self] in
            self?.isFollowing = false
        }
    }

    /// Whether there is a network, as far as is known.
    public var isConnected: Bool { state.isConnected }
    /// Whether the queue is being sent.
    public var isUploading: Bool { state.phase == .uploading }
    /// Whether defining queries and streams are being received.
    public var isDownloading: Bool { state.phase == .downloading }
    /// How far what runs is, from 0 to 1; nil while nothing runs.
    public var fraction: Double? { state.progress?.fraction }
    /// The number of requests in the queue, failed and held ones included.
    public var queueLength: Int { state.queueLength }
    /// The number of entries of the error archive.
    public var failedRequests: Int { state.failedRequests }
    /// When all defining queries were last brought up to date; nil if they never were.
    public var lastSuccess: Date? { state.lastSuccess }
    /// When a `SyncScheduler` will start the next run; nil if none is planned.
    public var nextAttempt: Date? { state.nextAttempt }
    /// What the app or the user has to do before all can be synchronized again; nil if nothing.
    public var requirement: SyncRequirement? { state.requirement }
    /// The error that ended the last run; nil if none did.
    public var error: ODataError? { state.failure }

    /// Sees no more changes. The state stays.
    public func stop() {
        followed.stop()
        isFollowing = false
    }
}
