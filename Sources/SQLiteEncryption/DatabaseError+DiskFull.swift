import GRDB

extension DatabaseError {
    /// Whether there was no room on the device, or a quota is used up. Of the shared memory beside a log (`-shm`) SQLite
    /// only says that it could not get its size.
    package var isDiskFull: Bool { resultCode == .SQLITE_FULL || extendedResultCode == .SQLITE_IOERR_SHMSIZE }
}
