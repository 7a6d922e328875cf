import GRDB
import ODataSQLite
import ODataStores

/// The database file of an offline store.
struct StoreDatabase: Sendable {
    /// `ODsw` in ASCII.
    static let applicationID: Int32 = 0x4F44_7377
    /// The version of the tables that this code reads and writes.
    static let version = 2

    let pool: DatabasePool

    /// Opens the file at `path`, which is made if there is none.
    ///
    /// - Throws: ``ODataError`` `unusableStore` if the file is something else or of a newer version.
    init(path: String) throws {
        do {
            pool = try DatabasePool(path: path, configuration: Self.configuration)
            try Self.prepare(pool)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
        {
            throw ODataError(.unusableStore, "\(path) is no database of an offline store.", cause: error)
        } catch let error as DatabaseError {
            throw ODataError(database: error)
        }
    }

    private static var configuration: Configuration {
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

    private static func prepare(_ pool: DatabasePool) throws {
        try pool.write { db in
            let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            guard application != 0 || version != 0 else {
                guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
                    throw ODataError(.unusableStore, "The database in this folder is not an offline store's.")
                }
                try StoreTables.create(in: db)
                try db.execute(sql: "PRAGMA application_id = \(applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(Self.version)")
                return
            }
            guard application == applicationID else {
                throw ODataError(.unusableStore, "The database in this folder is not an offline store's.")
            }
            guard version <= Self.version else {
                throw ODataError(
                    .unusableStore,
                    "The store is of version \(version), made by a newer release; this one reads up to \(Self.version)."
                )
            }
            guard version < Self.version else { return }
            try StoreMigration(db: db).run(from: version)
            try db.execute(sql: "PRAGMA user_version = \(Self.version)")
        }
    }

    /// A transaction that has reached the device when this returns: local changes and the service's answers.
    ///
    /// No thread waits for it, and it is done though its task is cancelled.
    func writingDurably<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await onWriter { db in try Self.durably(db, body) }
    }

    /// A transaction that no thread waits for, and that is done though its task is cancelled.
    func writing<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await onWriter { db in try Self.transaction(in: db, body) }
    }

    private func onWriter<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                pool.asyncWriteWithoutTransaction { db in
                    continuation.resume(with: Swift.Result { try body(db) })
                }
            }
        } catch let error as DatabaseError {
            throw ODataError(database: error)
        }
    }

    // The functions below hold their thread until the one writing connection is free, for callers that are not async.
    // That cannot block all threads for ever: what has that connection needs none of Swift's threads to come to its
    // end. A reading connection, in contrast, belongs to a result until somebody has read it to its end on such a
    // thread: nobody may hold a thread to wait for one.

    /// As ``writingDurably(_:)``, holding the thread.
    func writeDurably<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try mappingErrors { try pool.writeWithoutTransaction { db in try Self.durably(db, body) } }
    }

    /// As ``writing(_:)``, holding the thread.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try mappingErrors { try pool.write(body) }
    }

    /// Reads on the writing connection, holding the thread.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try mappingErrors { try pool.writeWithoutTransaction { db in try db.readOnly { try body(db) } } }
    }

    private func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError { throw ODataError(database: error) }
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
        try db.inTransaction(.immediate) {
            result = try body(db)
            return .commit
        }
        guard let result else { throw ODataError(.internalError, "A transaction gave no result.") }
        return result
    }

    /// Reads what the last transaction has left. No thread waits for a connection.
    func reading<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        do { return try await pool.read(body) } catch { throw ODataError(any: error) }
    }
}

extension ODataError {
    /// What an error of the store's own database means.
    init(database error: DatabaseError) {
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(.storage, "The disk is full; nothing of this step was kept.", cause: error)
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            self.init(
                .storage, "The store's file cannot be used: \(error.message ?? "\(error.resultCode)").", cause: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.unusableStore, "The store's file is in use by another program.", cause: error)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self.init(.unusableStore, "The store's file is damaged: \(error.message ?? "").", cause: error)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            self.init(.cancelled, "The step was interrupted.", cause: error)
        default:
            self.init(.internalError, "The store's database: \(error.message ?? "\(error.resultCode)").", cause: error)
        }
    }
}
