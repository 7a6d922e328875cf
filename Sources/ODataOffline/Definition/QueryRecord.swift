import GRDB

/// A defining query and how far its download has come, as kept in `"$query"`.
struct QueryRecord: Sendable {
    enum Phase: String, Sendable {
        case idle
        /// Reading the whole result into stage tables.
        case full
        /// Reading changes into stage tables.
        case delta
        /// All pages of a full read are there.
        case fullRead
        /// All pages of changes are there.
        case deltaRead
    }

    var id: Int64
    var definition: DefiningQuery
    var phase: Phase
    /// The next link of the page that comes next; nil: the first.
    var continuation: String?
    /// The delta link of the read that goes on.
    var pendingDelta: String?
    /// The delta link of the last complete download.
    var delta: String?
    var pages: Int
    var rows: Int
    /// When its last download was complete.
    var downloaded: String?

    init(row: Row) {
        id = row["id"]
        definition = DefiningQuery(name: row["name"], query: row["text"], retrievesStreams: row["streams"])
        phase = Phase(rawValue: row["phase"]) ?? .idle
        continuation = row["continuation"]
        pendingDelta = row["pendingDelta"]
        delta = row["delta"]
        pages = row["pages"]
        rows = row["rows"]
        downloaded = row["downloaded"]
    }

    static func all(in db: Database) throws -> [QueryRecord] {
        try Row.fetchAll(db, sql: #"SELECT * FROM "$query" ORDER BY "id""#).map(QueryRecord.init)
    }

    static func named(_ name: String, in db: Database) throws -> QueryRecord? {
        try Row.fetchOne(db, sql: #"SELECT * FROM "$query" WHERE "name" = ?"#, arguments: [name]).map(QueryRecord.init)
    }

    /// Writes what changes during a download.
    func save(in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE "$query" SET "phase" = ?, "continuation" = ?, "pendingDelta" = ?, "delta" = ?, "pages" = ?,
                "rows" = ?, "downloaded" = ? WHERE "id" = ?
                """,
            arguments: [phase.rawValue, continuation, pendingDelta, delta, pages, rows, downloaded, id])
    }
}
