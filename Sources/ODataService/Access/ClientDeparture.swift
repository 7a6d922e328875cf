import Synchronization

/// Ends work that only the client of a request waits for, when the client has left.
package final class ClientDeparture: Sendable {
    private struct State {
        var isOver = false
        var works: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The client has left.
    package func take() {
        let works = state.withLock { state in
            state.isOver = true
            defer { state.works = [:] }
            return state.works.values
        }
        for cancel in works { cancel() }
    }

    /// Does `work`, which is cancelled when the client leaves.
    package func ending<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        let id = register { task.cancel() }
        defer { state.withLock { $0.works[id] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func register(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (id, isOver) = state.withLock { state in
            state.lastID += 1
            if !state.isOver { state.works[state.lastID] = cancel }
            return (state.lastID, state.isOver)
        }
        if isOver { cancel() }
        return id
    }
}
