import Synchronization

/// A caller that waits for the result of work which other code does. When it is cancelled, it leaves at once, whatever the
/// work does, unless the work has asked it to stay.
package final class WaitingCaller<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var hasLeft = false
        var stays = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits until ``end(with:)``.
    ///
    /// - Parameter start: Has the work begin; not called for a caller that is cancelled already.
    /// - Throws: The error of the result, and `CancellationError` if the caller is cancelled.
    package func value(_ start: () -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = state.withLock { state in
                    if !state.hasLeft { state.continuation = continuation }
                    return !state.hasLeft
                }
                isWaiting ? start() : continuation.resume(throwing: CancellationError())
            }
        } onCancel: {
            leave()
        }
    }

    /// Has the caller stay to the end, though it is cancelled.
    ///
    /// - Returns: False if it has left.
    package func stay() -> Bool {
        state.withLock { state in
            state.stays = true
            return !state.hasLeft
        }
    }

    /// Gives the caller the result; one that has left passes it over.
    package func end(with result: Result<Value, any Error>) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }

    private func leave() {
        let hasLeft = state.withLock { state in
            guard !state.stays else { return false }
            state.hasLeft = true
            return true
        }
        if hasLeft { end(with: .failure(CancellationError())) }
    }
}

extension Task where Failure == any Error {
    /// The value. A caller that is cancelled returns at once with `CancellationError`; the task continues.
    package func valueUnlessCancelled() async throws -> Success {
        let caller = WaitingCaller<Success>()
        return try await caller.value { Task<Void, Never> { caller.end(with: await result) } }
    }
}
