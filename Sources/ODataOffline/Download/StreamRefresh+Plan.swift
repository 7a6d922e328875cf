import Foundation
import GRDB
import ODataMedia
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

extension StreamRefresh {
    struct Plan {
        var requests: [StreamDownloadRequest] = []
        /// By the request's name.
        var wanted: [String: Wanted] = [:]
    }

    /// Which streams of the rows that a query holds are meant.
    enum Choice {
        /// Those that a refresh fetches: the content is not that of the version here, or made room and is pinned since.
        case outdated
        /// Those that may be fetched, now or when they are asked for.
        case unfetched
        case row(Int64)

        func condition(_ stream: LocalStream, version: String) -> String {
            let evicted = quoted(stream.evicted)
            // Other rows without a mark have what they say.
            let isMissing = #""$id" IN (SELECT "row" FROM "$pin") AND \#(stream.isAway)"#
            let isOutdated = "(\(quoted(stream.fetched)) IS NOT \(version) OR \(isMissing))"
            return switch self {
            case .outdated: "\(evicted) = 0 AND \(isOutdated)"
            case .unfetched: "(\(evicted) <> 0 OR \(isOutdated))"
            case .row(let row): "\"$id\" = \(row)"
            }
        }
    }

    /// The streams of the rows that these queries hold.
    func plan(_ queries: [String], _ choice: Choice = .outdated, in db: Database) throws -> Plan {
        var plan = Plan()
        let priorities = store.configuration.streamPriorities
        for name in queries.sorted(by: { priorities[$0, default: 0] > priorities[$1, default: 0] }) {
            let nodes = try Row.fetchAll(
                db,
                sql: """
                    SELECT n."slot", n."set", n."columns", q."checksStreams" FROM "$node" n
                    JOIN "$query" q ON q."id" = n."query" WHERE q."name" = ? AND q."streams" ORDER BY n."slot"
                    """, arguments: [name])
            for node in nodes {
                guard let table = offline.schema.tables[node["set"]], try db.tableExists(table.name) else { continue }
                for stream in table.streams {
                    try add(
                        stream, of: table, HolderSlot(node["slot"]), choice, asksForUntold: asks(for: stream, by: node),
                        in: db, to: &plan)
                }
            }
        }
        return plan
    }

    /// Whether a query asks also for streams of which the service has told nothing.
    private func asks(for stream: LocalStream, by node: Row) -> Bool {
        let (checks, columns): (Bool, String?) = (node["checksStreams"], node["columns"])
        guard checks, let property = stream.property, let columns else { return checks }
        let names = try? JSONDecoder().decode(Set<String>.self, from: Data(columns.utf8))
        return names?.contains(property) ?? false
    }

    /// One stream that is to be read now, if a query with streams holds its row: also one of which the service has told
    /// nothing.
    func plan(for place: StoredStream.Place, in db: Database) throws -> Plan {
        var plan = Plan()
        let slots = try Int.fetchAll(
            db,
            sql: """
                SELECT n."slot" FROM "$node" n JOIN "$query" q ON q."id" = n."query" WHERE q."streams" AND n."set" = ?
                """, arguments: [place.table.set.name])
        for slot in slots where plan.requests.isEmpty {
            try add(
                place.stream, of: place.table, HolderSlot(slot), .row(place.row), asksForUntold: true, in: db, to: &plan
            )
        }
        for index in plan.requests.indices { plan.requests[index].priority = StreamPriority.reading }
        return plan
    }

    /// - Parameter asksForUntold: Whether a stream property may have content without control information: services may
    ///   leave it out where it is what the standard expects. What the service then answers holds until the entity changes.
    ///   [OData-JSON, section 4.6]
    private func add(
        _ stream: LocalStream, of table: LocalTable, _ slot: HolderSlot, _ choice: Choice, asksForUntold: Bool,
        in db: Database, to plan: inout Plan
    ) throws {
        let pinned = try Int64.fetchSet(
            db, sql: #"SELECT "row" FROM "$pin" WHERE "set" = ? AND "stream" = ?"#,
            arguments: [table.set.name, stream.property ?? ""])
        let version = "coalesce(\(quoted(stream.etag)), \"$etag\", '')"
        let hidden = LocalState([.madeHere, .deletedHere]).rawValue
        let known = stream.control.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT *, \(version) AS "$version" FROM \(quoted(table.name))
                WHERE \(quoted(slot.column)) & \(slot.bit) <> 0 AND \(quoted(stream.changed)) = 0
                AND "$state" & \(hidden) = 0 AND \(choice.condition(stream, version: version))
                \(stream.property == nil || asksForUntold ? "" : "AND (\(known))") ORDER BY "$id"
                """)
        let paths = RowPath(db: db, schema: offline.schema)
        while let row = try cursor.next() {
            guard table.type(of: row).has(stream), let path = try paths.path(of: stream, of: row, in: table) else {
                continue
            }
            let name = path.url
            let (id, etag, link): (Int64, String?, String?) = (row["$id"], row[stream.etag], row[stream.readLink])
            plan.requests.append(
                StreamDownloadRequest(
                    name: name, path: path, readLink: link, etag: etag, host: remote.streamHost(ofLink: link),
                    priority: pinned.contains(id) ? StreamPriority.pinned : StreamPriority.refresh))
            plan.wanted[name] = Wanted(
                table: table, row: id, stream: stream, version: row["$version"], hasETag: etag != nil,
                isPinned: pinned.contains(id))
        }
    }
}

extension StructuredType {
    /// The stream of a media entity is of all types of its set.
    fileprivate func has(_ stream: LocalStream) -> Bool { stream.property.map { property(named: $0) != nil } ?? true }
}

extension LocalTable {
    /// - Parameter row: All columns of the live table.
    fileprivate func type(of row: Row) -> StructuredType {
        guard types.count > 1 else { return set.type }
        let name: String? = row[Self.typeColumn]
        return types.first { "\($0.name)" == name } ?? set.type
    }
}
