import Synchronization

/// A caller that waits for the result of work that another task does. If it is cancelled, it returns at once, although the
/// work continues, unless the work has called ``disableCancellation()``.
package final class WaitingCaller<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var isCancelled = false
        var ignoresCancellation = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits until ``end(with:)``.
    ///
    /// - Parameter start: Starts the work; not called if the caller is already cancelled.
    /// - Throws: The error of the result, and `CancellationError` if the caller is cancelled.
    package func value(_ start: () -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = state.withLock { state in
                    if !state.isCancelled { state.continuation = continuation }
                    return !state.isCancelled
                }
                isWaiting ? start() : continuation.resume(throwing: CancellationError())
            }
        } onCancel: {
            cancel()
        }
    }

    /// From now on the caller waits for the result although it is cancelled.
    ///
    /// - Returns: False if it was cancelled before.
    package func disableCancellation() -> Bool {
        state.withLock { state in
            state.ignoresCancellation = true
            return !state.isCancelled
        }
    }

    /// Resumes the caller with the result. Has no effect if the caller was cancelled.
    package func end(with result: Result<Value, any Error>) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }

    private func cancel() {
        let isCancelled = state.withLock { state in
            guard !state.ignoresCancellation else { return false }
            state.isCancelled = true
            return true
        }
        if isCancelled { end(with: .failure(CancellationError())) }
    }
}

extension Task where Failure == any Error {
    /// The value. A caller that is cancelled returns at once with `CancellationError`; the task continues.
    package func valueUnlessCancelled() async throws -> Success {
        let caller = WaitingCaller<Success>()
        return try await caller.value { Task<Void, Never> { caller.end(with: await result) } }
    }
}
