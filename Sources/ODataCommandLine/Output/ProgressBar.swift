import OData
import Synchronization

/// Shows on a terminal how many bytes have been read or written; nothing elsewhere.
///
///     [##########--------------------]  34% of 12.4 MB
///     4.2 MB
final class ProgressBar: Sendable {
    private let lines = ProgressLines()
    private let done = Mutex<Int64>(0)

    func show(_ bytes: Int64, of total: Int64?) { lines.show(Self.line(bytes, of: total), isMilestone: false) }

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

    static func line(_ bytes: Int64, of total: Int64?) -> String {
        guard let total else { return size(bytes) }
        let share = total > 0 ? min(1, Double(bytes) / Double(total)) : 1
        let width = 30
        let marks = Int(share * Double(width))
        let bar = String(repeating: "#", count: marks) + String(repeating: "-", count: width - marks)
        let percent = "\(Int(share * 100))%"
        return "[\(bar)] \(String(repeating: " ", count: 4 - percent.count))\(percent) of \(size(total))"
    }

    /// `999 B`, `12.4 MB`
    private static func size(_ bytes: Int64) -> String {
        var tenths = bytes * 10
        var unit = "B"
        for next in ["kB", "MB", "GB", "TB"] where tenths >= 10_000 {
            tenths /= 1000
            unit = next
        }
        return unit == "B" ? "\(bytes) B" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
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
