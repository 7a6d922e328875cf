import Foundation
import GRDB
import ODataMedia
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// A stream and the row it belongs to.
struct WantedStream: Sendable {
    var table: LocalTable
    var row: Int64
    var stream: LocalStream
    /// The stream's ETag, else the entity's.
    var version: String
    var hasETag: Bool
    var isPinned: Bool
}

/// Selects the streams that queries with streams need, in portions and in the order in which they are fetched.
struct StreamSelection: Sendable {
    /// The selection of streams of the rows that a query holds.
    enum Choice: Sendable {
        /// The streams that a refresh fetches: the content is not that of the current version, or was evicted and is
        /// now pinned.
        case outdated
        /// The streams that may be fetched, now or when they are read.
        case unfetched
        case row(Int64)

        func condition(_ stream: LocalStream, version: String) -> String {
            let evicted = quoted(stream.evicted)
            // Other rows without a mark have what they say.
            let isMissing = #"\#(.id) IN (SELECT "row" FROM \#(.pin)) AND \#(stream.isAway)"#
            let isOutdated = "(\(quoted(stream.fetched)) IS NOT \(version) OR \(isMissing))"
            return switch self {
            case .outdated: "\(evicted) = 0 AND \(isOutdated)"
            case .unfetched: "(\(evicted) <> 0 OR \(isOutdated))"
            case .row(let row): "\(.id) = \(row)"
            }
        }
    }

    struct Next: Sendable {
        var requests: [StreamDownloadRequest] = []
        /// By the request's name.
        var wanted: [String: WantedStream] = [:]
        /// The number of streams that cannot be requested because their URL is unknown.
        var unnamed = 0
    }

    /// One stream of the rows that a query holds.
    fileprivate struct Place: Sendable {
        var table: LocalTable
        var stream: LocalStream
        /// The nodes that need this stream.
        var holders: StreamHolders
        /// The nodes of previous places, whose rows have been returned.
        var before = StreamHolders()
        /// Whether only rows with a pinned stream are selected.
        var isPinned = false
    }

    /// A stream that was returned while it was pinned. Row ids are those of the store.
    private struct Pinned: Hashable, Sendable {
        var row: Int64
        var property: String?
    }

    private let schema: LocalSchema
    private let choice: Choice
    private let remote: any ODataStore
    private var places: ArraySlice<Place> = []
    /// Of the first of ``places``.
    private var last = Int64.min
    /// They are not returned again, even if the pins change.
    private var given: Set<Pinned> = []

