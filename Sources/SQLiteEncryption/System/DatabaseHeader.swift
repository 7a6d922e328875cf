import EncryptionKeys
import GRDBSQLite

/// The first bytes of a database file.
enum DatabaseHeader {
    /// Reads through SQLite's own file system, which keeps the descriptor while this process has locks on the file: to
    /// close another descriptor of the file would drop them all (fcntl(2)).
    ///
    /// - Returns: Fewer bytes if the file is shorter; nil if there is no file.
    /// - Throws: ``EncryptionError`` with code `inputOutput`.
    static func read(_ path: String) throws -> [UInt8]? {
        guard SmallFile.exists(path) else { return nil }
        // A file system opens the file itself, not a symbolic link to it.
        guard let vfs = EncryptingFileSystem.system, let target = EncryptingFileSystem.fullPath(path),
            let name = sqlite3_create_filename(target, "", "", 0, nil)
        else { throw unreadable(path) }
        defer { sqlite3_free_filename(name) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(vfs.pointee.szOsFile), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(vfs.pointee.szOsFile))
        defer { memory.deallocate() }
        let pointer = memory.assumingMemoryBound(to: sqlite3_file.self)
        let code = vfs.pointee.xOpen(vfs, name, pointer, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY, nil)
        defer { if pointer.pointee.pMethods != nil { _ = pointer.pointee.pMethods.pointee.xClose(pointer) } }
        guard code == SQLITE_OK else { throw unreadable(path) }
        do throws(FileFailure) {
            let file = SystemFile(pointer: pointer)
            let count = Int(min(Int64(SealedHeader.byteCount), try file.length()))
            let bytes = Scratch(byteCount: SealedHeader.byteCount)
            guard try file.read(into: bytes.bytes[from: 0, count: count], at: 0) else { throw .read }
            return Array(bytes.bytes.prefix(count))
        } catch {
            throw unreadable(path)
        }
    }

    private static func unreadable(_ path: String) -> EncryptionError {
        EncryptionError(.inputOutput, "\(path) cannot be read.")
    }
}
