import GRDB
import ODataSQL
import ODataSQLite

/// The mark that keeps a stream of a row from being evicted.
struct StreamPin {
    let db: Database
    let place: StoredStream.Place

    func add() throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO \(.pin) VALUES (?, ?, ?)",
            arguments: [place.table.set.name, place.row, place.stream.property ?? ""])
        try db.execute(
            sql: """
                UPDATE \(quoted(place.table.name)) SET \(quoted(place.stream.evicted)) = 0
                WHERE \(.id) = ? AND \(quoted(place.stream.evicted)) <> 0
                """, arguments: [place.row])
    }

    func remove() throws {
        let (table, stream, row) = (place.table, place.stream, place.row)
        try db.execute(
            sql: #"DELETE FROM \#(.pin) WHERE "row" = ? AND "stream" = ?"#, arguments: [row, stream.property ?? ""])
        // One that made room and did not come since is only fetched when it is read.
        try db.execute(
            sql: """
                UPDATE \(quoted(table.name)) SET \(quoted(stream.evicted)) = 1 WHERE \(.id) = ?
                AND \(quoted(stream.changed)) = 0 AND \(quoted(stream.fetched)) IS NOT NULL AND \(stream.isAway)
                """, arguments: [row])
    }

    var exists: Bool {
        get throws {
            try Bool.fetchOne(
                db, sql: #"SELECT EXISTS (SELECT 1 FROM \#(.pin) WHERE "row" = ? AND "stream" = ?)"#,
                arguments: [place.row, place.stream.property ?? ""]) ?? false
        }
    }
}
