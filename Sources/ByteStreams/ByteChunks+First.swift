extension ByteChunks {
    /// The first `count` bytes; all where there are fewer.
    package func first(_ count: Int64) -> ByteChunks {
        let beginning = ChunksUpTo(self, count: count)
        return ByteChunks { try await beginning.next() }
    }
}

/// Ends a sequence of chunks after a number of bytes.
private actor ChunksUpTo {
    private let chunks: ByteChunks.AsyncIterator
    private var left: Int64

    init(_ chunks: ByteChunks, count: Int64) {
        self.chunks = chunks.makeAsyncIterator()
        left = count
    }

    func next() async throws -> [UInt8]? {
        guard left > 0, let chunk = try await chunks.next() else { return nil }
        let part = Array(chunk.prefix(Int(min(left, Int64(chunk.count)))))
        left -= Int64(part.count)
        return part
    }
}
