import Foundation
import GRDB
import ODataStores

extension OfflineStore {
    /// The state of the synchronization, then each change of it; changes that are faster than the iterator are combined,
    /// and the last state is always returned. Uploads and downloads that the app starts itself are in it too. Ends when
    /// the store is closed.
    ///
    ///     for await state in store.syncStates { print(state.progress?.description ?? "\(state.queueLength) waiting") }
    public var syncStates: AsyncStream<SyncState> {
        let states = syncBoard.states()
        watchQueue()
        return states
    }

    /// Counts the queue from now on.
    func watchQueue() {
        guard syncBoard.beginWatching() else { return }
        let signals = queueWatch.signals()
        Task { [weak self] in
            await self?.countQueue()
            for await _ in signals { await self?.countQueue() }
        }
    }

    /// The state of the synchronization now.
    ///
    /// - Throws: ``ODataError`` `cancelled` if the store is closed.
    public var syncState: SyncState {
        get async throws {
            try checkOpen()
            try await readQueue()
            return syncBoard.state
        }
    }

    private func countQueue() async {
        // A store that is being closed ends its states.
        try? await readQueue()
    }

    private func readQueue() async throws {
        let (summary, success) = try await database.reading { db in
            (try QueueSummary(db: db), try StoreValues(db: db).text(Self.lastSync))
        }
        observation.note(summary)
        syncBoard.count(summary) { $0.lastSuccess = success.flatMap(StoreTime.date) }
    }

    /// The name of the value in the store's table.
    static let lastSync = "synchronized"
}
