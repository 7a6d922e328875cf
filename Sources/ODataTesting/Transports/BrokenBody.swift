import ByteStreams
import ODataTransport

/// A body that ends where it should not.
actor BrokenBody {
    private let iterator: ByteChunks.AsyncIterator
    /// How many bytes may still pass before the connection breaks; nil for all.
    private var limit: Int?
    /// How many bytes the header promised and that have not come; nil where the header is correct.
    private var expected: Int64?
    /// Whether the connection broke before the end of the body.
    private(set) var isBroken = false
    private let onBreak: @Sendable () -> Void

    init(
        _ chunks: ByteChunks, limit: Int? = nil, expected: Int64? = nil, onBreak: @escaping @Sendable () -> Void = {}
    ) {
        iterator = chunks.makeAsyncIterator()
        self.onBreak = onBreak
        self.limit = limit
        self.expected = expected
    }

    func next() async throws -> [UInt8]? {
        if limit == 0 {
            if !isBroken { onBreak() }
            isBroken = true
            throw TransportError(.interrupted, "The connection broke (by the plan of faults).")
        }
        if expected == 0 { return nil }
        guard var chunk = try await iterator.next() else {
            if expected != nil { throw TransportError(.truncated, "The body is shorter than its Content-Length.") }
            return nil
        }
        if let limit {
            chunk = Array(chunk.prefix(limit))
            self.limit = limit - chunk.count
        }
        if let expected {
            chunk = Array(chunk.prefix(Int(clamping: expected)))
            self.expected = expected - Int64(chunk.count)
        }
        return chunk
    }
}
