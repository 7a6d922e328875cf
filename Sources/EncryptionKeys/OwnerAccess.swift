#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps files and folders from the other users of the system.
package enum OwnerAccess {
    /// Takes away what the group and others may do with a file or folder: 0700 stays of 0755, 0600 of 0644. It stays as it
    /// is where it belongs to another user, or the file system has no such rights.
    package static func restrict(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        _ = chmod(path, status.st_mode & 0o700)
    }

    /// Makes an empty file that its owner alone may use, where there is nothing yet. SQLite gives the files beside a
    /// database the rights of the database. Where it cannot be made, SQLite will say so.
    package static func makeFile(_ path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // A file that SQLite has open must never be opened and closed beside it, which ends its locks: this one is new.
        if descriptor >= 0 { close(descriptor) }
    }
}
