import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Asks the service for each stream that is here, on the condition that it is another one, where the app wants that:
/// a stream that has changed need not change its entity.
struct StreamCheck {
    /// How many streams are looked at before the store is asked for more.
    private static let step = 100

    /// A stream that is here.
    private struct Known: Sendable {
        var table: LocalTable
        var stream: LocalStream
        var row: Int64
        var path: ResourcePath
        var readLink: String?
        /// Nil: the service has told none, so nothing tells whether the stream has changed.
        var etag: String?
    }

    private enum Answer: Sendable {
        case same, other
        case failed(ODataError)
    }

    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore

    /// Streams that have changed are marked as missing.
    func run(queries: [String], report: inout DownloadReport) async throws {
        for place in try await places(queries) {
            var last: Int64 = 0
            while true {
                let known = try await known(at: place, after: last)
                guard let end = known.last?.row else { break }
                last = end
                let answers = try await ask(known)
                let changed = answers.compactMap { if case .other = $0.1 { $0.0 } else { nil } }
                try await forget(changed)
                for case (let stream, .failed(let error)) in answers {
                    report.failedStreams.append(.init(path: stream.path.url, error: error))
                }
            }
        }
    }

    private struct Place: Sendable {
        var table: LocalTable
        var stream: LocalStream
        var slot: HolderSlot
    }

    private func places(_ queries: [String]) async throws -> [Place] {
        try await store.database.reading { [offline] db in
            try queries.flatMap { name in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT n."slot", n."set" FROM "$node" n JOIN "$query" q ON q."id" = n."query"
                        WHERE q."name" = ? AND q."streams" AND q."checksStreams" ORDER BY n."slot"
                        """, arguments: [name])
            }.flatMap { row -> [Place] in
                guard let table = offline.schema.tables[row["set"]] else { return [] }
                return table.streams.map { Place(table: table, stream: $0, slot: HolderSlot(row["slot"])) }
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
                    LEFT JOIN "$streamtag" AS t ON t."row" = l."$id" AND t."stream" = ?
                    WHERE l."$id" > ? AND l.\(quoted(place.slot.column)) & \(place.slot.bit) <> 0
                    AND l.\(quoted(stream.digest)) IS NOT NULL AND l.\(quoted(stream.fetched)) IS NOT NULL
                    AND l.\(quoted(stream.changed)) = 0 AND l.\(quoted(stream.evicted)) = 0
                    ORDER BY l."$id" LIMIT \(Self.step)
                    """, arguments: [stream.property ?? "", last]
            ).compactMap { row in
                guard let path = try paths.path(of: stream, of: row, in: table) else { return nil }
                return Known(
                    table: table, stream: stream, row: row["$id"], path: path, readLink: row[stream.readLink],
                    etag: row["$known"])
            }
        }
    }

    /// Some at a time.
    private func ask(_ streams: [Known]) async throws -> [(Known, Answer)] {
        try await withThrowingTaskGroup(of: (Known, Answer).self) { group in
            var answers: [(Known, Answer)] = []
            var waiting = streams.makeIterator()
            for _ in 0..<max(1, store.configuration.parallelStreams) {
                if let stream = waiting.next() { group.addTask { (stream, try await ask(stream)) } }
            }
            while let answer = try await group.next() {
                answers.append(answer)
                if let stream = waiting.next() { group.addTask { (stream, try await ask(stream)) } }
            }
            return answers
        }
    }

    private func ask(_ stream: Known) async throws -> Answer {
        guard let etag = stream.etag else { return .other }
        var request = StreamRequest(stream.path)
        request.readLink = stream.readLink
        request.ifNoneMatch = etag
        // One byte, if it is another stream: the whole comes later.
        request.count = 1
        do {
            let result = try await remote.readStream(request)
            return result.isNotModified || result.etag == etag ? .same : .other
        } catch let error as ODataError {
            switch error.code {
            case .notFound, .gone: return .other
            case .unreachable, .cancelled, .unauthorized: throw error
            default: return .failed(error)
            }
        }
    }

    private func forget(_ streams: [Known]) async throws {
        guard !streams.isEmpty else { return }
        try await store.database.writing { db in
            for stream in streams {
                try db.execute(
                    sql: """
                        UPDATE \(quoted(stream.table.name)) SET \(quoted(stream.stream.fetched)) = NULL
                        WHERE "$id" = ? AND \(quoted(stream.stream.changed)) = 0
                        """, arguments: [stream.row])
            }
        }
    }
}
