#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file; it closes itself.
final class WritableFile: Sendable {
    enum Opening {
        /// The file must not exist yet.
        case new
        /// An existing file is kept as it is, and grows at its end.
        case existing
        /// An existing file is kept as it is, and may be written anywhere.
        case rewritable
        /// The file must exist, and cannot be written.
        case reading
        /// What must exist, and need not be a regular file, is written into.
        case writing
    }

    let path: String
    /// What errors call it.
    private let name: String
    private let descriptor: Int32

    /// - Parameter name: What errors call it; nil for its path.
    init(
        path: String, _ opening: Opening, permissions: mode_t = 0o600, named name: String? = nil
    ) throws(MediaFileError) {
        self.path = path
        self.name = name ?? path
        let flags =
            switch opening {
            case .new: O_RDWR | O_CREAT | O_EXCL
            case .existing: O_RDWR | O_CREAT | O_APPEND
            case .rewritable: O_RDWR | O_CREAT
            case .reading: O_RDONLY
            case .writing: O_WRONLY | O_NOCTTY
            }
        descriptor = open(path, flags | O_CLOEXEC, permissions)
        guard descriptor >= 0 else {
            throw MediaFileError(opening == .reading ? .read : .write, self.name, errno: errno)
        }
    }

    /// The file that is open under another number, at the same place in it.
    init(path: String, copyOf number: Int32) throws(MediaFileError) {
        self.path = path
        name = path
        descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw MediaFileError(.write, name, errno: errno) }
    }

    deinit { close(descriptor) }

    /// Keeps others from opening the file the same way, until it is closed.
    func lock() throws(MediaFileError) {
        // The one who had the lock may have moved the file away between our opening and our locking it.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, stillHasItsName() else {
            throw MediaFileError(.busy, "The partial stream \(path) is open elsewhere.")
        }
    }

    private func stillHasItsName() -> Bool {
        var named = stat()
        var opened = stat()
        return stat(path, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
    }

    func length() throws(MediaFileError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw MediaFileError(.read, name, errno: errno) }
        return Int64(status.st_size)
    }

    /// Whether no other name leads to the file.
    func hasOneName() throws(MediaFileError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw MediaFileError(.read, name, errno: errno) }
        return status.st_nlink <= 1
    }

    func append(_ bytes: [UInt8]) throws(MediaFileError) {
        try forEachPart(of: bytes) { part, _ in write(descriptor, part.baseAddress, part.count) }
    }

    func overwrite(_ bytes: [UInt8], at offset: Int64) throws(MediaFileError) {
        try forEachPart(of: bytes) { part, done in
            pwrite(descriptor, part.baseAddress, part.count, off_t(offset) + off_t(done))
        }
    }

    /// Calls `body` with what is still to be written and how much has been, until all has.
    private func forEachPart(
        of bytes: [UInt8], _ body: (UnsafeRawBufferPointer, Int) -> Int
    ) throws(MediaFileError) {
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[written...]), written) }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw MediaFileError(.write, name, errno: result == 0 ? ENOSPC : errno) }
            written += result
        }
    }

    /// Up to `count` bytes at `offset`; none at the end.
    func read(_ count: Int, at offset: Int64) throws(MediaFileError) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            } while result < 0 && errno == EINTR
            filled = max(0, result)
        }
        guard result >= 0 else { throw MediaFileError(.read, name, errno: errno) }
        return bytes
    }

    func truncate() throws(MediaFileError) { try truncate(to: 0) }

    func truncate(to length: Int64) throws(MediaFileError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw MediaFileError(.write, name, errno: errno) }
    }

    /// Returns when the bytes are on the device.
    func synchronise() throws(MediaFileError) {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw MediaFileError(.write, name, errno: errno) }
    }
}
