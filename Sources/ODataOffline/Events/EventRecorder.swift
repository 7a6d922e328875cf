import Foundation
import Synchronization

/// Counts the progress of a download or an upload.
final class EventRecorder: Sendable {
    fileprivate struct State {
        var counts = EventCounts()
        var message: String?
        var isPartial = false
    }

    private let now: @Sendable () -> Date
    private let started: Date
    private let state = Mutex(State())

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
        started = now()
    }

    var counts: EventCounts {
        let time = now()
        return state.withLock { state in
            state.counts.seconds = time.timeIntervalSince(started)
            return state.counts
        }
    }

    /// A notice about a success.
    var message: String? {
        get { state.withLock { $0.message } }
        set { state.withLock { $0.message = newValue } }
    }

    /// Whether a part of the operation was not executed.
    var isPartial: Bool {
        get { state.withLock { $0.isPartial } }
        set { state.withLock { $0.isPartial = newValue } }
    }

    /// Counts the progress and reports it to `progress`.
    func noting(_ progress: @escaping @Sendable (DownloadProgress) -> Void) -> @Sendable (DownloadProgress) -> Void {
        { step in
            self.state.withLock { $0.note(step) }
            progress(step)
        }
    }

    /// Records how each query was read, and how long that took. Queries are read in parallel, so that the progress does
    /// not show it.
    func note(_ report: DownloadReport) { state.withLock { $0.note(report) } }

    /// Records the outcome of the requests.
    func note(_ report: UploadReport) {
        let results = EventCounts.Results(
            succeeded: report.succeeded.count, failed: report.failed.count, held: report.held.count,
            unconfirmed: report.unconfirmed.count, notSent: report.notSent.count, givenUp: report.givenUp.count,
            waitingStreams: report.waitingStreams.count, stoppedStreams: report.stoppedStreams.count)
        state.withLock { state in
            state.counts.results = results
            state.message = report.notice ?? state.message
            state.isPartial = !report.isComplete
        }
    }

    /// Counts the progress and reports it to `progress`.
    func noting(_ progress: @escaping @Sendable (UploadProgress) -> Void) -> @Sendable (UploadProgress) -> Void {
        { step in
            self.state.withLock { state in
                state.counts.requests = step.requests
                state.counts.done = step.done
            }
            progress(step)
        }
    }
}

extension EventRecorder.State {
    fileprivate mutating func note(_ step: DownloadProgress) {
        switch step.phase {
        case .waiting: break
        case .reading, .publishing:
            let index = index(of: step.query)
            counts.queries[index].entities = step.entities
            counts.queries[index].pages = step.pages
            counts.queries[index].bytes = step.bytes
        case .streams:
            var streams = counts.streams ?? .init()
            (streams.wanted, streams.finished) = (step.streams, step.finishedStreams)
            (streams.failed, streams.bytes) = (step.failedStreams, step.bytes)
            counts.streams = streams
        }
    }

    fileprivate mutating func note(_ report: DownloadReport) {
        for query in report.queries {
            let index = index(of: query.name)
            (counts.queries[index].mode, counts.queries[index].reason) = (query.mode, query.reason)
            counts.queries[index].bytes = query.bytes
            counts.queries[index].diagnostics = query.diagnostics.isEmpty ? nil : query.diagnostics
            counts.queries[index].seconds = [
                DownloadProgress.Phase.reading.rawValue: query.reading.inSeconds,
                DownloadProgress.Phase.publishing.rawValue: query.publishing.inSeconds,
            ]
        }
        counts.streams?.seconds = report.streaming.inSeconds
        isPartial = !report.failedStreams.isEmpty
    }

    private mutating func index(of query: String) -> Int {
        if let index = counts.queries.firstIndex(where: { $0.name == query }) { return index }
        counts.queries.append(.init(name: query))
        return counts.queries.count - 1
    }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}
