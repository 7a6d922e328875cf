import EncryptionKeys
import GRDB
import MediaFiles
import SQLiteEncryption

extension FolderIndex {
    /// Opens the folder at `path` for reading only: nothing is made or written, in a folder that cannot be written too. What
    /// is read does not count as used. A folder that is not there has no streams; in one without an index only files are
    /// found.
    ///
    /// - Parameters: As those of ``init(path:key:store:isShared:known:rowLimit:)``.
    /// - Throws: As there.
    package convenience init(
        reading path: String, key: EncryptionKey? = nil, store: String, isShared: Bool, known: KnownFolder? = nil
    ) throws {
        let otherFolder = MediaFileError(.otherFolder, "\(path) is not the media folder of the store.")
        if let known, try !known.mayBe(at: path) { throw otherFolder }
        let folder = try MediaFolder(
            path: path, key: key, partials: Self.partials(of: store, isShared: isShared), isReadOnly: true)
        guard !folder.isClaimed else { throw Self.claimed(path) }
        let (pool, file, found, user) = try Self.mappingErrors(path) {
            guard MediaFolder.hasIndex(at: path) else {
                let empty = try DatabaseQueue(configuration: Self.configuration)
                let found = try empty.write { db in try IndexTables(db: db).prepare { try !folder.holdsFiles } }
                return (empty as any DatabaseWriter, nil as FileWatch?, found, Int64(0))
            }
            let pool = try EncryptedDatabase.openReader(
                path: folder.indexPath, key: key, configuration: Self.configuration)
            let file = try FileWatch(folder.indexPath, use: .reading)
            return try pool.readNow { db in
                let tables = IndexTables(db: db)
                return (pool, file, try tables.read(), try tables.knownNumber(of: store) ?? 0)
            }
        }
        if let known, !known.isSame(found, folder) { throw otherFolder }
        self.init(folder, pool, file, found, user: user, rowLimit: nil)
    }
}
