import Synchronization

/// Adds up what the parts of an upload report, and passes it on in order.
final class UploadMeter: Sendable {
    private struct State {
        var progress = UploadProgress(requests: 0, done: 0)
        var streams: [Int64: (acknowledged: Int64, total: Int64)] = [:]
    }

    private let state = Mutex(State())
    private let report: @Sendable (UploadProgress) -> Void

    init(_ report: @escaping @Sendable (UploadProgress) -> Void) { self.report = report }

    func note(requests: Int, done: Int, current: QueueEntry? = nil) {
        state.withLock { state in
            (state.progress.requests, state.progress.done) = (requests, done)
            state.progress.current = current
            report(state.progress)
        }
    }

    /// - Parameter total: The bytes of the stream that a request sends; nil if they are not known.
    func note(_ request: Int64, acknowledged: Int64, of total: Int64?) {
        guard let total else { return }
        state.withLock { state in
            let before = state.streams[request]
            let now = max(before?.acknowledged ?? 0, acknowledged)
            guard before?.acknowledged != now || before?.total != total else { return }
            state.streams[request] = (now, total)
            state.progress.acknowledgedBytes = state.streams.values.reduce(0) { $0 + $1.acknowledged }
            state.progress.streamBytes = state.streams.values.reduce(0) { $0 + $1.total }
            report(state.progress)
        }
    }
}
