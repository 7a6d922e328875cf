import EncryptionKeys
import GRDB

/// Opens SQLite databases whose files are encrypted: the database, its log, its journals and its temporary files.
///
///     let key = try KeyFile(path: "field/keys").open(with: appKey)
///     let pool = try EncryptedDatabase.openPool(path: "field/store.sqlite", key: key)
///
/// The connections are GRDB's as always. What is protected and what is not is described in
/// `Documentation/Encryption.md`. From the first encrypted database on, all temporary files of the process's databases
/// are encrypted; databases without a key are otherwise untouched.
public enum EncryptedDatabase {
    /// Shorter encrypted files have no page: SQLite takes them for empty ones.
    package static let smallestLength = Int64(SealedHeader.byteCount + BlockStore.recordSize)

    /// Opens a database, or makes one.
    ///
    /// - Parameter key: Nil for a database that is not encrypted.
    /// - Throws: ``EncryptionError`` with code `wrongKey`, `keyNeeded`, `notEncrypted`, `damaged`,
    ///   `unsupportedVersion` or `inputOutput`, before anything is written; else `DatabaseError`.
    public static func openPool(
        path: String, key: EncryptionKey?, configuration: Configuration = Configuration()
    ) throws -> DatabasePool {
        try opening(path, key) { try DatabasePool(path: path, configuration: configuration) }
    }

    /// As ``openPool(path:key:configuration:)``, with one connection and, unless the app changes it, a rollback journal.
    public static func openQueue(
        path: String, key: EncryptionKey?, configuration: Configuration = Configuration()
    ) throws -> DatabaseQueue {
        try opening(path, key) { try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// Whether there is an encrypted database at `path`.
    ///
    /// - Throws: ``EncryptionError`` with code `inputOutput` if there is something that cannot be read.
    public static func isEncrypted(path: String) throws -> Bool {
        try DatabaseHeader.read(path).map { SealedHeader.isHeader(.database, $0) } ?? false
    }

    /// The path of the file itself, where symbolic links lead to it. SQLite keeps the log beside that one.
    package static func target(of path: String) -> String { EncryptingFileSystem.fullPath(path) ?? path }

    /// Lets connections that are opened from now on attach encrypted databases and write copies into them, also those
    /// of databases that are not encrypted themselves.
    ///
    /// - Throws: ``EncryptionError`` with code `inputOutput` if SQLite does not take the file system.
    package static func activate() throws {
        guard EncryptingFileSystem.isInstalled else {
            throw EncryptionError(.inputOutput, "SQLite cannot encrypt: it did not take the file system.")
        }
    }

    static func opening<Connection>(
        _ path: String, _ key: EncryptionKey?, _ body: () throws -> Connection
    ) throws -> Connection {
        guard let key else {
            guard try !isEncrypted(path: path) else {
                throw EncryptionError(.keyNeeded, "\(path) is encrypted, and no key was given.")
            }
            return try body()
        }
        guard EncryptingFileSystem.isInstalled, let fullPath = EncryptingFileSystem.fullPath(path) else {
            throw EncryptionError(.inputOutput, "SQLite cannot use the path \(path).")
        }
        try KeyRegistry.shared.add(try header(at: fullPath, key), for: fullPath)
        // From here on the connection keeps the key.
        defer { KeyRegistry.shared.release(fullPath) }
        do { return try body() } catch let error as DatabaseError {
            throw EncryptionError(database: error, path: path) ?? error
        }
    }

    /// The header of the file, which is made if there is none or if it is empty.
    private static func header(at path: String, _ key: EncryptionKey) throws -> SealedHeader {
        let bytes = try DatabaseHeader.read(path)
        if let bytes, !bytes.isEmpty { return try SealedHeader(.database, key: key, bytes: bytes, path: path) }
        let header = SealedHeader(.database, key: key)
        guard bytes != nil else {
            try SmallFile.create(path, header.bytes)
            return header
        }
        guard try SmallFile.replace(path, header.bytes) else {
            throw EncryptionError(.inputOutput, "\(path) cannot be written: its folder is not synchronised.")
        }
        return header
    }
}

extension EncryptionError {
    /// What an error of an encrypted database means; nil if it has nothing to do with encryption.
    public init?(database error: DatabaseError, path: String) {
        guard error.extendedResultCode.rawValue == FileFailure.damaged.code else { return nil }
        self.init(.damaged, "\(path) has been changed since it was written: a part of it does not fit its key.")
    }
}
