import GRDB
import ODataSQL

/// The rows that tell one content of a stream from the next, kept by the store and, where changes are tracked, by
/// triggers.
enum StreamVersions {
    static func createTable(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(Bookkeeping.streams) (
                  tbl TEXT NOT NULL, key TEXT NOT NULL, col TEXT NOT NULL, version TEXT NOT NULL,
                  PRIMARY KEY (tbl, key, col)) WITHOUT ROWID
                """)
    }

    static func exist(in db: Database) throws -> Bool { try db.tableExists(Bookkeeping.streams) }

    /// Gives the stream of one row a new version.
    static func renew(_ stream: PublishedStream, of table: PublishedTable, at row: RowReference, in db: Database) throws
    {
        let key = RowSourceBuilder.keyJSON(table, row: "r")
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO \(Bookkeeping.streams) (tbl, key, col, version)
                SELECT ?, \(key), ?, hex(randomblob(8)) FROM \(quoted(table.name)) r WHERE \(row.condition)
                """, arguments: [table.name, stream.column] + row.arguments)
    }
}
