import NIOCore
import ODataService
import Synchronization

/// A connection: the request under way on it, or since when there is none.
final class Connection: Sendable {
    private struct State {
        var departure: ClientDeparture?
        var restingSince: NIODeadline?
    }

    let channel: any Channel
    private let state = Mutex(State())

    init(_ channel: any Channel) { self.channel = channel }

    /// A request is under way from now on.
    ///
    /// - Returns: Ends its work when the client at the other end leaves before ``end()``.
    func begin() -> ClientDeparture {
        let departure = ClientDeparture()
        state.withLock { $0.departure = departure }
        return departure
    }

    /// The response has been sent.
    func end() { state.withLock { $0.departure = nil } }

    /// The client will not send anything any more.
    func leave() { state.withLock { $0.departure }?.take() }

    var isWorking: Bool { state.withLock { $0.departure != nil } }

    /// No request is under way, not even one that is still arriving.
    func rest() { state.withLock { $0.restingSince = .now() } }

    /// A request has arrived.
    func work() { state.withLock { $0.restingSince = nil } }

    /// Since when no request is under way; nil while one is.
    var restingSince: NIODeadline? { state.withLock { $0.restingSince } }
}
