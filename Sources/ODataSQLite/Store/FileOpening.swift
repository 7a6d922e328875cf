import Foundation
import GRDB
import ODataStores

/// Opens connections to a published file.
struct FileOpening {
    let path: String
    let isReadOnly: Bool

    /// Connections for reads, and one for writes.
    func pool() throws -> DatabasePool {
        try check()
        return try DatabasePool(path: path, configuration: configuration())
    }

    /// A connection of its own that only reads: one per stream being sent.
    func streamConnection() throws -> DatabaseQueue {
        var configuration = configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        // KiB. The bytes pass once: what is kept of them is of no use, and there may be many readers.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = -256") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Takes the write-ahead log into the file. The pool cannot: its last connections to close only read, and SQLite
    /// deletes the log only when a connection that writes is the last one.
    func checkpoint() throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(1)
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        try connection.writeWithoutTransaction { db in _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try connection.close()
    }

    private func check() throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw ODataError(.unusableStore, "There is no file \(path).")
        }
        guard !isDirectory.boolValue else {
            throw ODataError(.unusableStore, "\(path) is a folder, not an SQLite file.")
        }
    }

    private func configuration() -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.readonly = isReadOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        configuration.acceptsDoubleQuotedStringLiterals = true
        configuration.maximumReaderCount = 12
        configuration.label = "ODataSQLite"
        configuration.prepareDatabase { db in
            StatementLimits.set(on: db)
            WorkClock.install(on: db)
            try SQLiteFunctions.install(on: db)
            try RowFunctions.install(on: db)
        }
        return configuration
    }
}
