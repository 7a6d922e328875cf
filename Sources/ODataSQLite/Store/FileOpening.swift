import Foundation
import GRDB
import ODataStores
import SQLiteEncryption

/// Opens connections to a published file.
struct FileOpening: Sendable {
    /// How long a connection waits for others, in seconds.
    static let busyTimeout = 10

    let path: String
    let isReadOnly: Bool
    /// The notices about how it was opened.
    private(set) var notices: [String] = []
    private let notice: (@Sendable (String) -> Void)?
    /// The resolved path of a symbolic link, so that all connections open the same file.
    private let target: String
    /// The path for SQLite: the file's path, or a URI that declares the file immutable.
    private let name: String
    /// Whether the file had a write-ahead log before it was opened.
    private let hadLog: Bool

    /// Checks the file.
    ///
    /// - Parameter isReopened: Whether the file replaces one that was open.
    /// - Throws: ``ODataError`` if it does not exist or is incomplete; `DatabaseError`.
    init(
        path: String, isReadOnly: Bool, isReopened: Bool = false, notice: (@Sendable (String) -> Void)? = nil
    ) throws {
        try Self.check(path)
        self.path = path
        self.isReadOnly = isReadOnly
        self.notice = notice
        target = EncryptedDatabase.target(of: path)
        name = isReadOnly ? EncryptedDatabase.readableName(of: target) : target
        if name != target {
            notices = [
                "No files can be created beside \(path): it is read as an immutable file."
            ]
        }
        hadLog = try Self.hasLog(target, name, isReopened: isReopened)
    }

    /// How the file is watched while it is open.
    var use: FileWatch.Use { name != target ? .unchanging : isReadOnly ? .reading : .sharedLog }

    /// Connections for reads, and one for writes.
    func pool() throws -> DatabasePool { try DatabasePool(path: name, configuration: configuration(isReadOnly)) }

    /// A connection of its own that only reads: one per stream being sent.
    func streamConnection() throws -> DatabaseQueue {
        var configuration = configuration(true)
        configuration.allowsUnsafeTransactions = true
        // KiB. The bytes are read once, so that a cache has no use, and there may be many readers.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = -256") }
        return try DatabaseQueue(path: name, configuration: configuration)
    }

    /// Copies the write-ahead log into the file and restores the journal mode that it had. The pool cannot do so: its
    /// last connections to close only read, and SQLite deletes the log only when the last connection can write.
    func finish() throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(1)
        let connection = try DatabaseQueue(path: target, configuration: configuration)
        let mode = try connection.writeWithoutTransaction { db -> String? in
            _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            guard !hadLog else { return nil }
            do { return try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
            { return "wal" }
        }
        try connection.close()
        if mode == "wal" {
            notice?(
                "\(path) keeps its write-ahead log (PRAGMA journal_mode is WAL now): another program has it open.")
        }
    }

    /// Restores the journal mode of a file that could not be opened. An error here is not reported: the caller reports
    /// why it could not be opened.
    func restore() {
        guard !isReadOnly, !hadLog, let now = try? Self.hasLog(target, name, isReopened: false), now else { return }
        try? finish()
    }

    private static func check(_ path: String) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw ODataError(.unusableStore, "There is no file \(path).")
        }
        guard !isDirectory.boolValue else {
            throw ODataError(.unusableStore, "\(path) is a folder, not an SQLite file.")
        }
    }

    /// Whether the file has a write-ahead log.
    ///
    /// - Throws: ``ODataError`` if the file is shorter than its header states, or is an empty replacement: another
    ///   program may still be copying it.
    private static func hasLog(_ path: String, _ name: String, isReopened: Bool) throws -> Bool {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(TimeInterval(busyTimeout))
        return try DatabaseQueue(path: name, configuration: configuration).read { db in
            guard let header = FileHeader(db) else {
                guard !isReopened else { throw ODataError(.unusableStore, "\(path) is not complete: it is empty.") }
                return false
            }
            if !header.hasLog, let needed = header.databaseLength, let length = FileState(path: path)?.length,
                length < needed
            {
                throw ODataError(.unusableStore, "\(path) is not complete: \(length) of \(needed) bytes.")
            }
            return header.hasLog
        }
    }

    private func configuration(_ isReadOnly: Bool) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.readonly = isReadOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(TimeInterval(Self.busyTimeout))
        configuration.acceptsDoubleQuotedStringLiterals = true
        configuration.maximumReaderCount = 12
        configuration.label = "ODataSQLite"
        configuration.prepareDatabase { db in
            StatementLimits.set(on: db)
            try SQLiteFunctions.install(on: db)
            try RowFunctions.install(on: db)
        }
        return configuration
    }
}
