import EncryptionKeys
import GRDBSQLite

/// The virtual file system before SQLite's default one from the first encrypted database on.
///
/// It has to be the default: GRDB names none when it opens a connection, and a name in a `file:` URI needs an SQLite
/// that was built to understand those. Databases without a key are opened by the system's own methods, so they are as
/// they were. The names of temporary files do not show which connection they belong to: all are encrypted.
enum EncryptingFileSystem {
    /// Whether SQLite has it.
    static let isInstalled: Bool = {
        guard let system = sqlite3_vfs_find(nil) else { return false }
        let new = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        new.initialize(to: system.pointee)
        new.pointee.iVersion = min(3, system.pointee.iVersion)
        new.pointee.szOsFile += CInt(VirtualFile.Memory.systemOffset)
        new.pointee.pNext = nil
        new.pointee.zName = name
        new.pointee.pAppData = UnsafeMutableRawPointer(system)
        new.pointee.xOpen = { EncryptingFileSystem.open($0, $1, $2, $3, $4) }
        setNames(&new.pointee)
        setServices(&new.pointee)
        if system.pointee.iVersion >= 3 { setSystemCalls(&new.pointee) }
        return sqlite3_vfs_register(new, 1) == SQLITE_OK
    }()

    private static let vfsName = "odata-encrypting"

    /// The system's file system, whether this one is before it or not.
    static var system: UnsafeMutablePointer<sqlite3_vfs>? {
        guard let own = sqlite3_vfs_find(vfsName) else { return sqlite3_vfs_find(nil) }
        return Optional(own).system
    }

    /// SQLite keeps the pointer for ever.
    private static var name: UnsafePointer<CChar> {
        let text = vfsName.utf8CString
        let name = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.count)
        _ = name.initialize(from: text)
        return UnsafePointer(name.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
    }

    /// The path under which SQLite will open a file.
    static func fullPath(_ path: String) -> String? {
        guard let vfs = sqlite3_vfs_find(nil) else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(vfs.pointee.mxPathname) + 1)
        let code = vfs.pointee.xFullPathname(vfs, path, CInt(buffer.count), &buffer)
        guard code & 0xFF == SQLITE_OK else { return nil }
        return buffer.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func open(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?,
        _ pointer: UnsafeMutablePointer<sqlite3_file>?, _ flags: CInt, _ outFlags: UnsafeMutablePointer<CInt>?
    ) -> CInt {
        guard let system = vfs.system, let pointer, let memory = VirtualFile.memory(pointer) else {
            return SQLITE_MISUSE
        }
        let path = name.map { String(cString: $0) }
        let role = FileRole(flags: flags, path: path)
        let header = path.flatMap { KeyRegistry.shared.header(of: role.database(of: $0)) }
        guard header != nil || role == .temporary else {
            return system.pointee.xOpen(system, name, pointer, flags, outFlags)
        }
        pointer.pointee.pMethods = nil
        let inner = (UnsafeMutableRawPointer(pointer) + VirtualFile.Memory.systemOffset)
            .assumingMemoryBound(to: sqlite3_file.self)
        inner.pointee.pMethods = nil
        let code = system.pointee.xOpen(system, name, inner, flags, outFlags)
        guard code == SQLITE_OK else { return code }
        do throws(FileFailure) {
            let file = try VirtualFile(role, path: path, header: header, system: SystemFile(pointer: inner))
            memory.pointee.file = Unmanaged.passRetained(file)
            pointer.pointee.pMethods = FileMethods.table
            return SQLITE_OK
        } catch {
            _ = inner.pointee.pMethods.pointee.xClose(inner)
            return error.code
        }
    }
}
