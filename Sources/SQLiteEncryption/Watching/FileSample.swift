import GRDB
import GRDBSQLite

/// Pages from all over a database's file, as they are in it: what distinguishes it from another file with the same
/// header, such as that of another store, without reading all of it.
enum FileSample {
    private static let count: Int64 = 32
    private static let length: Int64 = 512
    /// `SQLITE_IOERR_SHORT_READ`: zeros stand for what is not there.
    private static let shortRead = SQLITE_IOERR | (2 << 8)

    /// Nil if the file cannot be read. It is read through SQLite's own handle, as the ``FileHeader``.
    static func read(_ db: Database, length fileLength: Int64) -> [UInt8]? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let read = file.pointee.pMethods?.pointee.xRead
        else { return nil }
        var sample: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: Int(length))
        for place in 0..<count {
            let offset = max(0, fileLength - length) * place / (count - 1)
            let result = read(file, &bytes, CInt(length), offset)
            guard result == SQLITE_OK || result == shortRead else { return nil }
            sample += bytes
        }
        return sample
    }
}
