import GRDB
import MediaFiles
import ODataMedia
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStores

/// Fetches the streams that queries with streams hold and that are missing or have changed.
struct StreamRefresh {
    /// A stream and the row it belongs to.
    struct Wanted: Sendable {
        var table: LocalTable
        var row: Int64
        var stream: LocalStream
        /// The stream's ETag, else the entity's.
        var version: String
        var hasETag: Bool
    }

    let store: OfflineStore
    let offline: OfflineModel
    let remote: any ODataStore
    let progress: @Sendable (DownloadProgress) -> Void

    func run(queries: [String], report: inout DownloadReport) async throws {
        try await StreamCheck(store: store, offline: offline, remote: remote).run(queries: queries, report: &report)
        let plan = try await store.database.reading { db in try self.plan(queries, in: db) }
        guard !plan.requests.isEmpty else { return }
        let downloader = StreamDownloader(
            store: remote, folder: store.media, limit: store.configuration.parallelStreams,
            pause: store.configuration.pause)
        var outcome = report
        let progress = progress
        try await store.writingMedia {
            try await downloader.download(plan.requests, progress: { progress(DownloadProgress($0)) }) { result in
                guard let wanted = plan.wanted[result.request.name] else { return }
                try await take(result, for: wanted, into: &outcome)
            }
        }
        report = outcome
    }

    /// What came of streams that no query wants any more is not continued.
    func discardPartials() throws {
        try store.media.discardPartials(
            except: try store.database.read { db in
                let queries = try String.fetchAll(db, sql: #"SELECT "name" FROM "$query" WHERE "streams""#)
                return Set(try plan(queries, in: db).requests.map(\.name))
            })
    }

    private func take(
        _ result: StreamDownloadResult, for wanted: Wanted, into report: inout DownloadReport
    ) async throws {
        switch result.outcome {
        case .success(let stream):
            report.streams += 1
            report.streamBytes += stream.transferred
            try await keep(stream, for: wanted)
        case .failure(let error) where error.isMissing && !wanted.hasETag:
            // The entity has no stream, and nothing said that it had one.
            try await store.database.writing { db in
                try mark(wanted, digest: nil, type: nil, version: wanted.version, in: db)
            }
        case .failure(let error) where error.storeError.code == .unauthorized:
            // The others would fare no better.
            throw error.storeError
        case .failure(let error):
            report.failedStreams.append(.init(path: result.request.name, error: error.storeError))
        }
    }

    /// The stream and its reference: one transaction, after the bytes are on the device.
    private func keep(_ stream: DownloadedStream, for wanted: Wanted) async throws {
        try await store.database.writing { db in
            try MediaIndex(db: db, schema: offline.schema).add(stream.media)
            let version = wanted.hasETag ? stream.etag ?? wanted.version : wanted.version
            if !wanted.hasETag, let etag = stream.etag {
                try db.execute(
                    sql: #"INSERT OR REPLACE INTO "$streamtag" VALUES (?, ?, ?, ?)"#,
                    arguments: [wanted.table.set.name, wanted.row, wanted.stream.property ?? "", etag])
            }
            try mark(wanted, digest: stream.media.digest, type: stream.contentType, version: version, in: db)
        }
    }

    private func mark(_ wanted: Wanted, digest: String?, type: String?, version: String, in db: Database) throws {
        let stream = wanted.stream
        try db.execute(
            sql: """
                UPDATE \(quoted(wanted.table.name)) SET \(quoted(stream.digest)) = ?, \(quoted(stream.fetched)) = ?,
                \(quoted(stream.type)) = coalesce(?, \(quoted(stream.type)))
                WHERE "$id" = ? AND \(quoted(stream.changed)) = 0
                """, arguments: [digest, version, type, wanted.row])
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
