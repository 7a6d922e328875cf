import GRDB
import MediaFiles
import ODataSQL
import ODataSQLite
import ODataStores

/// Which streams of the media folder the database knows, and which of them are still referred to.
struct MediaIndex {
    let db: Database
    let schema: LocalSchema?

    /// Records a stream that a row or a request is about to refer to.
    func add(_ media: StoredMedia) throws {
        try db.execute(
            sql: #"INSERT OR IGNORE INTO "$media" VALUES (?, ?)"#, arguments: [media.digest, media.length])
    }

    /// The digests that nothing refers to.
    func unreferenced() throws -> [String] {
        var uses = [#"SELECT "digest" FROM "$queue" WHERE "digest" IS NOT NULL"#, AttachmentTable.uses]
        for (name, streams) in try streamTables {
            uses += streams.map {
                "SELECT \(quoted($0.digest)) FROM \(quoted(name)) WHERE \(quoted($0.digest)) IS NOT NULL"
            }
        }
        return try String.fetchAll(
            db, sql: #"SELECT "digest" FROM "$media" WHERE "digest" NOT IN ("# + uses.joined(separator: " UNION ") + ")"
        )
    }

    /// Removes what is known of streams whose rows are gone.
    func forgetTags() throws {
        guard let schema else { return }
        for set in try String.fetchAll(db, sql: #"SELECT DISTINCT "set" FROM "$streamtag""#) {
            var condition = #""set" = ?"#
            if let table = schema.tables[set], try db.tableExists(table.name) {
                condition += " AND \"row\" NOT IN (SELECT \"$id\" FROM \(quoted(table.name)))"
            }
            try db.execute(sql: "DELETE FROM \"$streamtag\" WHERE \(condition)", arguments: [set])
        }
    }

    /// Rows whose content is lost have none until it is fetched again, also those that come back when a change is
    /// undone.
    func forgetContent(of digests: Set<String>) throws {
        for (name, streams) in try streamTables {
            for stream in streams {
                for digest in digests {
                    try db.execute(
                        sql: """
                            UPDATE \(quoted(name)) SET \(quoted(stream.fetched)) = NULL
                            WHERE \(quoted(stream.digest)) = ? AND \(quoted(stream.changed)) = 0
                            """, arguments: [digest])
                }
            }
        }
        try remove(Array(digests))
    }

    /// The tables with streams that are there: those of the rows and those of the rows before their changes.
    private var streamTables: [(name: String, streams: [LocalStream])] {
        get throws {
            try (schema?.tables.values.sorted { $0.name < $1.name } ?? []).filter { !$0.streams.isEmpty }
                .flatMap { table in [table.name, table.baseName].map { ($0, table.streams) } }
                .filter { try db.tableExists($0.0) }
        }
    }

    func remove(_ digests: [String]) throws {
        for digest in digests {
            try db.execute(sql: #"DELETE FROM "$media" WHERE "digest" = ?"#, arguments: [digest])
        }
    }

    /// Digest → bytes of all streams.
    var lengths: [String: Int64?] {
        get throws {
            let rows = try Row.fetchAll(db, sql: #"SELECT "digest", "length" FROM "$media""#)
            return Dictionary(rows.map { ($0["digest"], $0["length"]) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension OfflineStore {
    /// Removes the streams that nothing refers to any more, in the transaction that has found none: a reference made
    /// meanwhile would have to wait for it.
    func collectMedia() async throws {
        try await database.writing { db in try self.collectMedia(in: db) }
    }

    /// As ``collectMedia()``, within a transaction of the caller.
    func collectMedia(in db: Database) throws {
        let schema = knownModel?.schema
        // The lock is taken last and by nobody who waits for the transaction.
        try whileNoMediaIsWritten {
            let index = MediaIndex(db: db, schema: schema)
            try index.forgetTags()
            let free = try index.unreferenced()
            for digest in free { try media.remove(digest: digest) }
            try index.remove(free)
        }
    }

    /// Removes what an interrupted write has left in the media folder. Streams that are gone or of another length than
    /// they were are fetched again by the next download; requests that were to send them go to the error archive.
    func cleanMedia() throws {
        do {
            try media.removeAbandoned()
            let lengths = try database.read { try MediaIndex(db: $0, schema: nil).lengths }
            let report = try media.check(lengths: lengths)
            for name in report.strays { try media.remove(stray: name) }
            for digest in report.truncated { try media.remove(digest: digest) }
            let lost = report.missing.union(report.truncated)
            guard !lost.isEmpty, let offline = knownModel else { return }
            let time = StoreTime(date: configuration.now()).column
            try database.write { db in
                try MediaIndex(db: db, schema: offline.schema).forgetContent(of: lost)
                try LostStreams(db: db, offline: offline).archive(lost, at: time)
            }
        } catch let error as ODataError {
            throw error
        } catch {
            throw ODataError(.storage, "The media folder cannot be checked: \(error)", cause: error)
        }
    }
}

/// Requests whose stream is not in the media folder any more.
struct LostStreams {
    let db: Database
    let offline: OfflineModel

    func archive(_ digests: Set<String>, at time: String) throws {
        let lost = try RequestQueue(db: db).all().filter { record in
            record.state != .failed && record.digest.map(digests.contains) ?? false
        }
        let error = ODataError(
            .mediaNotInStore, "The stream of this request is lost or damaged: undo the request or set it again.")
        try ErrorArchive(db: db, offline: offline).refuse(lost.map { ($0, error) }, at: time)
    }
}
