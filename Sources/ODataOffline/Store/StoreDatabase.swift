import ByteStreams
import EncryptionKeys
import Foundation
import GRDB
import ODataSQLite
import ODataStores
import SQLiteEncryption
import Synchronization

/// The database file of an offline store.
struct StoreDatabase: Sendable {
    /// `ODsw` in ASCII.
    static let applicationID: Int32 = 0x4F44_7377
    /// The version of the tables that this code reads and writes.
    static let version = 5

    let pool: DatabasePool
    /// Whether it was opened for reading, or must not be written because it is a copy for support.
    let isReadOnly: Bool
    /// Whether it is a copy for support.
    let isCopy: Bool
    private let access = WriteAccess()
    private let direct = DirectReads()
    private let file: FileWatch
    private let side: SideReader

    /// Opens the file at `path`, which is made if there is none, unless it is for reading only.
    ///
    /// - Parameters:
    ///   - key: Of the data; nil if the store is not encrypted.
    ///   - mayBeNew: Whether the tables are made where there are none; else the file is damaged then.
    /// - Throws: ``ODataError`` `unusableStore` if the file is something else, damaged or of a newer version, `wrongKey`,
    ///   `keyNeeded`.
    init(path: String, key: EncryptionKey?, isReadOnly: Bool = false, mayBeNew: Bool = true) throws {
        // SQLite would throw the log of an empty file away.
        guard mayBeNew || Self.holdsPage(path, isEncrypted: key != nil) else { throw Self.empty(path) }
        if key == nil, !isReadOnly { OwnerAccess.makeFile(path) }
        do {
            pool =
                try isReadOnly
                ? EncryptedDatabase.openReader(path: path, key: key, configuration: Self.configuration)
                : EncryptedDatabase.openPool(path: path, key: key, configuration: Self.configuration)
            try Self.prepare(pool, path, isReadOnly: isReadOnly, mayBeNew: mayBeNew)
            side = SideReader(path: pool.path)
            file = try FileWatch(path, key: key, use: isReadOnly ? .reading : .ownLog)
            let isMarked = try pool.writeWithoutTransaction { try StoreValues(db: $0).isCopy }
            isCopy = isMarked
            self.isReadOnly = isReadOnly || isMarked
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
        {
            throw Self.damaged(path, cause: error)
        } catch let error as DatabaseError {
            throw isReadOnly && error.resultCode == .SQLITE_CANTOPEN
                ? Self.unreadable(path, cause: error) : ODataError(database: error)
        } catch let error as EncryptionError {
            throw ODataError(encryption: error)
        } catch let error as ReplacedFile {
            throw ODataError(replaced: error)
        }
    }

    private static func unreadable(_ path: String, cause: DatabaseError) -> ODataError {
        ODataError(
            .storage,
            "\(path) cannot be read where it is: \(cause.message ?? "\(cause.resultCode)"). If its folder cannot be "
                + "written, copy the whole folder to a place that can, and read the copy.",
            cause: cause)
    }

    private static func damaged(_ path: String, cause: (any Error)? = nil) -> ODataError {
        ODataError(
            .unusableStore,
            "\(path) is not a database of an offline store, or it is damaged. OfflineStore.rescueQueue(folder:) "
                + "('odata store "
                + "rescue') reads what it can of unsent requests; then remove the folder and download again.",
            cause: cause)
    }

    /// What was not written into it may still be in the log beside it.
    static func empty(_ path: String) -> ODataError {
        ODataError(
            .unusableStore,
            "\(path) is empty or gone. Nothing was changed, a log beside it (-wal) was left as it is: put the database "
                + "back from a backup, or remove the folder and download again.")
    }

    /// Whether a file is more than empty to SQLite, which removes the log beside one that is not.
    static func holdsPage(_ path: String, isEncrypted: Bool) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let length = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
        // A single byte is nothing to SQLite.
        return length >= (isEncrypted ? EncryptedDatabase.smallestLength : 2)
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "swift-odata offline store"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            try SQLiteFunctions.install(on: db)
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
        }
        return configuration
    }

    private static func prepare(_ pool: DatabasePool, _ path: String, isReadOnly: Bool, mayBeNew: Bool) throws {
        try pool.writeWithoutTransaction { db in
            guard try mayBeNew || !isEmpty(db) else { throw damaged(path) }
            guard !isReadOnly else {
                let version = try readableVersion(of: db)
                guard version == Self.version else {
                    throw ODataError(
                        .unusableStore,
                        "The store is of version \(version), not \(Self.version): open it for writing once, with this "
                            + "release.")
                }
                return
            }
            // The media folder will say that a store is here: then its tables must have outlived a power cut.
            try durably(db) { try prepare($0) }
        }
    }

    private static func isEmpty(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
    }

    private static func prepare(_ db: Database) throws {
        let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
        guard try application != 0 || Int.fetchOne(db, sql: "PRAGMA user_version") != 0 else {
            guard try isEmpty(db) else {
                throw ODataError(.unusableStore, "The database in this folder is not an offline store's.")
            }
            try StoreTableDefinitions.create(in: db)
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(Self.version)")
            return
        }
        let version = try readableVersion(of: db)
        guard version < Self.version else { return }
        try StoreMigration(db: db).run(from: version)
        try db.execute(sql: "PRAGMA user_version = \(Self.version)")
    }

    /// - Throws: ``ODataError`` `unusableStore` if another program, or a newer release, has made the database.
    private static func readableVersion(of db: Database) throws -> Int {
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
            throw ODataError(.unusableStore, "The database in this folder is not an offline store's.")
        }
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version <= Self.version else {
            throw ODataError(
                .unusableStore,
                "The store is of version \(version), made by a newer release; this one reads up to \(Self.version)."
            )
        }
        return version
    }

    /// A transaction that is on the disk when this returns: local changes and the responses of the service.
    ///
    /// It blocks no thread, and is executed although its task is cancelled.
    ///
    /// - Parameter survivesPowerLoss: If not, it has reached the operating system only.
    func writingDurably<Result: Sendable>(
        survivesPowerLoss: Bool = true, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await onWriter { db in
            try transaction(in: db, isDurable: survivesPowerLoss, body)
        }
    }

    /// A transaction. It blocks no thread, and is executed although its task is cancelled.
    ///
    /// - Parameter isCancellable: Whether a caller that is cancelled before the transaction begins returns at once, and the
    ///   transaction does not begin: true for reads.
    func writing<Result: Sendable>(
        isCancellable: Bool = false, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await onWriter(isCancellable: isCancellable) { db in try transaction(in: db, body) }
    }

    private func onWriter<Result: Sendable>(
        isCancellable: Bool = false, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        let caller = WaitingCaller<Result>()
        if !isCancellable { _ = caller.disableCancellation() }
        do {
            return try await caller.value {
                pool.asyncWriteWithoutTransaction { db in
                    guard caller.disableCancellation() else { return }
                    caller.end(
                        with: Swift.Result {
                            try checkWritable()
                            return try file.writing { try body(db) }
                        })
                }
            }
        } catch let error as CancellationError where isCancellable {
            throw ODataError(any: error)
        } catch let error as DatabaseError {
            throw ODataError(database: error)
        } catch let error as ReplacedFile { throw ODataError(replaced: error) }
    }

    /// - Throws: ``ODataError`` `methodNotAllowed` for readers and for copies for support.
    func checkWritable(for what: String) throws {
        guard isReadOnly else { return }
        let reason =
            isCopy ? "this is a copy for support: it can be read only." : "the store was opened for reading only."
        throw ODataError(.methodNotAllowed, "\(what) refused: \(reason)")
    }

    /// - Throws: ``ODataError`` `methodNotAllowed` for readers and for copies for support, `conflict` once another file
    ///   has taken its place.
    private func checkWritable() throws {
        try checkWritable(for: "Changes are")
        guard !access.isRetired else {
            throw ODataError(.conflict, "The store was rebuilt meanwhile: try again.")
        }
    }

    /// As ``writing(_:)``, with the database at `path` to be read as `before`.
    func writing<Result: Sendable>(
        reading path: String, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await onWriter { db in try Self.attaching(path, to: db) { try transaction(in: db, body) } }
    }

    private static func attaching<Result>(
        _ path: String, to db: Database, _ body: () throws -> Result
    ) throws -> Result {
        try db.execute(sql: #"ATTACH DATABASE ? AS "before""#, arguments: [path])
        defer { try? db.execute(sql: #"DETACH DATABASE "before""#) }
        return try body()
    }

    /// Ends writing after `body`, which sees all written data, unless it throws.
    func retire(after body: @escaping @Sendable (Database) throws -> Void) async throws {
        try await onWriter { [access] db in
            try body(db)
            access.retire()
        }
    }

    /// Whether another file has replaced it, so that it is no longer written.
    var isRetired: Bool { access.isRetired }

    /// First copies everything into the one file, which is then a complete copy of the store unless another connection
    /// reads it. Nothing is written into a file that has taken its place.
    func close() throws {
        side.close()
        // Not while a transaction takes the log into the file.
        do { try pool.writeWithoutTransaction { _ in try file.check() } } catch is ReplacedFile {
            try pool.close()
            return file.abandon()
        }
        file.close()
        if !isReadOnly {
            // An empty log, so that it cannot be taken for that of an older file which is put back later. Readers are
            // not waited for: the file is complete all the same.
            try? pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA busy_timeout = 0")
                _ = try db.checkpoint(.truncate)
            }
        }
        try pool.close()
    }

    // The functions below hold their thread until the one writing connection is free, for callers that are not async.
    // That cannot block all threads for ever: what has that connection needs none of Swift's threads to come to its
    // end. A reading connection, in contrast, belongs to a result until that has been read to its end on such a
    // thread: no caller may hold a thread to wait for one. A ``SideReader`` belongs to none.

    /// As ``writingDurably(_:)``, holding the thread.
    func writeDurably<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try mappingErrors {
            try pool.writeWithoutTransaction { db in
                try checkWritable()
                return try file.writing { try transaction(in: db, isDurable: true, body) }
            }
        }
    }

    /// As ``writeDurably(_:)``, with the database at `path` to be read as `before`.
    func writeDurably<Result>(reading path: String, _ body: (Database) throws -> Result) throws -> Result {
        try mappingErrors {
            try pool.writeWithoutTransaction { db in
                try checkWritable()
                return try file.writing {
                    try Self.attaching(path, to: db) { try transaction(in: db, isDurable: true, body) }
                }
            }
        }
    }

    /// As ``writing(_:)``, holding the thread.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try mappingErrors {
            try pool.writeWithoutTransaction { db in
                try checkWritable()
                return try file.writing { try transaction(in: db, body) }
            }
        }
    }

    /// Reads on the writing connection, holding the thread.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try mappingErrors {
            try file.checkName()
            return try pool.writeWithoutTransaction { db in try db.readOnly { try body(db) } }
        }
    }

    /// As ``read(_:)``, on a connection of its own: a transaction keeps it waiting only in a store that nothing is
    /// written into.
    func readBesideWriters<Result>(_ body: (Database) throws -> Result) throws -> Result {
        guard !isReadOnly else { return try read(body) }
        let result = try mappingErrors {
            try file.checkName()
            return try side.read(body)
        }
        return try result ?? read(body)
    }

    private func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError {
            throw ODataError(database: error)
        } catch let error as ReplacedFile { throw ODataError(replaced: error) }
    }

    /// - Parameter isDurable: Whether it is on the disk when this returns. The connection keeps the setting of the last
    ///   transaction: it is set again where it changes.
    private func transaction<Result>(
        in db: Database, isDurable: Bool = false, _ body: (Database) throws -> Result
    ) throws -> Result {
        try access.setDurable(isDurable) {
            try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
        }
        return try Self.transaction(in: db, body)
    }

    private static func durably<Result>(_ db: Database, _ body: (Database) throws -> Result) throws -> Result {
        try db.execute(sql: "PRAGMA synchronous = FULL")
        defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }
        return try transaction(in: db, body)
    }

    private static func transaction<Result>(
        in db: Database, _ body: (Database) throws -> Result
    ) throws -> Result {
        var result: Result?
        do {
            try db.inTransaction(.immediate) {
                result = try body(db)
                return .commit
            }
        } catch {
            // The tables that were made in it are gone, of which nothing else informs the connection.
            db.clearSchemaCache()
            throw error
        }
        guard let result else { throw ODataError.noResult(of: "The transaction") }
        return result
    }

    /// Reads what the last transaction has left. No thread waits for a connection.
    func reading<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        do {
            try file.checkName()
            return try await pool.read(body)
        } catch { throw ODataError(any: error) }
    }

    /// As ``reading(_:)``, on the caller's thread if it is short; `body` may be called twice.
    func readingDirectly<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        do {
            try file.checkName()
            if let result = try direct.result(of: body, in: pool) { return result }
            return try await direct.indirectly { try await pool.read(body) }
        } catch { throw ODataError(any: error) }
    }

    /// As ``reading(_:)``, done though its task is cancelled.
    func readingToEnd<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        do {
            try file.checkName()
            return try await withCheckedThrowingContinuation { continuation in
                pool.asyncRead { db in continuation.resume(with: Swift.Result { try body(db.get()) }) }
            }
        } catch { throw ODataError(any: error) }
    }
}

/// Whether a database is still the store's, and whether commits of the writing connection wait for the disk.
private final class WriteAccess: Sendable {
    private let retired = Mutex(false)
    private let durable = Mutex(false)

    var isRetired: Bool { retired.withLock { $0 } }
    func retire() { retired.withLock { $0 = true } }

    /// - Parameter set: Called where it was otherwise; it is as it was if that throws.
    func setDurable(_ isDurable: Bool, _ set: () throws -> Void) throws {
        try durable.withLock { known in
            guard known != isDurable else { return }
            try set()
            known = isDurable
        }
    }
}
