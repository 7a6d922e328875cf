import Foundation
import ODataStores

extension OfflineStore {
    /// Brings defining queries up to date: reads a query completely the first time, then only the changes if the
    /// service returns delta links; otherwise the query is read again and entities that are no longer in its result are
    /// removed. Then fetches missing and changed media streams.
    ///
    /// Readers see the old state of a query until its new state is complete. After an error, a cancellation or the end
    /// of the process, the next download continues where the last one stopped. Additions to the service's metadata are
    /// applied first. At the end, entities that were created on the device and sent are removed if no query returns
    /// their set.
    ///
    /// - Parameters:
    ///   - names: The defining queries; all if nil.
    ///   - progress: Called before each request for a page, when its response begins, and after each page and piece of
    ///     a stream; it must return quickly.
    /// - Returns: The result. It lists failed streams, which do not make the download fail.
    /// - Throws: ``ODataError``: `metadataChanged` if the store does not fit the new metadata, `unreachable`,
    ///   `cancelled`, `conflict` while another transfer runs, `notFound` for an unknown name, and the service's error
    ///   of the first failed query after the others have been tried; the message lists all failed queries.
    @discardableResult
    public func download(
        _ names: [String]? = nil, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> DownloadReport {
        try await transferring("download") {
            do {
                return try await recording(.download) { event in
                    try await downloadNow(names, event: event, progress: event.noting(progress))
                }
            } catch is CancellationError {
                throw ODataError(.cancelled, "The download was cancelled; the next one continues where it stopped.")
            } catch {
                throw ODataError(any: error)
            }
        }
    }

    func downloadNow(
        _ names: [String]?, keepsPartials: Bool = false, event: EventRecorder,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> DownloadReport {
        _ = try offlineModel()
        guard let remote else { throw ODataError.withoutService }
        progress(DownloadProgress(.waiting))
        let (offline, problem) = try await modelOfToday(from: remote)
        event.message = problem.map { "The service's metadata cannot be read: \($0)" }
        let records = try await records(names)
        try await database.writing { db in
            let values = StoreValues(db: db)
            try values.set("download", try values.download + 1)
        }
        let outcomes = try await inParallel(records) { record in
            var download = try QueryDownload(
                record, store: self, offline: offline, remote: remote, progress: progress)
            return try await download.run()
        }
        var report = DownloadReport()
        defer { event.note(report) }
        report.queries = outcomes.compactMap { try? $0.get() }
        let conflicts = ConflictHandler(store: self, offline: offline, remote: remote)
        var failure: (any Error)?
        do {
            try await conflicts.adoptNewer()
            try await conflicts.resolveDownloaded()
        } catch { failure = error }
        do {
            let start = configuration.now()
            let streams = StreamRefresh(store: self, offline: offline, remote: remote, progress: progress)
            try await streams.run(queries: report.queries.map(\.name), report: &report)
            // The queries of a rebuild do not need streams yet.
            if !keepsPartials { try streams.discardPartials() }
            report.streaming = .seconds(configuration.now().timeIntervalSince(start))
            try await collectMedia()
            // A rebuild does so when its database is the store's.
            if !keepsPartials { try await makeRoom() }
        } catch { failure = failure ?? error }
        if let error = ODataError(ofQueries: zip(records, outcomes).map { ($0.definition.name, $1) }) { throw error }
        if let failure { throw failure }
        let time = StoreTime(date: configuration.now()).column
        try await database.writing { [self] db in
            let sets = offline.schema.tables.keys.sorted().filter { !offline.isLocal($0) }
            let release = QueryRelease(db: db, schema: offline.schema)
            if try release.removeUnsought(of: sets) { try collectMedia(in: db) }
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
            for _ in 0..<max(1, configuration.parallelQueries) { begin() }
            while let (index, outcome) = try await group.next() {
                outcomes[index] = outcome
                begin()
            }
            return outcomes.compactMap(\.self)
        }
    }

    private func records(_ names: [String]?) async throws -> [QueryRecord] {
        try await database.reading { db in
            guard let names else { return try QueryRecord.all(in: db) }
            return try names.map { name in
                guard let record = try QueryRecord.named(name, in: db) else {
                    throw ODataError.noDefiningQuery(name)
                }
                return record
            }
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
        let all = failures.map { "\n  \($0.name): \($0.error.summary)" }.joined()
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
