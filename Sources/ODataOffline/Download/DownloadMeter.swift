import ODataStores
import Synchronization

/// Reports the progress of one defining query, also while a page arrives of which no entity is complete yet.
final class DownloadMeter: Sendable {
    /// Bytes that arrive are reported so often at most.
    private static let interval = Duration.milliseconds(100)

    private struct State {
        var progress: DownloadProgress
        var receivedBytes: Int64 = 0
        var reported: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let report: @Sendable (DownloadProgress) -> Void

    init(_ query: String, report: @escaping @Sendable (DownloadProgress) -> Void) {
        state = Mutex(State(progress: DownloadProgress(.waiting, query: query)))
        self.report = report
    }

    /// Reports the progress after `change`, in the order of the calls.
    func note(_ change: (inout DownloadProgress) -> Void) {
        state.withLock { state in
            change(&state.progress)
            state.progress.receivedBytes = state.receivedBytes
            state.reported = .now
            report(state.progress)
        }
    }

    /// Bytes of a page have arrived.
    func received(_ count: Int) {
        state.withLock { state in
            state.receivedBytes += Int64(count)
            let isFirst = state.progress.phase == .waiting
            guard isFirst || state.reported.map({ $0.duration(to: .now) >= Self.interval }) ?? true else { return }
            state.progress.phase = .reading
            state.progress.receivedBytes = state.receivedBytes
            state.reported = .now
            report(state.progress)
        }
    }
}
