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
    package static func read(_ path: String, upTo limit: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw EncryptionError("read", path, errno: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let piece = [UInt8](unsafeUninitializedCapacity: limit - bytes.count) { buffer, count in
                count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(bytes.count)))
            }
            if piece.isEmpty { break }
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
        try synchroniseFolder(of: path)
    }

    /// Makes a file, or puts it in the place of the one that is there.
    package static func replace(_ path: String, _ bytes: [UInt8]) throws {
        let temporary = path + ".new"
        try write(temporary, bytes)
        guard rename(temporary, path) == 0 else { throw EncryptionError("written", path, errno: errno) }
        try synchroniseFolder(of: path)
    }

    private static func write(_ path: String, _ bytes: [UInt8]) throws {
        // What an interrupted attempt has left is overwritten.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw EncryptionError("written", path, errno: errno) }
        defer { close(descriptor) }
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == bytes.count, synchronise(descriptor) else {
            throw EncryptionError("written", path, errno: written < 0 ? errno : ENOSPC)
        }
    }

    private static func synchroniseFolder(of path: String) throws {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw EncryptionError("written", folder, errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw EncryptionError("written", folder, errno: errno) }
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
    }
}
