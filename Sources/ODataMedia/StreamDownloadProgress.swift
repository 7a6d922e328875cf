import Synchronization

/// How far a number of downloads has come.
package struct StreamDownloadProgress: Sendable, Hashable {
    /// All streams that were asked for.
    package var streams: Int
    package var finished = 0
    package var failed = 0
    /// The bytes received in this run.
    package var transferred: Int64 = 0

    package init(streams: Int) {
        self.streams = streams
    }
}

/// Counts what parallel transfers report and passes it on in order.
final class StreamDownloadMeter: Sendable {
    private let progress: Mutex<StreamDownloadProgress>
    private let report: @Sendable (StreamDownloadProgress) -> Void

    init(streams: Int, report: @escaping @Sendable (StreamDownloadProgress) -> Void) {
        progress = Mutex(StreamDownloadProgress(streams: streams))
        self.report = report
    }

    func note(_ change: (inout StreamDownloadProgress) -> Void) {
        progress.withLock { progress in
            change(&progress)
            report(progress)
        }
    }

    /// So many streams are known: if these are `all`, others than were counted at first.
    func know(_ streams: Int, all: Bool) {
        progress.withLock { progress in
            let total = all ? streams : max(streams, progress.streams)
            guard progress.streams != total else { return }
            progress.streams = total
            report(progress)
        }
    }
}
