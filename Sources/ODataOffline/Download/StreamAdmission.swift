import ODataMedia
import ODataStores
import Synchronization

/// The urgency of a stream's transfer, for network policies.
enum StreamPriority {
    static let refresh = 0
    static let pinned = 1
    static let reading = 2
    static let sending = 3
}

/// Decides which streams of one run are transferred.
final class StreamAdmission: Sendable {
    private struct State {
        /// The bytes received in this run.
        var bytes: Int64 = 0
        var waiting = 0
        var refused = Refused()
    }

    /// The names of streams that are not transferred.
    struct Refused {
        /// They would only evict others of this run.
        var beyondQuota: [String] = []
        /// The network policy did not allow them.
        var waiting: [String] = []
    }

    private let quota: Int64?
    private let policy: (any NetworkPolicy)?
    private let state = Mutex(State())

    init(quota: Int64?, policy: (any NetworkPolicy)?) {
        self.quota = quota
        self.policy = policy
    }

    /// The number of streams that the network policy did not allow.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Removes and returns the streams that were refused since the last call.
    func takeRefused() -> Refused {
        state.withLock { state in
            defer { state.refused = Refused() }
            return state.refused
        }
    }

    func note(_ bytes: Int64) { state.withLock { $0.bytes += bytes } }

    func admits(_ request: StreamDownloadRequest) async -> Bool {
        guard fits(request) else { return false }
        guard let policy, !(await policy.allows(nil, priority: request.priority)) else { return true }
        state.withLock { state in
            state.waiting += 1
            state.refused.waiting.append(request.name)
        }
        return false
    }

    private func fits(_ request: StreamDownloadRequest) -> Bool {
        guard let quota, request.priority == StreamPriority.refresh else { return true }
        return state.withLock { state in
            guard state.bytes >= quota else { return true }
            state.refused.beyondQuota.append(request.name)
            return false
        }
    }
}
