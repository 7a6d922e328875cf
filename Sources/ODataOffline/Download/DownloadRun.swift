import Foundation
import ODataStores

/// One download: defining queries, then what they have brought of conflicts, then streams.
struct DownloadRun {
    let store: OfflineStore
    /// Whether the store is one that a rebuild fills: what has come of streams is kept, and no room is made.
    var fillsRebuild = false
    let event: EventRecorder
    let progress: @Sendable (DownloadProgress) -> Void
    /// Called with the name of a query that is up to date.
    var onQueryEnd: @Sendable (String) -> Void = { _ in }

    /// - Parameter names: The defining queries; all if nil.
    func run(_ names: [String]?) async throws -> DownloadReport {
        _ = try store.offlineModel()
        guard let remote = store.remote else {
            throw ODataError.withoutService
        }
        progress(DownloadProgress(.waiting))
        let (offline, problem) = try await store.models.current(from: remote)
        event.message = problem.map { "The service's metadata cannot be read: \($0)" }
        let records = try await records(names)
        try await store.database.writing { db in
            let values = StoreValues(db: db)
            try values.set("download", try values.download + 1)
            try values.set(service: remote)
        }
        let outcomes = try await inParallel(records) { [store, progress, onQueryEnd] record in
            try await store.observation.instruments.span("odata.download.query") { span in
                span.set("odata.query", to: record.definition.name)
                var download = try QueryDownload(
                    record, store: store, offline: offline, remote: remote, progress: progress)
                let query = try await download.run()
                span.set("odata.entities", to: query.entities)
                onQueryEnd(query.name)
                return query
            }
        }
        var report = DownloadReport()
        defer { event.note(report) }
        report.queries = outcomes.compactMap { try? $0.get() }
        let conflicts = ConflictHandler(store: store, offline: offline, remote: remote)
        var failure: (any Error)?
        do {
            try await conflicts.adoptNewer()
            try await conflicts.resolveDownloaded()
        } catch { failure = error }
        do {
            let start = store.configuration.now()
            let refresh = StreamRefresh(store: store, offline: offline, remote: remote, progress: progress)
            try await store.observation.instruments.span("odata.download.streams") { span in
                try await refresh.run(queries: report.queries.map(\.name), report: &report)
                span.set("odata.streams", to: report.streams)
            }
            // The queries of a rebuild do not need streams yet.
            if !fillsRebuild { try refresh.discardPartials() }
            report.streaming = .seconds(store.configuration.now().timeIntervalSince(start))
            try await store.streams.collect()
            // A rebuild does so when its database is the store's.
            if !fillsRebuild { try await store.streams.makeRoom() }
        } catch { failure = failure ?? error }
        if let error = ODataError(ofQueries: zip(records, outcomes).map { ($0.definition.name, $1) }) { throw error }
        if let failure { throw failure }
        let time = StoreTime(date: store.configuration.now()).column
        try await store.database.writing { [streams = store.streams] db in
            let sets = offline.schema.tables.keys.sorted().filter { !offline.isLocal($0) }
            let release = QueryRelease(db: db, schema: offline.schema)
            if try release.removeUnsought(of: sets) { try streams.collect(in: db) }
            try StoreValues(db: db).set("downloaded", time)
        }
        return report
    }

    /// Brings several queries up to date concurrently. An error that concerns one query does not stop the others; after
    /// other errors no further query is begun.
    private func inParallel(
        _ records: [QueryRecord], _ body: @escaping @Sendable (QueryRecord) async throws -> DownloadReport.Query
    ) async throws -> [Result<DownloadReport.Query, ODataError>] {
        typealias Outcome = Result<DownloadReport.Query, ODataError>
        return try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var outcomes: [Outcome?] = Array(repeating: nil, count: records.count)
            var waiting = records.enumerated().makeIterator()
            func begin() {
                guard let (index, record) = waiting.next() else { return }
                group.addTask {
                    do { return (index, .success(try await body(record))) } catch let error as ODataError
                        where error.isOfOneQuery
                    {
                        return (index, .failure(error))
                    }
                }
            }
            for _ in 0..<max(1, store.configuration.parallelQueries) { begin() }
            while let (index, outcome) = try await group.next() {
                outcomes[index] = outcome
                begin()
            }
            return outcomes.compactMap(\.self)
        }
    }

    private func records(_ names: [String]?) async throws -> [QueryRecord] {
        try await store.database.reading { db in
            guard let names else { return try QueryRecord.all(in: db) }
            return try names.map { try QueryRecord.existing($0, in: db) }
        }
    }
}

extension ODataError {
    /// The error of the first failed query, with the errors of the others; nil if none has failed.
    fileprivate init?(ofQueries outcomes: [(name: String, outcome: Result<DownloadReport.Query, ODataError>)]) {
        let failures = outcomes.compactMap { name, outcome -> (name: String, error: ODataError)? in
            guard case .failure(let error) = outcome else { return nil }
            return (name, error)
        }
        guard let first = failures.first?.error else { return nil }
        self = first
        guard failures.count > 1 else { return }
        facts.queryErrors = failures.map { ($0.name, $0.error.summary) }
        let all = facts.queryErrors.map { "\n  \($0.query): \($0.message)" }.joined()
        message = "\(failures.count) defining queries could not be downloaded:\(all)"
        (request, cause) = (nil, first)
    }

    /// Whether other queries may still work.
    fileprivate var isOfOneQuery: Bool {
        switch code {
        case .unreachable, .cancelled, .unauthorized, .storage, .busy, .unusableStore: false
        default: true
        }
    }
}
