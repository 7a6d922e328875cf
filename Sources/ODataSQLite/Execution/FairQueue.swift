import Synchronization

/// A limited number of turns that clients wait for. The client with the fewest turns is served next; of several such
/// clients the one that has waited longest.
package final class FairQueue: Sendable {
    fileprivate struct Waiter {
        let id: Int
        let client: String
        let continuation: CheckedContinuation<Bool, Never>
    }

    fileprivate struct State {
        var free: Int
        var running: [String: Int] = [:]
        var waiting: [Waiter] = []
        var lastID = 0
    }

    private let state: Mutex<State>

    /// - Parameter count: The number of turns at a time.
    package init(count: Int) {
        state = Mutex(State(free: count))
    }

    /// Runs `body` in a turn; callers wait in their order.
    ///
    /// - Throws: What `body` throws, and `CancellationError` if the caller is cancelled while it waits.
    package func taking<Result>(_ body: () async throws -> Result) async throws -> Result {
        _ = try await begin("", until: nil)
        defer { end("") }
        return try await body()
    }

    /// Waits for a turn, which ends with ``end(_:)``.
    ///
    /// A free turn is given after `end`, too: the caller then has a turn and no time, which it can tell from a queue
    /// that is full.
    ///
    /// - Returns: False if no turn was free until `end`; nil waits without a limit.
    /// - Throws: `CancellationError`.
    func begin(_ client: String, until end: ContinuousClock.Instant?) async throws -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        // Ends the wait at `end`. To leave twice, or after the turn was given, has no effect.
        let alarm = end.map { end in
            Task {
                try? await Task.sleep(until: end)
                leave(id)
            }
        }
        defer { alarm?.cancel() }
        let isGiven = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(Waiter(id: id, client: client, continuation: continuation), until: end)
            }
        } onCancel: {
            leave(id)
        }
        if Task.isCancelled {
            if isGiven { self.end(client) }
            throw CancellationError()
        }
        return isGiven
    }

    func end(_ client: String) {
        state.withLock { state in
            state.free += 1
            state.running[client, default: 1] -= 1
            if state.running[client] == 0 { state.running[client] = nil }
        }
        giveTurns()
    }

    private func enter(_ waiter: Waiter, until end: ContinuousClock.Instant?) {
        guard !Task.isCancelled else { return waiter.continuation.resume(returning: false) }
        state.withLock { $0.waiting.append(waiter) }
        giveTurns()
        // A cancellation or a deadline before the line above did not find a waiter to remove.
        if Task.isCancelled || end.map({ .now >= $0 }) ?? false { leave(waiter.id) }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }

    private func giveTurns() {
        let next = state.withLock { state -> [Waiter] in
            var next: [Waiter] = []
            while state.free > 0, let waiter = state.takeNext() { next.append(waiter) }
            return next
        }
        for waiter in next { waiter.continuation.resume(returning: true) }
    }
}

extension FairQueue.State {
    fileprivate mutating func takeNext() -> FairQueue.Waiter? {
        let order = waiting.indices.min { running[waiting[$0].client] ?? 0 < running[waiting[$1].client] ?? 0 }
        guard let order else { return nil }
        let waiter = waiting.remove(at: order)
        running[waiter.client, default: 0] += 1
        free -= 1
        return waiter
    }
}
