import Synchronization

/// Fetches a value once for all callers that request it at the same time.
///
/// A caller that is cancelled leaves at once, and does not end the fetch, since others may wait for it.
package final class SharedFetch<Value: Sendable>: Sendable {
    private struct State {
        var isRunning = false
        var callers = 0
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// - Throws: What `fetch` throws, and `CancellationError` if the caller is cancelled.
    package func value(_ fetch: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let caller = state.withLock { state in
            state.callers += 1
            return state.callers
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard let isFirst = enter(caller, continuation) else {
                    return continuation.resume(throwing: CancellationError())
                }
                guard isFirst else { return }
                Task {
                    let result: Result<Value, any Error>
                    do { result = .success(try await fetch()) } catch { result = .failure(error) }
                    self.end(result)
                }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: caller) }?.resume(throwing: CancellationError())
        }
    }

    /// - Returns: Whether the fetch is to be begun; nil if the caller is cancelled already.
    private func enter(_ caller: Int, _ continuation: CheckedContinuation<Value, any Error>) -> Bool? {
        state.withLock { state in
            guard !Task.isCancelled else { return nil }
            state.waiting[caller] = continuation
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    private func end(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            defer { (state.isRunning, state.waiting) = (false, [:]) }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
