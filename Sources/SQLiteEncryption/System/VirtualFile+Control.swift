import GRDBSQLite

extension VirtualFile {
    func control(_ operation: CInt, _ argument: UnsafeMutableRawPointer?) -> CInt {
        switch operation {
        case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE:
            // They count in logical bytes. Space is made as it is needed.
            return SQLITE_OK
        case SQLITE_FCNTL_MMAP_SIZE, SQLITE_FCNTL_BEGIN_ATOMIC_WRITE, SQLITE_FCNTL_COMMIT_ATOMIC_WRITE,
            SQLITE_FCNTL_ROLLBACK_ATOMIC_WRITE:
            return SQLITE_NOTFOUND
        case SQLITE_FCNTL_PRAGMA:
            let words = argument?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
            if role == .database, let words, refuses(words) { return SQLITE_ERROR }
            return system.methods.xFileControl(system.pointer, operation, argument)
        default:
            return system.methods.xFileControl(system.pointer, operation, argument)
        }
    }

    /// Refuses `PRAGMA page_size = 1024`: words are the message, the name and the value.
    private func refuses(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Bool {
        guard let name = words[1], sqlite3_stricmp(name, "page_size") == 0, let value = words[2],
            let size = Int(String(cString: value)), size > 0, size < BlockStore.blockSize
        else { return false }
        let message = Array("An encrypted database has pages of at least \(BlockStore.blockSize) bytes.".utf8CString)
        guard let copy = sqlite3_malloc(CInt(message.count)) else { return true }
        message.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
        words[0] = copy.assumingMemoryBound(to: CChar.self)
        return true
    }
}
