import Foundation
import GRDB
import ODataModel
import ODataStores

/// The result of a rebuild.
public struct RebuildReport: Sendable {
    /// The download into the new file; streams that were copied are not among its ``DownloadReport/streams``.
    public var download: DownloadReport
    /// Streams that were copied and not downloaded.
    public var keptStreams = 0
    /// Requests that wait in the rebuilt store.
    public var keptRequests = 0
    /// Requests that do not fit the new metadata: they stay in the queue and are in the error archive.
    public var misfits: [ErrorEntry] = []
}

extension OfflineStore {
    /// Downloads all defining queries again with the service's current metadata, into a second file beside the store's
    /// own. Then everything that only this device has is copied: unsent changes with their requests in order and with
    /// their repeatability ids, the error archive, events, client-only sets, and media. Requests that do not fit the
    /// new metadata go to the error archive. At the end the second file replaces the first.
    ///
    /// Until then readers see the old state, and changes are accepted; defining queries and client-only sets cannot be
    /// declared. If the rebuild fails or the process ends, the store is unchanged and the downloaded data are
    /// discarded: the next rebuild starts again. Running reads of the old file continue; it is removed when the store
    /// is closed. Its streams are transfers like those of a download (``transferSnapshots``): paused ones are not
    /// downloaded.
    ///
    /// - Throws: ``ODataError``: `badRequest` if a defining query does not fit the new metadata (remove it first),
    ///   `metadataChanged` if rows with unsent changes can no longer be identified (their key has changed), `conflict`
    ///   while another transfer runs, `unreachable` and others of the service.
    @discardableResult
    public func rebuild(
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> RebuildReport {
        try await transferring("rebuild") {
            do {
                return try await SyncMeter(self).following { meter in
                    meter.enter(.downloading)
                    return try await workLog.recording(.rebuild) { event in
                        try await Rebuild.run(self, event: event, progress: event.noting(meter.noting(progress)))
                    }
                }
            } catch {
                try? folder.removeAbandoned()
                throw ODataError(any: error)
            }
        }
    }
}
