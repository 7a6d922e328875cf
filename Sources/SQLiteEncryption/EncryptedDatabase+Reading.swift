import EncryptionKeys
import Foundation
import GRDB
import GRDBSQLite

extension EncryptedDatabase {
    /// Opens a database that is there for reading only.
    ///
    /// A closed database in a place that cannot be written, as on a disk that is mounted for reading, is read as it
    /// is: SQLite would have to make files beside it for its log. No process may change it meanwhile.
    ///
    /// - Parameters:
    ///   - key: Nil for a database that is not encrypted.
    ///   - mayMakeFiles: Whether files can be made beside the database; nil: look.
    /// - Throws: As ``openPool(path:key:configuration:)``; `DatabaseError` `SQLITE_CANTOPEN` if there is none.
    package static func openReader(
        path: String, key: EncryptionKey?, configuration: Configuration, mayMakeFiles: Bool? = nil
    ) throws -> DatabasePool {
        // Of an empty one with a key a header would be made.
        guard let length = length(path), key == nil || length > 0 else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "it is not there, or empty")
        }
        var configuration = configuration
        configuration.readonly = true
        let name = readableName(of: path, mayMakeFiles: mayMakeFiles)
        return try opening(path, key) { try DatabasePool(path: name, configuration: configuration) }
    }

    /// What SQLite opens to read the database at `path`: a closed one in a place where no files can be created
    /// has a name that declares it immutable.
    package static func readableName(of path: String, mayMakeFiles: Bool? = nil) -> String {
        let mayMakeFiles = mayMakeFiles ?? canMakeFiles(beside: path)
        return mayMakeFiles || !isClosed(path) ? path : unchangingName(of: path)
    }

    private static func canMakeFiles(beside path: String) -> Bool {
        FileManager.default.isWritableFile(atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Whether no process has it open, and no process has left a log beside it that belongs to it.
    private static func isClosed(_ path: String) -> Bool {
        length(path + "-shm") == nil && length(path + "-wal") ?? 0 == 0
    }

    /// In bytes; nil if there is no such file.
    private static func length(_ path: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    /// `file:///mnt/field/store.sqlite?immutable=1`; the path itself for an SQLite that does not understand these.
    private static func unchangingName(of path: String) -> String {
        guard sqlite3_compileoption_used("USE_URI") == 1 else { return path }
        return URL(fileURLWithPath: path).absoluteString + "?immutable=1"
    }
}
