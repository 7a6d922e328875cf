import GRDB
import ODataSQL
import ODataSQLite
import ODataStores

/// The content of an offline store and its waiting requests.
public struct StoreStatus: Sendable, Hashable {
    /// Readable entities by entity set; empty sets are omitted.
    public var entities: [String: Int] = [:]
    /// Waiting requests, failed and held ones included.
    public var waitingRequests = 0
    /// Entries of the error archive.
    public var errors = 0
    /// Attachments with edits that were not posted.
    public var attachmentEdits = 0
    /// Streams in the media folder and their bytes.
    public var streams = 0
    /// The bytes of these streams; content that several entities share counts once.
    public var streamBytes: Int64 = 0
    /// Requests and edits of attachments whose content is lost: they are not sent. Such requests are in the error
    /// archive, with `mediaNotInStore`, until their streams are set again, to the same content or other.
    public var lostStreams = 0
    /// When the last complete download ended, in UTC: `2024-01-02T03:04:05`
    public var lastDownload: String?
}

extension OfflineStore {
    /// The version of the database's tables, which this release gives each store that it opens.
    package static var tableVersion: Int { StoreDatabase.version }

    /// The content of the store and its waiting requests.
    public var status: StoreStatus {
        get async throws {
            let (offline, database) = try working()
            return try await database.reading { db in
                var status = StoreStatus()
                for table in offline.schema.tables.values where try db.tableExists(table.name) {
                    let count = try Int.fetchOne(
                        db,
                        sql: """
                            SELECT count(*) FROM \(table.sqlName)
                            WHERE "$state" & \(LocalState.deletedHere.rawValue) = 0
                            """)
                    if let count, count > 0 { status.entities[table.set.name] = count }
                }
                status.waitingRequests = try Int.fetchOne(db, sql: #"SELECT count(*) FROM "$queue""#) ?? 0
                status.errors = try Int.fetchOne(db, sql: #"SELECT count(*) FROM "$error""#) ?? 0
                status.attachmentEdits = try Int.fetchOne(db, sql: AttachmentTable.edits) ?? 0
                (status.streams, status.streamBytes) = try MediaIndex(db: db, schema: nil).total
                status.lostStreams = try Int.fetchOne(db, sql: Self.lostStreams) ?? 0
                status.lastDownload = try StoreValues(db: db).text("downloaded")
                return status
            }
        }
    }

    private static let lostStreams = """
        SELECT (SELECT count(*) FROM "$error" WHERE \(ErrorArchive.isLost))
        + (SELECT count(*) FROM "$attachment"
        WHERE "digest" IS NOT NULL AND "digest" NOT IN (SELECT "digest" FROM "$media"))
        """

    /// Removes all data, queries, streams, requests and attachments, also unsent requests and edits of attachments that
    /// were not posted: ``status`` counts them. The service's metadata stay, so the store can still be used, and so do
    /// the declaration of client-only sets and the events. The store's streams in a shared media folder are released.
    ///
    /// - Throws: ``ODataError`` `conflict` while a transfer runs, or a stream is being put into the store; if that
    ///   began meanwhile, only the data are removed: clear it again. `storage`.
    public func clear() throws {
        let time = StoreTime(date: configuration.now()).column
        try transferringNow("clearing") {
            try database.writeDurably { db in
                try clearing {}
                // Tables that are dropped tell nobody.
                try db.notifyChanges(in: DatabaseRegion.fullDatabase)
                let tables = try String.fetchAll(
                    db,
                    sql: """
                        SELECT "name" FROM sqlite_master WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite_%'
                        ORDER BY "sql" NOT LIKE 'CREATE VIRTUAL%'
                        """)
                for table in tables where StoreTables.names.contains(table) {
                    if table != "$store", table != "$event" { try db.execute(sql: "DELETE FROM \(quoted(table))") }
                }
                for table in tables where !StoreTables.names.contains(table) {
                    // A full-text table takes along tables of its own.
                    try db.execute(sql: "DROP TABLE IF EXISTS \(quoted(table))")
                }
                try db.execute(sql: #"DELETE FROM "$store" WHERE "name" = 'downloaded'"#)
                try EventLog(db: db).add(.clear, at: time)
            }
            // Not what a change has put there meanwhile. What refused changes have put there is named nowhere.
            try database.write { db in
                try clearing {
                    let index = MediaIndex(db: db, schema: nil)
                    try mappingMediaErrors {
                        try media.folder.discardPartials()
                        _ = try media.reconcile(pins: index.kept) { try index.lengths(in: $0) }
                    }
                }
            }
        }
    }

    /// Closes a store that was just created and is to be discarded: nothing of it is left in a shared media folder. The
    /// caller removes its own folder.
    ///
    /// - Returns: Whether it shares a media folder and no other store does.
    /// - Throws: ``ODataError`` `storage`.
    package func abandon() throws -> Bool {
        defer { try? close() }
        guard configuration.mediaFolder != nil else { return false }
        return try mappingMediaErrors { try media.leave() }
    }

    /// Runs `body` while no stream is being stored.
    private func clearing(_ body: () throws -> Void) throws {
        guard try whileNoMediaIsWritten(body) else {
            throw ODataError(
                .conflict, "The store cannot be cleared while a stream is being stored: clear it afterwards.")
        }
    }
}
