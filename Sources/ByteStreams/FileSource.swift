import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file, or a part of it, as a source. The length is taken when the source is made; a file that is shorter when
/// read is an error, not an early end.
public struct FileSource: ByteSource {
    private static let chunkSize = 128 * 1024
    public let path: String
    private let start: Int64
    private let count: Int64

    /// - Throws: ``ByteStreamError`` with code `notFound` or `unreadable`.
    public init(path: String, range: Range<Int64>? = nil) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ByteStreamError(opening: path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ByteStreamError(.unreadable, "\(path) is not a regular file.")
        }
        let size = Int64(status.st_size)
        let range = range ?? 0..<size
        guard range.lowerBound >= 0, range.upperBound <= size else {
            throw ByteStreamError(.pastEnd, "The range \(range) lies outside the \(size) bytes of \(path).")
        }
        self.path = path
        start = range.lowerBound
        count = range.upperBound - range.lowerBound
    }

    public var length: Int64? { count }

    public func open(at offset: Int64) throws -> ByteChunks {
        guard (0...count).contains(offset) else {
            throw ByteStreamError(.pastEnd, "Offset \(offset) lies outside the \(count) bytes of \(path).")
        }
        let file = try OpenFile(path: path)
        let position = Mutex(offset)
        let (path, start, count) = (path, start, count)
        return ByteChunks {
            try position.withLock { position in
                guard position < count else { return nil }
                let wanted = Int(min(Int64(Self.chunkSize), count - position))
                let chunk = try file.read(wanted, at: start + position)
                guard !chunk.isEmpty else {
                    throw ByteStreamError(.changed, "\(path) became shorter while it was read.")
                }
                position += Int64(chunk.count)
                return chunk
            }
        }
    }
}

/// A file descriptor that closes itself.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    init(path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ByteStreamError(opening: path, errno: errno) }
    }

    deinit { close(descriptor) }

    func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
        let chunk = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            while result < 0, errno == EINTR {
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            }
            filled = max(0, result)
        }
        if chunk.isEmpty, pread(descriptor, nil, 0, 0) < 0 { throw ByteStreamError(opening: path, errno: errno) }
        return chunk
    }
}
