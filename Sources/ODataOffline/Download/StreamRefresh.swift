import GRDB
import MediaFiles
import ODataMedia
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Fetches missing and changed streams of queries with streams.
struct StreamRefresh {
    /// A received stream that is not published yet.
    private struct Arrived: Sendable {
        var stream: DownloadedStream
        var wanted: WantedStream
    }

    /// The number of small streams that are published in one transaction.
    private static let batchSize = 64

    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore
    let progress: @Sendable (DownloadProgress) -> Void

    func run(queries: [String], report: inout DownloadReport) async throws {
        if !store.state.withholdsStreams {
            try await StreamCheck(store: store, offline: offline, remote: remote).run(
                queries: queries, report: &report)
        }
        var (feed, count) = try await store.database.reading { db in
            let feed = try self.feed(queries, in: db)
            return (feed, try feed.count(in: db))
        }
        guard count > 0 else { return }
        let admission = StreamAdmission(
            quota: store.configuration.mediaQuota, policy: store.networkPolicy)
        // Streams that are selected and not received.
        var wanted: [String: WantedStream] = [:]
        var (outcome, arrived) = (report, [Arrived]())
        let progress = progress
        try await store.streams.writing {
            let fetching = downloader(admission, board: store.transferBoard)
            do {
                try await fetching.download(
                    count,
                    progress: { progress(DownloadProgress($0)) },
                    more: { limit in
                        try await settle(admission, &wanted)
                        let (rest, next) = try await store.database.reading { [feed] db in
                            var feed = feed
                            let next = try feed.next(limit, in: db)
                            return (feed, next)
                        }
                        feed = rest
                        wanted.merge(next.wanted) { first, _ in first }
                        return StreamDownloadBatch(requests: next.requests, fewer: next.unnamed)
                    }
                ) { result in
                    guard let wanted = wanted.removeValue(forKey: result.request.name) else { return }
                    switch result.outcome {
                    case .failure(let error): try await note(error, of: result.request, wanted, in: &outcome)
                    case .success(let stream):
                        outcome.streams += 1
                        outcome.streamBytes += stream.transferred
                        arrived.append(Arrived(stream: stream, wanted: wanted))
                        // A stream that is already in the folder is published at once.
                        guard stream.bytes == nil || arrived.count >= Self.batchSize else { return }
                        try await keep(arrived)
                        arrived = []
                        try store.streams.evict()
                    }
                }
            } catch {
                // Received streams need not be fetched again.
                try? await keep(arrived)
                throw error
            }
            try await keep(arrived)
        }
        try await settle(admission, &wanted)
        outcome.waitingStreams = admission.waiting
        outcome.pausedStreams = store.transferBoard.snapshots
            .count { $0.direction == .download && $0.state == .paused && wanted[$0.path] != nil }
        report = outcome
    }

    private func feed(_ queries: [String], _ choice: StreamSelection.Choice = .outdated, in db: Database) throws
        -> StreamSelection
    {
        try StreamSelection(
            queries, choice, priorities: store.configuration.streamPriorities, offline: offline, remote: remote, in: db)
    }

    /// Streams that are not fetched in this run need not be tracked.
    private func settle(_ admission: StreamAdmission, _ wanted: inout [String: WantedStream]) async throws {
        let refused = admission.takeRefused()
        try await leave(refused.beyondQuota.compactMap { wanted[$0] })
        for name in refused.beyondQuota + refused.waiting { wanted[name] = nil }
    }

    private func downloader(
        _ admission: StreamAdmission, board: TransferBoard, plan: RetryPlan = RetryPlan()
    ) -> StreamDownloader {
        let parts = SegmentPlan(count: store.configuration.streamParts, least: store.configuration.streamPartLength)
        return StreamDownloader(
            store: remote, folder: store.media.folder, board: board, plan: plan,
            segments: parts.count > 1 ? parts : nil, pause: store.configuration.pause,
            smallLimit: store.media.rowLimit, admits: admission.admits, arrived: admission.note,
            finish: store.media.finish)
    }

    /// Streams that would evict others of the same download are fetched when they are read.
    private func leave(_ streams: [WantedStream]) async throws {
        guard !streams.isEmpty else { return }
        try await store.database.writing { db in
            for wanted in streams {
                try db.execute(
                    sql: """
                        UPDATE \(quoted(wanted.table.name)) SET \(quoted(wanted.stream.evicted)) = 1
                        WHERE \(.id) = ? AND \(quoted(wanted.stream.changed)) = 0
                        AND \(.id) NOT IN (SELECT "row" FROM \(.pin) WHERE "stream" = ?)
                        """, arguments: [wanted.row, wanted.stream.property ?? ""])
            }
        }
    }

