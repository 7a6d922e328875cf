import GRDB
import ODataSQL

/// The rows that tell one content of a stream from the next, kept by the store and, where changes are tracked, by
/// triggers.
enum StreamVersions {
    /// What a file has of them.
    enum Contents: Sendable {
        case nothing
        /// A file of an earlier release.
        case versions
        case versionsAndTypes
    }

    static func createTable(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(Bookkeeping.streams) (
                  tbl TEXT NOT NULL, key TEXT NOT NULL, col TEXT NOT NULL, version TEXT NOT NULL,
                  type TEXT, content TEXT, PRIMARY KEY (tbl, key, col)) WITHOUT ROWID
                """)
        guard try contents(in: db) == .versions else { return }
        try db.execute(
            sql: """
                ALTER TABLE \(Bookkeeping.streams) ADD COLUMN type TEXT;
                ALTER TABLE \(Bookkeeping.streams) ADD COLUMN content TEXT;
                """)
    }

    static func contents(in db: Database) throws -> Contents {
        guard try db.tableExists(Bookkeeping.streams) else { return .nothing }
        return try db.columns(in: Bookkeeping.streams).contains { $0.name == "type" } ? .versionsAndTypes : .versions
    }

    /// Gives the stream of one row a new version.
    ///
    /// - Parameter type: the media type that was sent with the content; nil to detect it from the first bytes.
    static func renew(
        _ stream: PublishedStream, of table: PublishedTable, at row: RowReference, type: String? = nil,
        in db: Database
    ) throws {
        let key = RowSourceBuilder.keyJSON(table, row: "r").text
        let content =
            type == nil
            ? "NULL" : RowSourceBuilder.content(of: stream, in: table).of(row: "r").text
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO \(Bookkeeping.streams) (tbl, key, col, version, type, content)
                SELECT ?, \(key), ?, hex(randomblob(8)), ?, \(content) FROM \(quoted(table.name)) r WHERE \(row.condition)
                """, arguments: [table.name, stream.column, type] + row.arguments)
    }
}
