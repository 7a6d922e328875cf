import Foundation
import ODataStores

extension OfflineStore {
    /// Sends the queue, then brings the defining queries up to date: ``upload(categories:progress:)`` and
    /// ``download(_:progress:)`` in one run, between which nothing else runs.
    ///
    /// Requests that the service refuses, conflicts and requests with an unknown outcome do not stop the download: their
    /// entities keep the local values, and the report lists them. An error that ends the upload early (no network, no
    /// authorization) ends the synchronization, since the download would meet it too. Without requests in the queue
    /// nothing is sent.
    ///
    /// - Parameters:
    ///   - names: The defining queries; all if nil.
    ///   - progress: Called with the progress of the whole run; it must return quickly.
    /// - Returns: What was sent and received.
    /// - Throws: ``ODataError`` as the upload and the download; its cause is a ``SyncInterruption`` with the report until
    ///   then. `conflict` while another transfer runs.
    @discardableResult
    public func sync(
        _ names: [String]? = nil, progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> SyncReport {
        try await sync(.all, names, progress: progress)
    }

    /// As ``sync(_:progress:)`` for some of the work.
    func sync(
        _ work: SyncWork, _ names: [String]? = nil, progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> SyncReport {
        try await transferring("upload") {
            state.withholdStreams(!work.contains(.streams))
            let run = SyncRun(store: self, work: work, names: names)
            return try await SyncMeter(self, report: progress).following { meter in
                var report = SyncReport()
                do {
                    try await observation.instruments.span("odata.sync") { _ in try await run.run(meter, &report) }
                    return report
                } catch {
                    var failure = ODataError(any: error)
                    let cause = failure.cause
                    report.upload = report.upload ?? (cause as? UploadInterruption)?.report
                    failure.cause = SyncInterruption(report: report, cause: cause)
                    throw failure
                }
            }
        }
    }
}

/// One synchronization.
private struct SyncRun {
    let store: OfflineStore
    let work: SyncWork
    let names: [String]?

    func run(_ meter: SyncMeter, _ report: inout SyncReport) async throws {
        guard store.remote != nil else { throw ODataError.withoutService }
        let (queue, queries) = try await store.database.reading { [names] db in
            let named = try names?.map { try QueryRecord.existing($0, in: db) }
            return (try QueueSummary(db: db), try named ?? QueryRecord.all(in: db))
        }
        let uploads = work.contains(.upload) && !queue.isEmpty
        let downloads = work.contains(.download)
        meter.expect(requests: uploads ? queue.length : 0, queries: downloads ? queries : [])
        if uploads {
            let start = store.configuration.now()
            defer { report.uploading = store.duration(since: start) }
            report.upload = try await store.uploading(categories: nil, meter) { _ in }
        }
        store.state.continueTransfer(as: "download")
        if downloads {
            let start = store.configuration.now()
            defer { report.downloading = store.duration(since: start) }
            report.download = try await store.downloading(names, meter) { _ in }
        }
        guard downloads, names == nil else { return }
        let time = StoreTime(date: store.configuration.now()).column
        try await store.database.writing { try StoreValues(db: $0).set(OfflineStore.lastSync, time) }
        meter.succeeded(time)
    }
}

extension OfflineStore {
    func duration(since start: Date) -> Duration { .seconds(configuration.now().timeIntervalSince(start)) }

    /// An upload within a transfer.
    func uploading(
        categories: Set<String>?, _ meter: SyncMeter, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws -> UploadReport {
        let offline = try offlineModel()
        guard let remote else { throw ODataError.withoutService }
        meter.enter(.uploading)
        return try await workLog.recording(.upload) { event in
            var run = try await UploadRun(
                store: self, offline: offline, remote: remote, categories: categories,
                progress: event.noting(meter.noting(progress)))
            let report = try await run.run(noting: event)
            try await streams.collect()
            return report
        }
    }

    /// A download within a transfer.
    func downloading(
        _ names: [String]?, _ meter: SyncMeter, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> DownloadReport {
        meter.enter(.downloading)
        do {
            return try await workLog.recording(.download) { event in
                var run = DownloadRun(store: self, event: event, progress: event.noting(meter.noting(progress)))
                run.onQueryEnd = { meter.ended($0) }
                return try await run.run(names)
            }
        } catch is CancellationError {
            throw ODataError(.cancelled, "The download was cancelled; the next one continues where it stopped.")
        } catch {
            throw ODataError(any: error)
        }
    }
}
