import EncryptionKeys
import GRDB
import MediaFiles
import SQLiteEncryption
import Synchronization

/// A media folder that several stores may use at a time, in several processes: the folder's own index reports which
/// streams are there, who needs them, and who must keep them.
///
/// A stream gets its name, and its first reference, in one transaction of the index, when its bytes are on the device;
/// it loses its name in the transaction that finds no reference to it any more. So a store cannot remove what another
/// has just put there. A store writes of a stream in its own database only after the reference, and gives the reference
/// up only when nothing in its database names the stream. What a crash leaves between the two is found by
/// ``reconcile(_:pins:)``.
///
/// A transaction of a store may contain one of the index; the other way round never happens.
package final class FolderIndex: MediaReading {
    package let folder: MediaFolder
    /// Names the folder, wherever it is moved.
    package let id: String
    /// Whether a file without a reference is unused.
    let isWhole: Bool
    /// Streams of up to so many bytes become rows of the index.
    package let rowLimit: Int
    private let pool: any DatabaseWriter
    /// Nil for an index that is not there.
    private let file: FileWatch?
    /// Whether nothing is written, neither streams nor the index.
    private let isReadOnly: Bool
    /// The number of the store; 0 for a reader of an index that does not know it.
    let user: Int64
    /// Digests in the order of their use, and not written yet.
    private let uses = Mutex<[String]>([])

    /// Uses that are remembered before they are written.
    private static let usesLimit = 256
    package static let defaultRowLimit = 65_536

    /// Opens the folder at `path` and its index, or makes them; the folder above must exist.
    ///
    /// - Parameters:
    ///   - key: Nil for a folder that is not encrypted. Streams are shared under one key only.
    ///   - store: Names the user, the same in each opening.
    ///   - isShared: If not, no other store has put streams into the folder.
    ///   - known: The only folder that will do, which is not made; nil: any.
    ///   - rowLimit: Streams of up to so many bytes become rows of the index; 0: none.
    /// - Throws: `MediaFileError`; `notPermitted` if the folder belongs to one owner alone, `otherFolder` if it is not the
    ///   one that is known; nothing was changed then. `EncryptionError` if it is encrypted with another key, or is not and
    ///   a key is given, or the other way round.
    package convenience init(
        path: String, key: EncryptionKey? = nil, store: String, isShared: Bool, known: KnownFolder? = nil,
        rowLimit: Int = FolderIndex.defaultRowLimit
    ) throws {
        let otherFolder = MediaFileError(.otherFolder, "\(path) is not the media folder of the store.")
        if let known, try !known.mayBe(at: path) { throw otherFolder }
        let opened = try MediaFolder.opening(path) {
            let folder = try MediaFolder(path: path, key: key, partials: Self.partials(of: store, isShared: isShared))
            guard !folder.isClaimed else {
                if isShared { folder.leaveNoPartials() }
                throw Self.claimed(path)
            }
            return try Self.mappingErrors(path) {
                if key == nil { OwnerAccess.makeFile(folder.indexPath) }
                let pool = try EncryptedDatabase.openPool(
                    path: folder.indexPath, key: key, configuration: Self.configuration)
                let (identity, user) = try pool.writeWithoutTransaction { db in
                    try Self.transaction(in: db, isDurable: true) {
                        let tables = IndexTables(db: db)
                        let found = try tables.prepare { try !isShared || !folder.holdsFiles }
                        if let known, !known.isSame(found, folder) {
                            folder.leaveNoPartials()
                            throw otherFolder
                        }
                        return (found, try tables.number(of: store))
                    }
                }
                let file = try FileWatch(folder.indexPath, key: key, use: .sharedLog)
                return (folder: folder, pool: pool, file: file, identity: identity, user: user)
            }
        }
        self.init(opened.folder, opened.pool, opened.file, opened.identity, user: opened.user, rowLimit: rowLimit)
    }

    /// - Parameter rowLimit: Nil if nothing is to be written.
    init(
        _ folder: MediaFolder, _ pool: any DatabaseWriter, _ file: FileWatch?, _ identity: IndexTables.Identity,
        user: Int64, rowLimit: Int?
    ) {
        (self.folder, self.pool, self.file, self.user) = (folder, pool, file, user)
        (self.rowLimit, isReadOnly) = (rowLimit ?? 0, rowLimit == nil)
        (id, isWhole) = (identity.id, identity.isWhole)
    }

    /// The name of the folder of a store's partial streams.
    static func partials(of store: String, isShared: Bool) -> String {
        isShared ? "\(MediaFolder.partialFolder)-\(store)" : MediaFolder.partialFolder
    }

    static func claimed(_ path: String) -> MediaFileError {
        MediaFileError(.notPermitted, "The media folder \(path) belongs to a service.")
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "swift-odata media index"
        // Another process may be comparing a large folder with the index.
        configuration.busyMode = .timeout(30)
        configuration.maximumReaderCount = 2
        return configuration
    }

    /// Ends the use of the index. Calls after it throw.
    package func close() {
        // What is lost is only which streams were read last.
        if !isReadOnly { try? writing { _ in } }
        var isReplaced = false
        do { try file?.check() } catch { isReplaced = error is ReplacedFile }
        if !isReplaced { file?.close() }
        try? pool.close()
        if isReplaced { file?.abandon() }
    }
}