    /// Discards partial content of streams that no query needs any more, and with a quota also of those that a refresh
    /// does not fetch. While a stream is being read, the next download does this.
    func discardPartials() throws {
        let folder = store.media.folder
        guard try folder.holdsPartials else { return }
        let choice: StreamSelection.Choice = store.configuration.mediaQuota == nil ? .unfetched : .outdated
        let kept = try store.database.read { db in
            let queries = try String.fetchAll(db, sql: #"SELECT "name" FROM \#(.query) WHERE "streams""#)
            var feed = try feed(queries, choice, in: db)
            let partials = try folder.partialLengths
            var names: Set<String> = []
            while true {
                let next = try feed.next(1_000, in: db).requests
                guard !next.isEmpty else { return names }
                for request in next where partials[folder.partialName(for: request.name)] != nil {
                    names.insert(request.name)
                }
            }
        }
        try store.streams.whileNotWritten { try folder.discardPartials(except: kept) }
    }

    private func note(
        _ error: StreamDownloadError, of request: StreamDownloadRequest, _ wanted: WantedStream,
        in report: inout DownloadReport
    ) async throws {
        switch try await settle(error, of: request, for: wanted) {
        case .kept, .busy, .forbidden: break
        case .failed(let error) where error.code == .unauthorized:
            // The others would fail likewise.
            throw error
        case .failed(let error): report.failedStreams.append(.init(path: request.name, error: error))
        }
    }

    /// The outcome of fetching a stream.
    enum Fetch: Sendable {
        /// It is in the store, or is known not to exist.
        case kept
        /// Another task fetches it; with the service's URL of the stream, if known.
        case busy(readLink: String?)
        /// The network policy does not allow it.
        case forbidden
        case failed(ODataError)
    }

    /// Fetches one stream without retries, so that no reader waits for a failing service. Nil if no query needs it.
    func fetch(_ place: StoredStream.Place) async throws -> Fetch? {
        let next = try await store.database.reading { db in
            var feed = try StreamSelection(for: place, offline: offline, remote: remote, in: db)
            return try feed.next(1, in: db)
        }
        guard var request = next.requests.first, let wanted = next.wanted[request.name] else { return nil }
        request.priority = StreamPriority.reading
        let admission = StreamAdmission(quota: nil, policy: store.networkPolicy)
        var once = RetryPlan()
        once.limit = 0
        // A reader does not wait for a turn.
        let fetching = downloader(admission, board: TransferBoard(limit: 1), plan: once)
        var outcome = Fetch.forbidden
        try await store.streams.writing {
            try await fetching.download([request]) { result in
                switch result.outcome {
                case .failure(let error): outcome = try await settle(error, of: request, for: wanted)
                case .success(let stream):
                    try await keep([Arrived(stream: stream, wanted: wanted)])
                    outcome = .kept
                }
            }
        }
        return outcome
    }

    private func settle(
        _ error: StreamDownloadError, of request: StreamDownloadRequest, for wanted: WantedStream
    ) async throws -> Fetch {
        if error.isMissing, !wanted.hasETag {
            // The entity does not have a stream, and none was announced.
            try await store.database.writing { db in
                try mark(wanted, digest: nil, type: nil, version: wanted.version, in: db)
            }
            return .kept
        }
        guard (error.cause as? MediaFileError)?.code == .busy else { return .failed(error.storeError) }
        return .busy(readLink: request.readLink)
    }

    /// Publishes streams and their references in one transaction, after the bytes are in the media folder.
    private func keep(_ arrived: [Arrived]) async throws {
        guard !arrived.isEmpty else { return }
        try store.streams.keepSmall(
            arrived.compactMap { one in one.stream.bytes.map { (one.stream.media, $0) } })
        try await store.database.writing { db in
            for one in arrived { try write(one.stream, for: one.wanted, in: db) }
        }
        for one in arrived where one.wanted.isPinned { try store.streams.keepPinned(one.stream.media.digest) }
    }

    private func write(_ stream: DownloadedStream, for wanted: WantedStream, in db: Database) throws {
        try MediaIndex(db: db, schema: offline.schema).add(stream.media)
        let version = wanted.hasETag ? stream.etag ?? wanted.version : wanted.version
        if !wanted.hasETag { try note(StreamValidator(stream), of: wanted, in: db) }
        try noteType(stream.contentType, of: wanted, in: db)
        try mark(wanted, digest: stream.media.digest, type: stream.contentType, version: version, in: db)
    }

    private func note(_ validator: StreamValidator?, of wanted: WantedStream, in db: Database) throws {
        let place: StatementArguments = [wanted.table.set.name, wanted.row, wanted.stream.property ?? ""]
        guard let validator else {
            return try db.execute(
                sql: #"DELETE FROM \#(.streamTag) WHERE "set" = ? AND "row" = ? AND "stream" = ?"#, arguments: place)
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO \(.streamTag) VALUES (?, ?, ?, ?)", arguments: place + [validator.text])
    }

    /// The media type of the entity is compared with its later ones, not with the type of the received content.
    private func noteType(_ type: String?, of wanted: WantedStream, in db: Database) throws {
        let stream = wanted.stream
        try db.execute(
            sql: """
                INSERT INTO \(.streamType) SELECT ?1, l.\(.id), ?2, coalesce(l.\(quoted(stream.type)), '')
                FROM \(quoted(wanted.table.name)) AS l WHERE l.\(.id) = ?3 AND l.\(quoted(stream.type)) IS NOT ?4
                AND ?4 IS NOT NULL ON CONFLICT ("row", "stream") DO NOTHING
                """,
            arguments: [wanted.table.set.name, stream.property ?? "", wanted.row, type])
    }

    /// The media type is removed with the content.
    private func mark(_ wanted: WantedStream, digest: String?, type: String?, version: String, in db: Database) throws {
        let stream = wanted.stream
        try db.execute(
            sql: """
                UPDATE \(quoted(wanted.table.name)) SET \(quoted(stream.digest)) = ?, \(quoted(stream.fetched)) = ?,
                \(quoted(stream.evicted)) = 0, \(quoted(stream.type)) = CASE
                WHEN ? AND \(quoted(stream.digest)) IS NOT NULL THEN NULL
                ELSE coalesce(?, \(quoted(stream.type))) END
                WHERE \(.id) = ? AND \(quoted(stream.changed)) = 0
                """, arguments: [digest, version, digest == nil, type, wanted.row])
    }
}

extension DownloadProgress {
    init(_ streams: StreamDownloadProgress) {
        self.init(.streams, query: "")
        self.streams = streams.streams
        finishedStreams = streams.finished
        failedStreams = streams.failed
        bytes = streams.transferred
    }
}
