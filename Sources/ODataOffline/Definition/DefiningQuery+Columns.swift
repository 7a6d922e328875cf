import GRDB

extension DefiningQuery {
    init(row: Row) {
        self.init(
            name: row["name"], query: row["text"], retrievesStreams: row["streams"], refresh: Self.refresh(row),
            checksStreams: row["checksStreams"])
    }

    private static func refresh(_ row: Row) -> Refresh {
        switch row["refresh"] as String {
        case "delta": return .delta
        case "comparison": return .comparison
        case "changedSince":
            let property: String? = row["changedSince"]
            return property.map { .changedSince($0, compareEvery: row["compareEvery"]) } ?? .automatic
        default: return .automatic
        }
    }

    /// Adds the query to `"$query"`.
    func insert(in db: Database) throws {
        let (kind, property, every) = refreshColumns
        try db.execute(
            sql: """
                INSERT INTO \(.query) ("name", "text", "streams", "refresh", "changedSince", "compareEvery",
                "checksStreams") VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [name, query, retrievesStreams, kind, property, every, checksStreams])
    }

    /// Writes how the existing query is refreshed. The greatest value of another property is discarded.
    func updateRefresh(in db: Database) throws {
        let (kind, property, every) = refreshColumns
        try db.execute(
            sql: """
                UPDATE \(.query) SET "refresh" = ?1, "since" = CASE WHEN "changedSince" IS ?2 THEN "since" END,
                "changedSince" = ?2, "compareEvery" = ?3, "checksStreams" = ?4 WHERE "name" = ?5
                """, arguments: [kind, property, every, checksStreams, name])
    }

    private var refreshColumns: (kind: String, property: String?, every: Int) {
        switch refresh {
        case .automatic: ("automatic", nil, 10)
        case .delta: ("delta", nil, 10)
        case .comparison: ("comparison", nil, 10)
        case .changedSince(let name, let compareEvery): ("changedSince", name, max(1, compareEvery))
        }
    }
}
