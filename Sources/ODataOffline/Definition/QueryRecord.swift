import GRDB
import ODataStores

/// A defining query and the progress of its download, as stored in `"$query"`.
struct QueryRecord: Sendable {
    enum Phase: String, Sendable {
        case idle
        /// Reading the whole result: into stage tables, or into the list of unchanged rows.
        case full
        /// Reading changes into stage tables.
        case delta
        /// Changes were read; reading all keys into the list of existing rows.
        case keys
        /// All pages of a full read were received.
        case fullRead
        /// All pages of changes were received.
        case deltaRead
        /// All pages of changes and all keys were received.
        case keysRead
    }

    var id: Int64
    var definition: DefiningQuery
    var phase: Phase
    /// The next link of the next page; nil for the first.
    var continuation: String?
    /// The delta link of the current read.
    var pendingDelta: String?
    /// The delta link of the last complete download.
    var delta: String?
    var pages: Int
    var rows: Int
    /// When its last download was complete.
    var downloaded: String?
    /// The mode of the current or last download.
    var mode: RefreshMode?
    /// The reason why it does not read only changes.
    var reason: String?
    /// The greatest value of the property that indicates changes, in its lexical form.
    var since: String?
    /// The number of complete downloads.
    var reads: Int

    /// Whether the download of changes since a value also detects removed entities.
    var comparesNow: Bool {
        guard case .changedSince(_, let every) = definition.refresh else { return false }
        return reads.isMultiple(of: max(1, every))
    }
}

extension QueryRecord {
    /// The number of entities of the last download, if it was complete and has read all of them.
    var expectedRows: Int64? {
        phase == .idle && reads > 0 && (mode == .full || mode == .comparison) ? Int64(rows) : nil
    }

    init(row: Row) {
        self.init(
            id: row["id"], definition: DefiningQuery(row: row), phase: Phase(rawValue: row["phase"]) ?? .idle,
            continuation: row["continuation"], pendingDelta: row["pendingDelta"], delta: row["delta"],
            pages: row["pages"], rows: row["rows"], downloaded: row["downloaded"],
            mode: (row["mode"] as String?).flatMap(RefreshMode.init), reason: row["reason"], since: row["since"],
            reads: row["reads"])
    }

    static func all(in db: Database) throws -> [QueryRecord] {
        try Row.fetchAll(db, sql: #"SELECT * FROM \#(.query) ORDER BY "id""#).map(QueryRecord.init)
    }

    static func named(_ name: String, in db: Database) throws -> QueryRecord? {
        try Row.fetchOne(db, sql: #"SELECT * FROM \#(.query) WHERE "name" = ?"#, arguments: [name]).map(
            QueryRecord.init)
    }

    /// - Throws: ``ODataError`` `notFound` if there is none of this name.
    static func existing(_ name: String, in db: Database) throws -> QueryRecord {
        guard let record = try named(name, in: db) else {
            throw ODataError.noDefiningQuery(name)
        }
        return record
    }

    /// Removes the query with all that no other query holds.
    ///
    /// - Parameter schema: Nil where the model is not known yet.
    func remove(schema: LocalSchema?, in db: Database) throws {
        if let schema {
            let release = QueryRelease(db: db, schema: schema)
            try release.remove(query: id)
            try release.removeFormer(of: id)
        }
        try db.execute(sql: #"DELETE FROM \#(.query) WHERE "id" = ?"#, arguments: [id])
    }

    /// A download of the query that was cut begins anew where it is to be refreshed another way.
    ///
    /// - Parameter offline: Nil where the model is not known yet.
    func setRefresh(
        _ refresh: DefiningQuery.Refresh, checksStreams: Bool, offline: OfflineModel?, in db: Database
    ) throws {
        var query = definition
        (query.refresh, query.checksStreams) = (refresh, checksStreams)
        guard query != definition else { return }
        if let offline { _ = try QueryCheck(offline: offline).bound(query) }
        try query.updateRefresh(in: db)
        guard refresh != definition.refresh else { return }
        try db.execute(
            sql: #"UPDATE \#(.query) SET "phase" = 'idle' WHERE "id" = ?"#, arguments: [id])
    }

    /// The query of this name reads something else from now on: its next download reads all of it. What it holds stays
    /// until then.
    ///
    /// - Parameter offline: Nil where the model is not known yet.
    func redefine(as query: DefiningQuery, offline: OfflineModel?, in db: Database) throws {
        let release = offline.map { QueryRelease(db: db, schema: $0.schema) }
        let isOther = query.query != definition.query
        if isOther { try release?.keepAsFormer(query: id) }
        try query.updateRefresh(in: db)
        try db.execute(
            sql: #"UPDATE \#(.query) SET "text" = ?, "streams" = ?, "phase" = 'idle' WHERE "id" = ?"#,
            arguments: [query.query, query.retrievesStreams, id])
        if isOther {
            try db.execute(
                sql: """
                    UPDATE \(.query) SET "continuation" = NULL, "pendingDelta" = NULL, "delta" = NULL, "since" = NULL,
                    "reads" = 0 WHERE "id" = ?
                    """, arguments: [id])
        }
        guard definition.retrievesStreams, !query.retrievesStreams, let release else { return }
        let sets = try String.fetchSet(
            db, sql: #"SELECT "set" FROM \#(.node) WHERE abs("query") = ?"#, arguments: [id])
        for set in sets.sorted() { try release.freeStreams(of: set) }
    }

    /// Writes what changes during a download.
    func save(in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE \(.query) SET "phase" = ?, "continuation" = ?, "pendingDelta" = ?, "delta" = ?, "pages" = ?,
                "rows" = ?, "downloaded" = ?, "mode" = ?, "reason" = ?, "since" = ?, "reads" = ? WHERE "id" = ?
                """,
            arguments: [
                phase.rawValue, continuation, pendingDelta, delta, pages, rows, downloaded, mode?.rawValue, reason,
                since, reads, id,
            ])
    }
}
