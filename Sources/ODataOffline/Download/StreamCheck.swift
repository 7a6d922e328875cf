import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Requests stored streams on the condition that they have changed: if the app requests that, since
/// a stream that has changed need not change its entity; and where an entity has changed that says nothing about its
/// stream, since that need not have changed.
struct StreamCheck {
    /// The number of streams that are checked before more are selected.
    private static let step = 100

    /// A stream in the store.
    private struct Known: Sendable {
        var table: LocalTable
        var stream: LocalStream
        var row: Int64
        var path: ResourcePath
        var readLink: String?
        var digest: String
        /// Nil: the service has sent none, so it is unknown whether the stream has changed.
        var validator: StreamValidator?
        /// Whether the app requests the check.
        var isWanted: Bool
    }

    private enum Outcome: Sendable {
        case same, other
        case failed(ODataError)
    }

    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore

    /// Marks changed streams as missing and unchanged ones as those of their entities' versions.
    func run(queries: [String], report: inout DownloadReport) async throws {
        for place in try await places(queries) {
            var last: Int64 = 0
            while true {
                let known = try await known(at: place, after: last)
                guard let end = known.last?.row else { break }
                last = end
                let responses = try await ask(known)
                let changed = responses.compactMap { if case .other = $0.1 { $0.0 } else { nil } }
                let same = responses.compactMap { if case .same = $0.1 { $0.0 } else { nil } }
                try await mark(changed: changed, same: same)
                for case (let stream, .failed(let error)) in responses where stream.isWanted {
                    report.failedStreams.append(.init(path: stream.path.url, error: error))
                }
            }
        }
    }

    private struct Place: Sendable {
        var table: LocalTable
        var stream: LocalStream
        var slot: HolderSlot
        var isWanted: Bool
    }

    private func places(_ queries: [String]) async throws -> [Place] {
        try await store.database.reading { [offline] db in
            try queries.flatMap { name in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT n."slot", n."set", q."checksStreams" FROM \(.node) n JOIN \(.query) q ON q."id" = n."query"
                        WHERE q."name" = ? AND q."streams" ORDER BY n."slot"
                        """, arguments: [name])
            }.flatMap { row -> [Place] in
                guard let table = offline.schema.tables[row["set"]] else { return [] }
                return table.streams.map {
                    Place(table: table, stream: $0, slot: HolderSlot(row["slot"]), isWanted: row["checksStreams"])
                }
            }
        }
    }

    private func known(at place: Place, after last: Int64) async throws -> [Known] {
        try await store.database.reading { [offline] db in
            let (table, stream) = (place.table, place.stream)
            guard try db.tableExists(table.name) else { return [] }
            let paths = RowPath(db: db, schema: offline.schema)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT l.*, coalesce(l.\(quoted(stream.etag)), t."etag") AS "$known"
                    FROM \(quoted(table.name)) AS l
                    LEFT JOIN \(.streamTag) AS t ON t."row" = l.\(.id) AND t."stream" = ?
                    WHERE l.\(.id) > ? AND l.\(quoted(place.slot.column)) & \(place.slot.bit) <> 0
                    AND l.\(quoted(stream.digest)) IS NOT NULL
                    AND l.\(quoted(stream.changed)) = 0 AND l.\(quoted(stream.evicted)) = 0
                    AND (\(place.isWanted ? "l.\(quoted(stream.fetched)) IS NOT NULL OR" : "") \(stream.isInDoubt))
                    ORDER BY l.\(.id) LIMIT \(Self.step)
                    """, arguments: [stream.property ?? "", last]
            ).compactMap { row in
                guard let path = try paths.path(of: stream, of: row, in: table) else { return nil }
                return Known(
                    table: table, stream: stream, row: row[HiddenColumn.id.name], path: path,
                    readLink: row[stream.readLink],
                    digest: row[stream.digest], validator: (row["$known"] as String?).map(StreamValidator.init),
                    isWanted: place.isWanted)
            }
        }
    }

    /// Checks several at a time.
    private func ask(_ streams: [Known]) async throws -> [(Known, Outcome)] {
        try await withThrowingTaskGroup(of: (Known, Outcome).self) { group in
            var responses: [(Known, Outcome)] = []
            var waiting = streams.makeIterator()
            for _ in 0..<max(1, store.configuration.parallelStreams) {
                if let stream = waiting.next() { group.addTask { (stream, try await ask(stream)) } }
            }
            while let response = try await group.next() {
                responses.append(response)
                if let stream = waiting.next() { group.addTask { (stream, try await ask(stream)) } }
            }
            return responses
        }
    }

    private func ask(_ stream: Known) async throws -> Outcome {
        guard let validator = stream.validator else { return .other }
        var request = StreamRequest(stream.path)
        request.readLink = stream.readLink
        validator.condition(&request)
        // Requests one byte; a changed stream is read later as a whole.
        request.count = 1
        do {
            let result = try await remote.readStream(request).requiringContent(of: request)
            return validator.isSame(result, as: stream.digest) ? .same : .other
        } catch let error as ODataError {
            switch error.code {
            case .notFound, .gone: return .other
            case .cancelled: throw error
            // A stream in doubt is fetched next.
            case .unreachable where stream.isWanted, .unauthorized where stream.isWanted: throw error
            default: return .failed(error)
            }
        }
    }

    private func mark(changed: [Known], same: [Known]) async throws {
        guard !changed.isEmpty || !same.isEmpty else { return }
        try await store.database.writing { db in
            for one in changed { try set(one, "NULL", where: "1", in: db) }
            let version = "coalesce(\(.etag), '')"
            for one in same {
                let (etag, fetched) = (quoted(one.stream.etag), quoted(one.stream.fetched))
                let isInDoubt = "\(etag) IS NULL AND \(fetched) IS NOT \(version) AND NOT (\(one.stream.isAway))"
                try set(one, version, where: isInDoubt, in: db)
            }
        }
    }

    private func set(_ one: Known, _ version: String, where condition: String, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE \(quoted(one.table.name)) SET \(quoted(one.stream.fetched)) = \(version)
                WHERE \(.id) = ? AND \(quoted(one.stream.changed)) = 0 AND \(condition)
                """, arguments: [one.row])
    }
}

extension LocalStream {
    /// SQL that is true where the entity `l` may have changed without its stream, of which it reports no version, and
    /// `t` is what distinguishes its versions.
    fileprivate var isInDoubt: String {
        """
        (t."etag" IS NOT NULL AND l.\(quoted(etag)) IS NULL
        AND l.\(quoted(fetched)) IS NOT coalesce(l.\(.etag), ''))
        """
    }
}
