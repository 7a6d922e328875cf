import GRDB
import GRDBSQLite

/// The first bytes of a database's file, as they are in it: SQLite itself may have newer ones in the log.
///
/// They are read through SQLite's own handle. A handle of our own, once it is closed, would end all locks that the
/// process has on the file.
///
/// [SQLite: Database File Format, section 1.3: The Database Header]
package struct FileHeader: Hashable, Sendable {
    private static let length = 100
    private let bytes: [UInt8]

    /// Nil if the file is too short for a header, or cannot be read.
    package init?(_ db: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let read = file.pointee.pMethods?.pointee.xRead
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.length)
        guard read(file, &bytes, CInt(Self.length), 0) == SQLITE_OK else { return nil }
        self.bytes = bytes
    }

    /// Whether the file may be that of an earlier header: the mark of SQLite's files, the length of pages and how it is
    /// written do not change while a database is open. The encoding of texts is 0 before the first table.
    func continues(_ earlier: FileHeader) -> Bool {
        let (encoding, before) = (word(at: 56), earlier.word(at: 56))
        return bytes[0..<20] == earlier.bytes[0..<20] && (encoding == before || before == 0)
    }

    /// Whether the database keeps a write-ahead log.
    package var hasLog: Bool { bytes[18] == 2 }

    /// How many bytes the file must have at least; nil where the header does not say.
    package var databaseLength: Int64? {
        guard word(at: 24) == word(at: 92), word(at: 28) > 0 else { return nil }
        let pageLength = Int64(bytes[16]) << 8 | Int64(bytes[17])
        return word(at: 28) * (pageLength == 1 ? 65_536 : pageLength)
    }

    private func word(at offset: Int) -> Int64 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) } }
}
