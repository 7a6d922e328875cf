import ODataStores

extension OfflineStore {
    /// Brings defining queries up to date: all of a query the first time, afterwards the changes where the service
    /// gives delta links, else the query is read again and what is gone is removed. Then fetches media streams that
    /// are missing or have changed.
    ///
    /// Readers see the old state of a query until its new one is complete. A download that was cut, by an error,
    /// cancellation or the end of the process, is taken up where it stopped by the next one. What the service has added
    /// to its metadata is taken up first. Entities that were made here and sent go at the end where no query brings
    /// their set.
    ///
    /// - Parameters:
    ///   - names: The defining queries; all if nil.
    ///   - progress: Called before every request for a page, when its answer begins, after every page and piece of a
    ///     stream; not for long.
    /// - Returns: What has come. Streams that failed are in it and do not make the download fail.
    /// - Throws: ``ODataError``: `metadataChanged` if what is here does not fit the new metadata, `unreachable`,
    ///   `cancelled`, `conflict` while another transfer runs, `notFound` for an unknown name, the service's error of the
    ///   first query that failed, after the others have been tried; where several failed its message tells of all.
    @discardableResult
    public func download(
        _ names: [String]? = nil, progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> DownloadReport {
        try await transferring("download") {
            do {
                return try await workLog.recording(.download) { event in
                    try await DownloadRun(store: self, event: event, progress: event.noting(progress)).run(names)
                }
            } catch is CancellationError {
                throw ODataError(.cancelled, "The download was cancelled; the next one goes on where it stopped.")
            } catch {
                throw ODataError(any: error)
            }
        }
    }
}
