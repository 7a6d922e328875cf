import ODataStores
import Synchronization

/// The uploads of streams that are on their way, by request, so that one that has become needless can be ended.
final class RunningTransfers: Sendable {
    private let tasks = Mutex<[Int64: Task<ChangeResult, any Error>]>([:])

    private var isEmpty: Bool { tasks.withLock { $0.isEmpty } }

    /// Does `body`, which can be ended from when it begins, and is when `stop` ends.
    func run(
        _ request: Int64, until stop: AsyncStream<Void>, _ body: @escaping @Sendable () async throws -> ChangeResult
    ) async throws -> ChangeResult {
        let task = tasks.withLock { tasks in
            let task = Task { try await body() }
            tasks[request] = task
            return task
        }
        let watch = Task {
            for await _ in stop {}
            task.cancel()
        }
        defer {
            watch.cancel()
            tasks.withLock { $0[request] = nil }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func end(_ requests: Set<Int64>) {
        tasks.withLock { tasks in
            for request in requests { tasks[request]?.cancel() }
        }
    }

    /// Ends the uploads of streams that a change has made needless: what is deleted need not be sent to its end.
    func endNeedless(in database: StoreDatabase) async {
        guard !isEmpty else { return }
        end((try? await database.reading { try RequestQueue(db: $0).needless() }) ?? [])
    }
}
