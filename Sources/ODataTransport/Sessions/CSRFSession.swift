import ByteStreams
import Synchronization

/// What is known of a service's CSRF tokens.
final class CSRFSession: Sendable {
    private struct State {
        var isWanted: Bool
        var token: String?
        /// The service was asked and gave no token.
        var goesWithout = false
    }

    /// What asking for a token gave.
    enum Fetched: Sendable {
        case token(String)
        /// The service requires credentials first.
        case unauthorized(TransportResponse)
        case none
    }

    private let state: Mutex<State>
    let fetch = SharedFetch<Fetched>()

    init(isWanted: Bool) {
        state = Mutex(State(isWanted: isWanted))
    }

    var token: String? { state.withLock { $0.token } }

    /// Whether a token is required and none is known.
    var isMissing: Bool { state.withLock { $0.isWanted && $0.token == nil && !$0.goesWithout } }

    /// Whether a change with `body` waits for a new token.
    func needsToken(for body: ByteContent?) -> Bool {
        state.withLock { state in
            guard !state.goesWithout else { return false }
            if let body, !body.isReplayable { return true }
            return state.isWanted && state.token == nil
        }
    }

    /// Whether a change that was refused with `token` without a reason may have required another one.
    func mayWant(another token: String?) -> Bool { token != nil || state.withLock { !$0.goesWithout } }

    func take(_ token: String) {
        state.withLock { state in
            state.token = token
            state.goesWithout = false
        }
    }

    /// The service refused a change with `token`.
    func refuse(_ token: String?) {
        state.withLock { state in
            state.isWanted = true
            state.goesWithout = false
            if state.token == token { state.token = nil }
        }
    }

    func goWithout() { state.withLock { $0.goesWithout = true } }
}