extension FolderIndex {
    /// A transaction of the index that blocks the thread until no other one, in any process, is open. These need
    /// none of Swift's threads to come to their ends.
    ///
    /// - Parameter isDurable: Whether it has reached the device when this returns.
    func writing<Result>(isDurable: Bool = false, _ body: (Database) throws -> Result) throws -> Result {
        guard !isReadOnly else {
            throw MediaFileError(.notPermitted, "The media folder \(folder.path) was opened for reading only.")
        }
        let used = uses.withLock { uses in
            defer { uses = [] }
            return uses
        }
        return try Self.mappingErrors(folder.path) {
            try pool.writeWithoutTransaction { db in
                try watching {
                    try Self.transaction(in: db, isDurable: isDurable) {
                        try self.recordUses(of: used, in: db)
                        return try body(db)
                    }
                }
            }
        }
    }

    private func watching<Result>(_ body: () throws -> Result) throws -> Result {
        guard let file else { return try body() }
        return try file.writing(body)
    }

    func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try Self.mappingErrors(folder.path) {
            try file?.checkName()
            return try pool.readNow(body)
        }
    }

    private static func transaction<Result>(
        in db: Database, isDurable: Bool, _ body: () throws -> Result
    ) throws -> Result {
        if isDurable { try db.execute(sql: "PRAGMA synchronous = FULL") }
        defer { if isDurable { try? db.execute(sql: "PRAGMA synchronous = NORMAL") } }
        var result: Result?
        try db.inTransaction(.immediate) {
            result = try body()
            return .commit
        }
        guard let result else { throw MediaFileError(.inputOutput, "A transaction of a media index gave no result.") }
        return result
    }

    /// Remembers that a stream is read, unless by one that only reads.
    func noteUse(of digest: String) {
        guard !isReadOnly else { return }
        let isFull = uses.withLock { uses in
            // Pieces of one stream are read one after the other.
            if uses.last != digest { uses.append(digest) }
            return uses.count >= Self.usesLimit
        }
        // It only makes the order of eviction a worse one.
        if isFull { try? writing { _ in } }
    }

    private func recordUses(of uses: [String], in db: Database) throws {
        guard !uses.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: "UPDATE file SET lastUsed = (SELECT max(lastUsed) FROM file) + 1 WHERE digest = ?")
        for digest in uses { try statement.execute(arguments: [digest]) }
    }

    static func mappingErrors<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError {
            throw EncryptionError(database: error, path: "\(path)/index.sqlite")
                ?? MediaFileError(index: error, path: path)
        } catch let error as ReplacedFile {
            throw MediaFileError(.otherFolder, "\(error.description): close the store and open it again.")
        } catch let error as ForeignIndex {
            let reason =
                switch error {
                case .newer: "was made by a newer release"
                case .older: "was made by an older release: open its store for writing once"
                case .other: "is something else"
                }
            throw MediaFileError(.notPermitted, "The index of the media folder \(path) \(reason).")
        }
    }
}

extension MediaFileError {
    /// What an error of a folder's index means.
    init(index error: DatabaseError, path: String) {
        let code: Code
        var advice = ""
        switch error.resultCode {
        case _ where error.isDiskFull: code = .diskFull
        case .SQLITE_BUSY, .SQLITE_LOCKED: code = .busy
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: code = .notPermitted
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            code = .inputOutput
            advice =
                " Remove index.sqlite and the files beside it while no store is open: it is made anew, without the small"
                + " streams that were in it."
        default: code = .inputOutput
        }
        let reason = error.message ?? "\(error.resultCode)"
        self.init(code, "The index of the media folder \(path) cannot be used: \(reason).\(advice)")
    }
}
