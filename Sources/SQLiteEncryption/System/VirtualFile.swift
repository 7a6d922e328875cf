import EncryptionKeys
import GRDBSQLite

/// An open file, as SQLite's memory for it refers to it.
final class VirtualFile {
    /// What SQLite allocates for a file: this, then the system's part.
    struct Memory {
        var base: sqlite3_file
        var file: Unmanaged<VirtualFile>?

        /// Where the system's part begins.
        static let systemOffset = MemoryLayout<Memory>.stride
    }

    let content: any SealedFile
    let system: SystemFile
    let role: FileRole
    private let database: String?

    private init(_ content: any SealedFile, _ system: SystemFile, _ role: FileRole, database: String?) {
        self.content = content
        self.system = system
        self.role = role
        self.database = database
    }

    /// - Parameter path: Of the file, nil for a temporary one.
    /// - Throws: ``FileFailure`` with `SQLITE_CANTOPEN` if a database is not the one that its key was given for.
    convenience init(_ role: FileRole, path: String?, header: SealedHeader?, system: SystemFile) throws(FileFailure) {
        guard role != .temporary, let path, let header else {
            self.init(SealedTemporaryFile(file: system), system, .temporary, database: nil)
            return
        }
        switch role {
        case .log: self.init(WriteAheadLog(file: system, key: header.key(for: "log")), system, role, database: nil)
        case .journal:
            self.init(JournalFile(file: system, key: header.key(for: "journal")), system, role, database: nil)
        case .database, .temporary:
            let bytes = Scratch(byteCount: SealedHeader.byteCount)
            guard try system.read(into: bytes.bytes, at: 0),
                KeyRegistry.shared.retain(path, header: Array(bytes.bytes))
            else { throw FileFailure(SQLITE_CANTOPEN) }
            self.init(DatabaseFile(file: system, key: header.key(for: "pages")), system, .database, database: path)
        }
    }

    deinit {
        if let database { KeyRegistry.shared.release(database) }
    }

    /// The file of SQLite's memory for it.
    static func of(_ pointer: UnsafeMutablePointer<sqlite3_file>?) -> VirtualFile? {
        memory(pointer)?.pointee.file?.takeUnretainedValue()
    }

    static func memory(_ pointer: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<Memory>? {
        UnsafeMutableRawPointer(pointer)?.assumingMemoryBound(to: Memory.self)
    }

    /// Calls a method of the content, and gives SQLite its result.
    static func with(
        _ pointer: UnsafeMutablePointer<sqlite3_file>?, _ body: (VirtualFile) throws(FileFailure) -> CInt
    ) -> CInt {
        guard let file = of(pointer) else { return SQLITE_MISUSE }
        do throws(FileFailure) { return try body(file) } catch { return error.code }
    }
}
