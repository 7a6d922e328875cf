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

    /// Shows a read until it ends.
    func follow(_ events: StreamEvents) async {
        for await case .progress(let bytes, let total) in events { show(bytes, of: total) }
        finish()
    }

    func finish() { lines.finish() }
}

/// A source whose bytes are shown by a bar as they are read.
struct ShownSource: ByteSource {
    let source: any ByteSource
    let bar: ProgressBar

    var length: Int64? { source.length }
    var contentType: String? { source.contentType }
    var digest: SourceDigest? { source.digest }

    func identity() throws -> SourceIdentity? { try source.identity() }

    func open(at offset: Int64) throws -> ByteChunks {
        let chunks = try source.open(at: offset).makeAsyncIterator()
        return ByteChunks { [bar, length] in
            let chunk = try await chunks.next()
            if let chunk { bar.add(chunk.count, of: length) }
            return chunk
        }
    }
}
