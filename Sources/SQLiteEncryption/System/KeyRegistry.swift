import EncryptionKeys
import Synchronization

/// The keys of the databases that are open in this process, by their full paths. A key is removed with the last
/// connection.
final class KeyRegistry: Sendable {
    static let shared = KeyRegistry()

    private struct Entry {
        let header: SealedHeader
        var users = 0
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// To be followed by ``release(_:)``.
    func add(_ header: SealedHeader, for path: String) throws {
        try entries.withLock { entries in
            var entry = entries[path] ?? Entry(header: header)
            guard entry.header.bytes == header.bytes else {
                throw EncryptionError(.damaged, "\(path) has been replaced by another file while it was open.")
            }
            entry.users += 1
            entries[path] = entry
        }
    }

    func header(of path: String) -> SealedHeader? { entries.withLock { $0[path]?.header } }

    /// Keeps the key until ``release(_:)``, for a connection that has opened the file with this header.
    func retain(_ path: String, header bytes: [UInt8]) -> Bool {
        entries.withLock { entries in
            guard entries[path]?.header.bytes == bytes else { return false }
            entries[path]?.users += 1
            return true
        }
    }

    func release(_ path: String) {
        entries.withLock { entries in
            guard var entry = entries[path] else { return }
            entry.users -= 1
            entries[path] = entry.users > 0 ? entry : nil
        }
    }
}
