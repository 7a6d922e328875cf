import ODataStores

extension OfflineStore {
    /// Sends the queue to the service in the order of the changes. The service's responses (keys, ETags, computed
    /// values) are in the store when this returns.
    ///
    /// Independent requests are sent together in one `$batch` (``Configuration/batchSize``); a change set succeeds or
    /// fails as one; streams are sent separately. A request that the service refuses stays in the queue and is added to
    /// the error archive; requests that depend on it are held back, the others are sent. The next upload tries all of
    /// them again. Before a request with a lost response is sent again, the store determines whether it was executed,
    /// unless the service recognises repeated requests. A stream that ``Configuration/networkPolicy`` does not allow
    /// stays in the queue, and what depends on it is held back; so does one that the app pauses or cancels
    /// (``pauseTransfer(_:)``).
    ///
    /// - Parameters:
    ///   - categories: Only requests of these categories are sent, and those of other categories that must have been
    ///     executed before them. Nil: all.
    ///   - progress: Called with the progress.
    /// - Throws: ``ODataError``: `unreachable`, `unauthorized` and `cancelled` with what follows unsent (its cause is
    ///   an ``UploadInterruption`` that has the report), `conflict` while another transfer runs.
    @discardableResult
    public func upload(
        categories: Set<String>? = nil, progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
    ) async throws -> UploadReport {
        try await transferring("upload") {
            try await SyncMeter(self).following { meter in
                try await uploading(categories: categories, meter, progress: progress)
            }
        }
    }
}
