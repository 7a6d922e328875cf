import Synchronization

/// A source that a thread can read without waiting for a task.
public protocol BlockingByteSource: ByteSource {
    /// False where ``openBlocking(at:)`` always throws: for a slice of a source that gives its bytes only
    /// asynchronously.
    var isBlocking: Bool { get }

    /// A reader of the bytes from `offset` to the end.
    ///
    /// - Throws: ``ByteStreamError`` if the source cannot be opened or is shorter than `offset`.
    func openBlocking(at offset: Int64) throws -> any BlockingByteReader
}

extension BlockingByteSource {
    public var isBlocking: Bool { true }
}

/// Reads the bytes of a source one after the other. Used by one thread at a time.
public protocol BlockingByteReader: AnyObject, Sendable {
    /// Reads bytes into `buffer`, which is not empty, and waits for the first of them.
    ///
    /// - Returns: Their number; 0 at the end.
    /// - Throws: ``ByteStreamError``; with code `invalidated` where the source has to be opened again.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
    /// The source as one that a thread can read; nil if it cannot.
    var blocking: (any BlockingByteSource)? {
        guard let source = self as? any BlockingByteSource, source.isBlocking else { return nil }
        return source
    }
}

extension ByteChunks {
    private static let chunkSize = 64 * 1024

    /// The bytes of a reader that never waits for long.
    ///
    /// - Parameter count: How many bytes the reader will give.
    init(_ reader: any BlockingByteReader, count: Int64) {
        let left = Mutex(count)
        self.init {
            try left.withLock { left in
                guard left > 0 else { return nil }
                let size = Int(Swift.min(Int64(Self.chunkSize), left))
                let chunk = try [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
                    filled = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                left -= Int64(chunk.count)
                return chunk.isEmpty ? nil : chunk
            }
        }
    }
}
