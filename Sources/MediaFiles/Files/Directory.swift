#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The operations on folders and names that the media folder is made of.
enum Directory {
    /// Makes the folder where it does not exist. The folder above it must exist.
    static func create(_ path: String) throws(MediaFileError) {
        if mkdir(path, 0o700) == 0 {
            try synchronise(parent(of: path))
        } else if errno != EEXIST {
            throw MediaFileError(.write, path, errno: errno)
        } else {
            try refuseFile(path)
        }
    }

    /// - Throws: ``MediaFileError`` if the path exists and is not a folder.
    static func refuseFile(_ path: String) throws(MediaFileError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
        throw MediaFileError(.inputOutput, "\(path) is a file where a folder of media is expected.")
    }

    /// Runs `body` under an exclusive lock of the folder, across processes. Waits for the lock.
    static func whileLocked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw MediaFileError(.read, path, errno: errno) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw MediaFileError(.read, path, errno: errno) }
        }
        return try body()
    }

    /// Returns when created and removed names are synchronised to the device.
    static func synchronise(_ path: String) throws(MediaFileError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw MediaFileError(.write, path, errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw MediaFileError(.write, path, errno: errno) }
    }

    /// The names in a folder, sorted; none if there is no such folder.
    static func names(in path: String) throws(MediaFileError) -> [String] {
        guard let stream = opendir(path) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw MediaFileError(.list, path, errno: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Gives a file a new name, durably; another file of that name is replaced. Where the name is a second one of the
    /// same file, both stay.
    static func move(_ path: String, to target: String) throws(MediaFileError) {
        guard rename(path, target) == 0 else { throw MediaFileError(.rename, target, errno: errno) }
        try synchronise(parent(of: target))
    }

    /// Gives a file one more name. False where that is not possible: in another file system, or in one without such names.
    static func addName(_ name: String, to path: String) -> Bool { link(path, name) == 0 }

    /// True if there was such a file.
    @discardableResult
    static func remove(_ path: String) throws(MediaFileError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw MediaFileError(.remove, path, errno: errno) }
        return false
    }

    /// The length of a regular file; nil if there is none.
    static func fileLength(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Whether there is something of this name that is not a regular file: a folder, a device, a pipe.
    static func isNoFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Where a name leads: through symbolic links, else as it is.
    static func target(of path: String) throws(MediaFileError) -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        guard let target = realpath(path, nil) else { throw MediaFileError(.write, path, errno: errno) }
        defer { free(target) }
        return String(cString: target)
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
