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
        var (kind, property, every) = ("automatic", String?.none, 10)
        switch refresh {
        case .automatic: break
        case .delta: kind = "delta"
        case .comparison: kind = "comparison"
        case .changedSince(let name, let compareEvery):
            (kind, property, every) = ("changedSince", name, max(1, compareEvery))
        }
        try db.execute(
            sql: """
                INSERT INTO "$query" ("name", "text", "streams", "refresh", "changedSince", "compareEvery",
                "checksStreams") VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [name, query, retrievesStreams, kind, property, every, checksStreams])
    }
}
