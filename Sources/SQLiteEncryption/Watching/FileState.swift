#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system says of a file or folder: which one it is, and when it was changed last.
package struct FileState: Hashable, Sendable {
    /// Which file it is, whatever its name.
    package struct Identity: Hashable, Sendable {
        fileprivate var device: UInt64
        fileprivate var number: UInt64
    }

    package var identity: Identity
    /// In bytes.
    package var length: Int64
    fileprivate var seconds: Int64
    fileprivate var nanoseconds: Int64

    /// Nil if there is nothing at `path`.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        length = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
    }

    /// Removes the file at `path` if it is the one of this identity.
    static func remove(_ path: String, ifIt identity: Identity?) {
        guard let identity, FileState(path: path)?.identity == identity else { return }
        unlink(path)
    }
}
