import Synchronization

/// The life of a device's process: it may end at any moment. What its folder holds then is what the next one finds;
/// what the process does afterwards reaches neither that folder nor the service.
final class KillSwitch: Sendable {
    enum Moment: Hashable, Sendable {
        /// When the store asks for the time or random bits for the …th time, often within a transaction.
        case call(Int)
        /// Before the …th request is sent.
        case request(Int)
        /// After the service has acted upon the …th request.
        case response(Int)
        /// After so many bytes of the bodies of responses.
        case responseBytes(Int)
        /// When the store has done what it was asked for, and has said so.
        case end
    }

    private struct State {
        var moment: Moment?
        var isOver = false
        var calls = 0
        var requests = 0
        var bytes = 0
        var problem: String?
    }

    private let snapshot: FolderSnapshot
    private let state = Mutex(State())

    init(snapshot: FolderSnapshot) {
        self.snapshot = snapshot
    }

    var isOver: Bool { state.withLock { $0.isOver } }
    /// Why the folder could not be copied.
    var problem: String? { state.withLock { $0.problem } }

    /// Ends the life at `moment`, counted from now on; nil: not at all.
    func arm(_ moment: Moment?) {
        state.withLock { $0 = State(moment: moment, isOver: $0.isOver, problem: $0.problem) }
    }

    func call() {
        state.withLock { state in
            state.calls += 1
            if state.moment == .call(state.calls) { end(&state) }
        }
    }

    /// - Returns: The number of the request; nil if nothing can be sent any more.
    func request() -> Int? {
        state.withLock { state in
            state.requests += 1
            if state.moment == .request(state.requests) { end(&state) }
            return state.isOver ? nil : state.requests
        }
    }

    /// - Returns: Whether the response can be read.
    func mayRead(responseTo request: Int) -> Bool {
        state.withLock { state in
            if state.moment == .response(request) { end(&state) }
            return !state.isOver
        }
    }

    /// - Returns: How many of `count` bytes can be read.
    func responseBytes(_ count: Int) -> Int {
        state.withLock { state in
            guard !state.isOver else { return 0 }
            state.bytes += count
            guard case .responseBytes(let limit)? = state.moment, limit < state.bytes else { return count }
            end(&state)
            return 0
        }
    }

    /// What the store was asked for is done.
    func finish() {
        state.withLock { state in if state.moment == .end { end(&state) } }
    }

    private func end(_ state: inout State) {
        guard !state.isOver else { return }
        state.isOver = true
        do { try snapshot.take() } catch { state.problem = "The folder cannot be copied: \(error)" }
    }
}
