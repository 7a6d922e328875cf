import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file descriptor that closes itself. Reads do not move its position, so that any number of readers share it.
final class OpenFile: Sendable {
    let name: String
    private let descriptor: Int32

    init(path: String) throws {
        name = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ByteStreamError(opening: path, errno: errno) }
    }

    /// A second descriptor for the file that `descriptor` has open.
    init(duplicating descriptor: Int32) throws {
        name = "The open file"
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { throw ByteStreamError(opening: name, errno: errno) }
    }

    deinit { close(descriptor) }

    func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ByteStreamError(opening: name, errno: errno) }
        return status
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        while true {
            let result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if result >= 0 { return result }
            guard errno == EINTR else { throw ByteStreamError(opening: name, errno: errno) }
        }
    }
}

/// Reads a part of an open file.
final class FileReader: BlockingByteReader {
    private let file: OpenFile
    private let end: Int64
    private let position: Mutex<Int64>

    init(_ file: OpenFile, from start: Int64, to end: Int64) {
        (self.file, self.end) = (file, end)
        position = Mutex(start)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try position.withLock { position in
            let size = Int(min(Int64(buffer.count), end - position))
            guard size > 0 else { return 0 }
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]), at: position)
            guard count > 0 else {
                throw ByteStreamError(.changed, "\(file.name) became shorter while it was read.")
            }
            position += Int64(count)
            return count
        }
    }
}
