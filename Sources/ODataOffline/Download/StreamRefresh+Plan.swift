import GRDB
import ODataMedia
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite

extension StreamRefresh {
    struct Plan {
        var requests: [StreamDownloadRequest] = []
        /// By the request's name.
        var wanted: [String: Wanted] = [:]
    }

    /// The streams of the rows that these queries hold, where the content is not that of the version here.
    func plan(_ queries: [String], in db: Database) throws -> Plan {
        var plan = Plan()
        for name in queries {
            let nodes = try Row.fetchAll(
                db,
                sql: """
                    SELECT n."slot", n."set" FROM "$node" n JOIN "$query" q ON q."id" = n."query"
                    WHERE q."name" = ? AND q."streams" ORDER BY n."slot"
                    """, arguments: [name])
            for node in nodes {
                guard let table = offline.schema.tables[node["set"]], try db.tableExists(table.name) else { continue }
                for stream in table.streams { try add(stream, of: table, HolderSlot(node["slot"]), in: db, to: &plan) }
            }
        }
        return plan
    }

    private func add(
        _ stream: LocalStream, of table: LocalTable, _ slot: HolderSlot, in db: Database, to plan: inout Plan
    ) throws {
        let version = "coalesce(\(quoted(stream.etag)), \"$etag\", '')"
        let hidden = LocalState([.madeHere, .deletedHere]).rawValue
        // A stream property without control information has no content.
        let known = stream.control.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT *, \(version) AS "$version" FROM \(quoted(table.name))
                WHERE \(quoted(slot.column)) & \(slot.bit) <> 0 AND \(quoted(stream.changed)) = 0
                AND "$state" & \(hidden) = 0 AND \(quoted(stream.fetched)) IS NOT \(version)
                \(stream.property == nil ? "" : "AND (\(known))") ORDER BY "$id"
                """)
        let paths = RowPath(db: db, schema: offline.schema)
        while let row = try cursor.next() {
            guard let path = try paths.path(of: stream, of: row, in: table) else { continue }
            let name = path.url
            plan.requests.append(
                StreamDownloadRequest(
                    name: name, path: path, readLink: row[stream.readLink], etag: row[stream.etag]))
            let etag: String? = row[stream.etag]
            plan.wanted[name] = Wanted(
                table: table, row: row["$id"], stream: stream, version: row["$version"], hasETag: etag != nil)
        }
    }
}
