import GRDB
import MediaFiles
import MediaIndexes
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
            sql: "INSERT OR IGNORE INTO \(.media) VALUES (?, ?)", arguments: [media.digest, media.length])
    }

    /// The digests that nothing refers to.
    func unreferenced() throws -> [String] {
        var uses = [#"SELECT "digest" FROM \#(.queue) WHERE "digest" IS NOT NULL"#, AttachmentTable.uses]
        for (name, streams) in try streamTables {
            uses += streams.map {
                "SELECT \(quoted($0.digest)) FROM \(quoted(name)) WHERE \(quoted($0.digest)) IS NOT NULL"
            }
        }
        return try String.fetchAll(
            db,
            sql: #"SELECT "digest" FROM \#(.media) WHERE "digest" NOT IN ("# + uses.joined(separator: " UNION ") + ")"
        )
    }

    /// The digests of content that the service does not have, or that an app may still edit.
    var unsent: Set<String> {
        get throws {
            try String.fetchSet(
                db, sql: #"SELECT "digest" FROM \#(.queue) WHERE "digest" IS NOT NULL UNION "# + AttachmentTable.uses)
        }
    }

    /// The digests of content that only this device has: of requests, and of edits of attachments.
    var made: Set<String> {
        get throws {
            try String.fetchSet(
                db,
                sql: """
                    SELECT "digest" FROM \(.queue) WHERE "digest" IS NOT NULL
                    UNION SELECT "digest" FROM \(.attachment) WHERE "digest" IS NOT NULL
                    """)
        }
    }

    /// The digests of content that must not be evicted.
    var kept: Set<String> { get throws { try unsent.union(pinned) } }

    private var pinned: Set<String> {
        get throws {
            var digests: Set<String> = []
            for pin in try Row.fetchAll(db, sql: #"SELECT DISTINCT "set", "stream" FROM \#(.pin)"#) {
                let property: String = pin["stream"]
                guard let table = schema?.tables[pin["set"]], try db.tableExists(table.name),
                    let stream = table.stream(of: property.isEmpty ? nil : property)
                else { continue }
                let found = try String.fetchCursor(
                    db,
                    sql: """
                        SELECT l.\(quoted(stream.digest)) FROM \(.pin) AS p
                        JOIN \(quoted(table.name)) AS l ON l.\(.id) = p."row"
                        WHERE p."set" = ? AND p."stream" = ? AND l.\(quoted(stream.digest)) IS NOT NULL
                        """, arguments: [table.set.name, property])
                while let digest = try found.next() { digests.insert(digest) }
            }
            return digests
        }
    }

    /// Removes what is known of streams whose rows are gone.
    func forgetRows() throws {
        guard let schema else { return }
        for known in [StoreTable.streamTag.name, StoreTable.streamType.name, StoreTable.pin.name] {
            for set in try String.fetchAll(db, sql: "SELECT DISTINCT \"set\" FROM \(quoted(known))") {
                var condition = #""set" = ?"#
                if let table = schema.tables[set], try db.tableExists(table.name) {
                    condition += " AND \"row\" NOT IN (SELECT \(.id) FROM \(quoted(table.name)))"
                }
                try db.execute(sql: "DELETE FROM \(quoted(known)) WHERE \(condition)", arguments: [set])
            }
        }
    }

    /// Rows whose content was evicted get it again when it is asked for; those that were pinned meanwhile have no
    /// mark, and get it with the next download.
    func noteEviction(of digests: Set<String>) throws {
        guard !digests.isEmpty else { return }
        // Parameters of one statement are limited in number; digests need no quoting in JSON.
        let list = "[" + digests.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        for (name, streams) in try streamTables {
            for stream in streams {
                try db.execute(
                    sql: """
                        UPDATE \(quoted(name)) SET \(quoted(stream.evicted)) =
                        \(.id) NOT IN (SELECT "row" FROM \(.pin) WHERE "stream" = ?)
                        WHERE \(quoted(stream.digest)) IN (SELECT "value" FROM json_each(?))
                        AND \(quoted(stream.changed)) = 0
                        """, arguments: [stream.property ?? "", list])
            }
        }
        try remove(Array(digests))
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
            try db.execute(sql: #"DELETE FROM \#(.media) WHERE "digest" = ?"#, arguments: [digest])
        }
    }

    /// How many streams there are, and their bytes.
    var total: (streams: Int, bytes: Int64) {
        get throws {
            let sql = #"SELECT count(*) AS "count", ifnull(sum("length"), 0) AS "bytes" FROM \#(.media)"#
            guard let row = try Row.fetchOne(db, sql: sql) else { return (0, 0) }
            return (row["count"], row["bytes"])
        }
    }

    /// Digest → bytes of all streams.
    var lengths: [String: Int64?] { get throws { try lengths(where: "1", []) } }

    /// The same of those in the range.
    func lengths(in range: DigestRange) throws -> [String: Int64?] {
        try lengths(where: #""digest" >= ? AND "digest" < ?"#, range.bounds)
    }

    private func lengths(where condition: String, _ arguments: StatementArguments) throws -> [String: Int64?] {
        let statement = try db.cachedStatement(sql: #"SELECT "digest", "length" FROM \#(.media) WHERE \#(condition)"#)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var lengths: [String: Int64?] = [:]
        while let row = try rows.next() { lengths.updateValue(row["length"], forKey: row["digest"]) }
        return lengths
    }

    var isEmpty: Bool {
        get throws { try Row.fetchOne(db, sql: "SELECT 1 FROM \(.media) LIMIT 1") == nil }
    }

    /// The digests of some streams of more than `length` bytes.
    func someDigests(longerThan length: Int64) throws -> Set<String> {
        try String.fetchSet(
            db, sql: #"SELECT "digest" FROM \#(.media) WHERE ifnull("length" > ?, 1) LIMIT 1000"#, arguments: [length])
    }
}

extension LocalStream {
    /// SQL that is true of a row whose content was stored and is no longer in the media folder.
    var isAway: String {
        #"\#(quoted(digest)) IS NOT NULL AND \#(quoted(digest)) NOT IN (SELECT "digest" FROM \#(.media))"#
    }
}

/// Requests whose stream is not in the media folder any more.
struct LostStreams {
    static let error = ODataError(
        .mediaNotInStore, "The stream of this request is lost or damaged: undo the request or set it again.")

    let db: Database
    let offline: OfflineModel

    func archive(_ digests: Set<String>, at time: String) throws {
        let lost = try RequestQueue(db: db).all().filter { record in
            record.state != .failed && record.digest.map(digests.contains) ?? false
        }
        try ErrorArchive(db: db, offline: offline).refuse(lost.map { ($0, Self.error) }, at: time)
    }
}
