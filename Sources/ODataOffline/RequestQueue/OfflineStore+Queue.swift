import ODataStores

extension OfflineStore {
    /// The requests that wait to be sent, in the order in which they will be; failed and held ones are among them.
    public func queueEntries() async throws -> [QueueEntry] {
        try checkOpen()
        return try await database.reading { try RequestQueue(db: $0).all().map(QueueEntry.init) }
    }

    /// The error archive: what the service refused, in the order it did.
    public func errorEntries() async throws -> [ErrorEntry] {
        try checkOpen()
        return try await database.reading { try ErrorArchive.all(in: $0) }
    }
}
