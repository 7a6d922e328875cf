import ODataStores

extension OfflineStore {
    /// Sends the queue to the service, one request at a time in the order the changes were made. What the service
    /// answers (keys, ETags, computed values) is in the store when this returns.
    ///
    /// A request that the service refuses stays in the queue and goes to the error archive; requests that depend on
    /// it are held back, the others are sent. The next upload tries all of them again. A request whose answer was
    /// lost is sent again with the same repeatability id.
    ///
    /// - Throws: ``ODataError``: `unreachable`, `unauthorized` and `cancelled` with what follows unsent, `conflict`
    ///   while another transfer runs.
    @discardableResult
    public func upload(
        progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
    ) async throws -> UploadReport {
        try await transferring("upload") {
            let offline = try offlineModel()
            guard let remote else { throw ODataError(.unreachable, "The store was opened without a service.") }
            var run = UploadRun(store: self, offline: offline, remote: remote, progress: progress)
            let report = try await run.run()
            try await collectMedia()
            return report
        }
    }
}
