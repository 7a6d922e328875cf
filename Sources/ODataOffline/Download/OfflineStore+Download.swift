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
            try await SyncMeter(self).following { meter in
                try await downloading(names, meter, progress: progress)
            }
        }
    }
}