    /// The streams of the rows that these queries hold: pinned ones first, then by the queries' priorities.
    init(
        _ queries: [String], _ choice: Choice = .outdated, priorities: [String: Int], offline: OfflineModel,
        remote: any ODataStore, in db: Database
    ) throws {
        (schema, self.choice, self.remote) = (offline.schema, choice, remote)
        var all: [Place] = []
        var before: [String: [LocalStream: StreamHolders]] = [:]
        for name in queries.sorted(by: { priorities[$0, default: 0] > priorities[$1, default: 0] }) {
            let nodes = try Row.fetchAll(
                db,
                sql: """
                    SELECT n."slot", n."set", n."columns", q."checksStreams" FROM \(.node) n
                    JOIN \(.query) q ON q."id" = n."query" WHERE q."name" = ? AND q."streams" ORDER BY n."slot"
                    """, arguments: [name])
            for node in nodes {
                guard let table = schema.tables[node["set"]], try db.tableExists(table.name) else { continue }
                for stream in table.streams {
                    let slot = HolderSlot(node["slot"])
                    let asks = Self.asks(for: stream, by: node)
                    let given = before[table.name]?[stream] ?? StreamHolders()
                    all.append(
                        Place(
                            table: table, stream: stream, holders: StreamHolders([slot], asksForUntold: asks),
                            before: given))
                    before[table.name, default: [:]][stream, default: StreamHolders()].insert(slot, asksForUntold: asks)
                }
            }
        }
        let pins = try Row.fetchSet(db, sql: #"SELECT DISTINCT "set", "stream" FROM \#(.pin)"#)
        let pinned = all.filter { place in
            pins.contains { $0["set"] == place.table.set.name && $0["stream"] == place.stream.property ?? "" }
        }
        places = (pinned.map(\.ofPinned) + all)[...]
    }

    /// One stream that is to be read now, if a query with streams holds its row: also one about which the service has
    /// sent nothing.
    init(for place: StoredStream.Place, offline: OfflineModel, remote: any ODataStore, in db: Database) throws {
        (schema, choice, self.remote) = (offline.schema, .row(place.row), remote)
        let slots = try Int.fetchAll(
            db,
            sql: """
                SELECT n."slot" FROM \(.node) n JOIN \(.query) q ON q."id" = n."query" WHERE q."streams" AND n."set" = ?
                """, arguments: [place.table.set.name])
        guard !slots.isEmpty else { return }
        let holders = StreamHolders(slots.map(HolderSlot.init), asksForUntold: true)
        places = [Place(table: place.table, stream: place.stream, holders: holders)]
    }

    /// Whether a query asks also for streams about which the service has sent nothing.
    private static func asks(for stream: LocalStream, by node: Row) -> Bool {
        let (checks, columns): (Bool, String?) = (node["checksStreams"], node["columns"])
        guard checks, let property = stream.property, let columns else { return checks }
        let names = try? JSONDecoder().decode(Set<String>.self, from: Data(columns.utf8))
        return names?.contains(property) ?? false
    }

    /// The number of streams, before the first is returned.
    func count(in db: Database) throws -> Int {
        // Pinned streams are also among the others.
        try places.lazy.filter { !$0.isPinned }.reduce(0) { count, place in
            let (condition, arguments) = place.condition(choice)
            return try count
                + (Int.fetchOne(
                    db, sql: "SELECT count(*) FROM \(quoted(place.table.name)) WHERE \(condition)", arguments: arguments
                ) ?? 0)
        }
    }

    /// The next ones, up to `limit` of them; none if there are no more.
    mutating func next(_ limit: Int, in db: Database) throws -> Next {
        var next = Next()
        while next.requests.count < limit, let place = places.first {
            guard let end = try give(limit, of: place, in: db, to: &next) else {
                places = places.dropFirst()
                last = .min
                continue
            }
            last = end
        }
        return next
    }

    /// Until there are `limit` of them.
    ///
    /// - Returns: The last row; nil if there was none.
    private mutating func give(_ limit: Int, of place: Place, in db: Database, to next: inout Next) throws -> Int64? {
        let (table, stream) = (place.table, place.stream)
        let (condition, arguments) = place.condition(choice)
        let cursor = try Row.fetchCursor(
            db,
            sql: """
                SELECT *, \(Place.version(of: stream)) AS "$version", \(Place.isPinned) AS "$pinned"
                FROM \(quoted(table.name)) WHERE \(.id) > ? AND \(condition) ORDER BY \(.id)
                """, arguments: place.pin + [last] + arguments)
        let paths = RowPath(db: db, schema: schema)
        var end: Int64?
        while next.requests.count < limit, let row = try cursor.next() {
            end = row[HiddenColumn.id.name]
            let pinned = Pinned(row: row[HiddenColumn.id.name], property: stream.property)
            if place.isPinned { given.insert(pinned) } else if given.contains(pinned) { continue }
            guard let path = try paths.path(of: stream, of: row, in: table) else {
                next.unnamed += 1
                continue
            }
            let name = path.url
            let (etag, link, isPinned): (String?, String?, Bool) = (
                row[stream.etag], row[stream.readLink], row["$pinned"]
            )
            next.requests.append(
                StreamDownloadRequest(
                    name: name, path: path, readLink: link, etag: etag, host: remote.streamHost(ofLink: link),
                    priority: isPinned ? StreamPriority.pinned : StreamPriority.refresh))
            next.wanted[name] = WantedStream(
                table: table, row: row[HiddenColumn.id.name], stream: stream, version: row["$version"],
                hasETag: etag != nil,
                isPinned: isPinned)
        }
        return end
    }
}

extension StreamSelection.Place {
    /// The stream's ETag, else the entity's.
    fileprivate static func version(of stream: LocalStream) -> String {
        "coalesce(\(quoted(stream.etag)), \(.etag), '')"
    }

    /// With the arguments ``pin``.
    fileprivate static let isPinned = #"\#(.id) IN (SELECT "row" FROM \#(.pin) WHERE "set" = ? AND "stream" = ?)"#
    fileprivate var pin: StatementArguments { [table.set.name, stream.property ?? ""] }

    fileprivate var ofPinned: Self {
        var place = self
        place.isPinned = true
        return place
    }

    fileprivate func condition(_ choice: StreamSelection.Choice) -> (sql: String, arguments: StatementArguments) {
        let hidden = LocalState([.madeHere, .temporaryKey, .deletedHere]).rawValue
        var terms = [
            holders.isHeld(stream), "\(quoted(stream.changed)) = 0", "\(.state) & \(hidden) = 0",
            choice.condition(stream, version: Self.version(of: stream)),
        ]
        if !before.isEmpty { terms.append("NOT \(before.isHeld(stream))") }
        var arguments: StatementArguments = []
        // The stream of a media entity is of all types of its set.
        if let property = stream.property, set.type.property(named: property) == nil {
            let types = table.types.filter { $0.property(named: property) != nil }
            terms.append("\(.type) IN (\(types.map { _ in "?" }.joined(separator: ", ")))")
            arguments += StatementArguments(types.map { "\($0.name)" })
        }
        if isPinned {
            terms.append(Self.isPinned)
            arguments += pin
        }
        return (terms.joined(separator: " AND "), arguments)
    }

    private var set: EdmEntitySet { table.set }
}
