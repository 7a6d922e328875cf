import ODataStores

extension OfflineStore {
    /// The waiting requests in the order in which they will be sent, failed and held ones included.
    public func queueEntries() async throws -> [QueueEntry] {
        try checkOpen()
        return try await database.reading { try RequestQueue(db: $0).all().map(QueueEntry.init) }
    }

    /// The error archive: the refused requests, in the order of the refusals.
    public func errorEntries() async throws -> [ErrorEntry] {
        try checkOpen()
        return try await database.reading { try ErrorArchive.all(in: $0) }
    }
}
