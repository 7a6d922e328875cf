#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that are written whole, and are there whole or not at all.
package enum SmallFile {
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// The first bytes of a file; fewer than `limit` if it is shorter.
    ///
    /// - Throws: ``EncryptionError`` with code `inputOutput`: a file that cannot be read is not an empty one.
    package static func read(_ path: String, upTo limit: Int) throws -> [UInt8] {
        guard let bytes = try readIfThere(path, upTo: limit) else {
            throw EncryptionError("read", path, errno: ENOENT)
        }
        return bytes
    }

    /// As ``read(_:upTo:)``; nil if there is no such file.
    package static func readIfThere(_ path: String, upTo limit: Int) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw EncryptionError("read", path, errno: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            var result = 0
            let piece = [UInt8](unsafeUninitializedCapacity: limit - bytes.count) { buffer, count in
                result = pread(descriptor, buffer.baseAddress, buffer.count, off_t(bytes.count))
                count = max(0, result)
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw EncryptionError("read", path, errno: errno) }
            if result == 0 { break }
            bytes += piece
        }
        return bytes
    }

    /// Makes a file that must not exist yet.
    package static func create(_ path: String, _ bytes: [UInt8]) throws {
        let temporary = path + ".new"
        try write(temporary, bytes)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 else { throw EncryptionError("written", path, errno: errno) }
        guard try Folder(of: path).synchronise() else { throw EncryptionError("written", path, errno: errno) }
    }

    /// Makes a file, or puts it in the place of the one that is there.
    ///
    /// - Returns: Whether it is certain that the file is there after a power cut, and not the one before it.
    /// - Throws: ``EncryptionError`` with code `inputOutput`; then nothing has changed.
    package static func replace(_ path: String, _ bytes: [UInt8]) throws -> Bool {
        let temporary = path + ".new"
        try write(temporary, bytes)
        let folder = try Folder(of: path)
        guard rename(temporary, path) == 0 else { throw EncryptionError("written", path, errno: errno) }
        return folder.synchronise()
    }

    private static func write(_ path: String, _ bytes: [UInt8]) throws {
        // What an interrupted attempt has left goes. It must not be written to: after a crash in ``create(_:_:)`` it is
        // a second name of the file that is to be kept.
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw EncryptionError("written", path, errno: errno) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written, off_t(written))
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw EncryptionError("written", path, errno: result < 0 ? errno : ENOSPC) }
            written += result
        }
        guard synchronise(descriptor) else { throw EncryptionError("written", path, errno: errno) }
    }

    /// The folder of a file, open.
    private struct Folder: ~Copyable {
        private let descriptor: Int32

        init(of path: String) throws {
            let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw EncryptionError("written", folder, errno: errno) }
        }

        deinit { close(descriptor) }

        /// Whether new names are on the device.
        borrowing func synchronise() -> Bool { fsync(descriptor) == 0 }
    }

    private static func synchronise(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }
}

extension EncryptionError {
    /// `field/keys cannot be read: No such file or directory.`
    init(_ action: String, _ path: String, errno number: Int32) {
        self.init(.inputOutput, "\(path) cannot be \(action): \(String(cString: strerror(number))).")
        systemError = number
    }
}
