import GRDBSQLite

/// The result code that SQLite is to get from a method of a file.
struct FileFailure: Error {
    let code: CInt

    init(_ code: CInt) { self.code = code }

    /// A record does not open: it has been changed, cut, moved, or is another file's.
    ///
    /// SQLite's own checksumming file system reports the same code.
    static let damaged = FileFailure(SQLITE_IOERR | (32 << 8))
    static let read = FileFailure(SQLITE_IOERR | (1 << 8))
    static let shortRead = FileFailure(SQLITE_IOERR | (2 << 8))
    static let write = FileFailure(SQLITE_IOERR | (3 << 8))
}

/// A file of the system's virtual file system, with the bytes as they are on the device.
struct SystemFile {
    let pointer: UnsafeMutablePointer<sqlite3_file>

    var methods: sqlite3_io_methods { _read { yield pointer.pointee.pMethods.pointee } }

    /// False if the file ends before; then `buffer` is of no use.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Bool {
        let code = methods.xRead(pointer, buffer.baseAddress, CInt(buffer.count), offset)
        if code == SQLITE_OK { return true }
        if code == FileFailure.shortRead.code { return false }
        throw FileFailure(code)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure) {
        try check(methods.xWrite(pointer, bytes.baseAddress, CInt(bytes.count), offset))
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(FileFailure) {
        try check(bytes.withUnsafeBytes { methods.xWrite(pointer, $0.baseAddress, CInt($0.count), offset) })
    }

    func truncate(to length: Int64) throws(FileFailure) {
        try check(methods.xTruncate(pointer, length))
    }

    func length() throws(FileFailure) -> Int64 {
        var length: sqlite3_int64 = 0
        try check(methods.xFileSize(pointer, &length))
        return length
    }

    private func check(_ code: CInt) throws(FileFailure) {
        guard code == SQLITE_OK else { throw FileFailure(code) }
    }
}
