import Synchronization

/// A part of another source. A source that ends before the part does is an error, not an early end.
public struct SliceSource: BlockingByteSource {
    public var contentType: String?
    public var digest: SourceDigest?
    private let base: any ByteSource
    private let range: Range<Int64>

    /// - Throws: ``ByteStreamError`` with code `pastEnd` if the range is known to be outside the source.
    public init(_ base: any ByteSource, range: Range<Int64>) throws {
        guard range.lowerBound >= 0, range.upperBound <= base.length ?? .max else {
            throw ByteStreamError(
                .pastEnd, "The range \(range) is outside the source\(base.length.map { " of \($0) bytes" } ?? "").")
        }
        (self.base, self.range) = (base, range)
    }

    public var length: Int64? { Int64(range.count) }

    /// The whole source's.
    public func identity() throws -> SourceIdentity? { try base.identity() }

    public func open(at offset: Int64) throws -> ByteChunks {
        let cut = Cut(try base.open(at: try place(of: offset)), count: Int64(range.count) - offset)
        return ByteChunks { try await cut.next() }
    }

    public var isBlocking: Bool { base.blocking != nil }

    public func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        guard let base = base.blocking else { throw ByteStreamError.asynchronousOnly }
        return Reader(try base.openBlocking(at: try place(of: offset)), count: Int64(range.count) - offset)
    }

    private func place(of offset: Int64) throws -> Int64 {
        guard (0...Int64(range.count)).contains(offset) else {
            throw ByteStreamError(offset: offset, outside: Int64(range.count), of: "the part")
        }
        return range.lowerBound + offset
    }

    fileprivate static let tooShort = ByteStreamError(.changed, "The source ended before the part of it did.")

    /// Ends a sequence of chunks after a number of bytes.
    private actor Cut {
        private let chunks: ByteChunks.AsyncIterator
        private var left: Int64

        init(_ chunks: ByteChunks, count: Int64) {
            self.chunks = chunks.makeAsyncIterator()
            left = count
        }

        func next() async throws -> [UInt8]? {
            guard left > 0 else { return nil }
            guard let chunk = try await chunks.next() else { throw SliceSource.tooShort }
            let part = left < Int64(chunk.count) ? Array(chunk.prefix(Int(left))) : chunk
            left -= Int64(part.count)
            return part
        }
    }

    private final class Reader: BlockingByteReader {
        private let base: any BlockingByteReader
        private let left: Mutex<Int64>

        init(_ base: any BlockingByteReader, count: Int64) {
            self.base = base
            left = Mutex(count)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            try left.withLock { left in
                let size = Int(min(Int64(buffer.count), left))
                guard size > 0 else { return 0 }
                let count = try base.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
                guard count > 0 else { throw SliceSource.tooShort }
                left -= Int64(count)
                return count
            }
        }
    }
}

extension ByteStreamError {
    static let asynchronousOnly = ByteStreamError(.unreadable, "The source gives its bytes only asynchronously.")
}
