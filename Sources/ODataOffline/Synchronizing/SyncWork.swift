import ODataStores

/// The parts of a synchronization.
public struct SyncWork: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The queue is sent.
    public static let upload = SyncWork(rawValue: 1)
    /// Defining queries are brought up to date.
    public static let download = SyncWork(rawValue: 2)
    /// Media streams are sent and received, as far as there is an upload or a download. Without this they wait, as if
    /// the ``OfflineStore/Configuration/networkPolicy`` did not allow them; one that is read is fetched all the same.
    public static let streams = SyncWork(rawValue: 4)
    /// Everything.
    public static let all: SyncWork = [.upload, .download, .streams]
}

/// Lets the streams of a run wait; those that are read now are left to another policy.
struct WithheldStreams: NetworkPolicy {
    let other: (any NetworkPolicy)?

    func allows(_ bytes: Int64?, priority: Int) async -> Bool {
        guard priority == StreamPriority.reading else { return false }
        return await other?.allows(bytes, priority: priority) ?? true
    }
}

extension OfflineStore {
    /// Decides which streams may be transferred now.
    var networkPolicy: (any NetworkPolicy)? {
        state.withholdsStreams ? WithheldStreams(other: configuration.networkPolicy) : configuration.networkPolicy
    }
}
