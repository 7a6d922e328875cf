import OData
import Synchronization

/// Shows how many bytes have been read or written.
final class ProgressBar: Sendable {
    private let lines = ProgressLines()
    private let done = Mutex<Int64>(0)

    func show(_ bytes: Int64, of total: Int64?) { lines.show(bytes, of: total) }

    /// As many bytes more.
    func add(_ bytes: Int, of total: Int64?) {
        let sum = done.withLock { done in
            done += Int64(bytes)
            return done
        }
        show(sum, of: total)
    }

    /// The source, whose bytes are shown as they are read.
    func following(_ source: any ByteSource) -> FollowedSource {
        FollowedSource(source) { [self, length = source.length] in show($0, of: length) }
    }

    /// Shows a read until it ends.
    func follow(_ events: StreamEvents) async {
        for await case .progress(let bytes, let total) in events { show(bytes, of: total) }
        finish()
    }

    func finish() { lines.finish() }
}
