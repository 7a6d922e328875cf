import Synchronization

/// Bytes in memory as a source: an array, a part of one, or Foundation's `Data`. They are not copied before they are
/// read.
public struct DataSource: BlockingByteSource {
    public var contentType: String?
    public var digest: SourceDigest?
    private let count: Int
    private let copy: @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Void

    /// - Parameter bytes: Kept as long as the source.
    public init(_ bytes: some RandomAccessCollection<UInt8> & Sendable) {
        count = bytes.count
        copy = { offset, buffer in
            let start = bytes.index(bytes.startIndex, offsetBy: offset)
            buffer.copyBytes(from: bytes[start..<bytes.index(start, offsetBy: buffer.count)])
        }
    }

    public var length: Int64? { Int64(count) }

    public func open(at offset: Int64) throws -> ByteChunks {
        ByteChunks(try openBlocking(at: offset), count: Int64(count) - offset)
    }

    public func openBlocking(at offset: Int64) throws -> any BlockingByteReader {
        guard (0...Int64(count)).contains(offset) else {
            throw ByteStreamError(.pastEnd, "Offset \(offset) is outside the \(count) bytes.")
        }
        return Reader(count: count, position: Int(offset), copy: copy)
    }

    private final class Reader: BlockingByteReader {
        private let count: Int
        private let position: Mutex<Int>
        private let copy: @Sendable (Int, UnsafeMutableRawBufferPointer) -> Void

        init(count: Int, position: Int, copy: @escaping @Sendable (Int, UnsafeMutableRawBufferPointer) -> Void) {
            self.count = count
            self.position = Mutex(position)
            self.copy = copy
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            position.withLock { position in
                let size = min(buffer.count, count - position)
                guard size > 0 else { return 0 }
                copy(position, UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
                position += size
                return size
            }
        }
    }
}

final class OnceFlag: Sendable {
    private let taken = Mutex(false)

    var isTaken: Bool { taken.withLock { $0 } }

    /// True for the first caller.
    func take() -> Bool {
        taken.withLock { taken in
            defer { taken = true }
            return !taken
        }
    }
}
