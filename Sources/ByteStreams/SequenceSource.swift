/// Asynchronous sequences of chunks as a source: one for each time that it is opened.
///
/// ```swift
/// let source = SequenceSource(length: size) { offset in connection.bytes(from: offset) }
/// ```
public struct SequenceSource: ByteSource {
    public let length: Int64?
    public var contentType: String?
    public var digest: SourceDigest?
    private let opener: @Sendable (Int64) -> ByteChunks

    /// - Parameters:
    ///   - length: In bytes; nil where unknown.
    ///   - sequence: Gives the bytes from an offset to the end; called with the first pull.
    public init<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil, _ sequence: @escaping @Sendable (_ offset: Int64) async throws -> Chunks
    ) where Chunks.Element == [UInt8] {
        self.length = length
        opener = { offset in
            let pulled = PulledSequence(skipping: 0) { try await sequence(offset) }
            return ByteChunks { try await pulled.next() }
        }
    }

    /// - Parameters:
    ///   - length: In bytes; nil where unknown.
    ///   - sequence: Gives all bytes; to begin at an offset those before it are read and dropped.
    public init<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil, fromStart sequence: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element == [UInt8] {
        self.length = length
        opener = { offset in
            let pulled = PulledSequence(skipping: offset, sequence)
            return ByteChunks { try await pulled.next() }
        }
    }

    public func open(at offset: Int64) throws -> ByteChunks {
        guard offset >= 0, offset <= length ?? .max else {
            throw ByteStreamError(offset: offset, outside: length ?? 0, of: "the sequence")
        }
        return opener(offset)
    }
}

/// An asynchronous sequence that is made with the first pull.
private actor PulledSequence<Chunks: AsyncSequence & Sendable> where Chunks.Element == [UInt8] {
    private var make: (@Sendable () async throws -> Chunks)?
    private var iterator: Chunks.AsyncIterator?
    private var skipped: Int64

    init(skipping count: Int64, _ make: @escaping @Sendable () async throws -> Chunks) {
        self.make = make
        skipped = count
    }

    func next() async throws -> [UInt8]? {
        if let make {
            self.make = nil
            iterator = try await make().makeAsyncIterator()
        }
        while let chunk = try await pull() {
            let count = Int(min(skipped, Int64(chunk.count)))
            skipped -= Int64(count)
            if count < chunk.count { return count == 0 ? chunk : Array(chunk[count...]) }
        }
        guard skipped == 0 else { throw ByteStreamError(.pastEnd, "The offset is behind the end of the sequence.") }
        return nil
    }

    private func pull() async throws -> [UInt8]? {
        guard var current = iterator else { return nil }
        iterator = nil
        guard let chunk = try await current.next(isolation: self) else { return nil }
        iterator = current
        return chunk
    }
}
