import Synchronization

/// Fetches a value once for all callers that request it at the same time.
///
/// A caller that is cancelled leaves at once, whatever the fetch does. The fetch continues for the others, and is cancelled
/// when the last of them leaves.
package final class SharedFetch<Value: Sendable>: Sendable {
    private struct State {
        var callers = 0
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        /// The fetch that the callers wait for, with the number of the one that began it.
        var running: (number: Int, task: Task<Void, Never>)?
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
            try await withCheckedThrowingContinuation { enter(caller, $0, fetch) }
        } onCancel: {
            leave(caller)
        }
    }

    private func enter(
        _ caller: Int, _ continuation: CheckedContinuation<Value, any Error>,
        _ fetch: @escaping @Sendable () async throws -> Value
    ) {
        let isWaiting = state.withLock { state in
            guard !Task.isCancelled else { return false }
            state.waiting[caller] = continuation
            if state.running == nil { state.running = (caller, Task { await run(caller, fetch) }) }
            return true
        }
        if !isWaiting { continuation.resume(throwing: CancellationError()) }
    }

    private func leave(_ caller: Int) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: caller)
            guard continuation != nil, state.waiting.isEmpty else { return (continuation, Task<Void, Never>?.none) }
            defer { state.running = nil }
            return (continuation, state.running?.task)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }

    private func run(_ number: Int, _ fetch: @Sendable () async throws -> Value) async {
        let result: Result<Value, any Error>
        do { result = .success(try await fetch()) } catch { result = .failure(error) }
        let waiting = state.withLock { state in
            // All callers of this fetch may have left, and another one have begun.
            guard state.running?.number == number else { return [CheckedContinuation<Value, any Error>]() }
            defer { (state.running, state.waiting) = (nil, [:]) }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
