import NIOCore
import Synchronization

/// The connections of a server: to close them when it must not wait for them any longer or has too many.
final class OpenConnections: Sendable {
    private struct State {
        var count = 0
        var connections: [ObjectIdentifier: Connection] = [:]
    }

    /// How many there may be.
    private let limit: Int
    /// How long one without a request is left alone: its first request may be on the way.
    private let settling: TimeAmount
    private let state = Mutex(State())

    init(_ limits: ServerLimits) {
        limit = AcceptHandler.limit(limits)
        settling = TimeAmount(limits.settlingTime)
    }

    /// The connection of a channel that is being set up.
    func add(_ channel: any Channel) -> Connection {
        let connection = Connection(channel)
        state.withLock { $0.connections[ObjectIdentifier(channel)] = connection }
        return connection
    }

    func remove(_ connection: Connection) {
        _ = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection.channel)) }
    }

    /// The connection of a channel; a new one that is not kept if the channel has been closed already.
    func connection(of channel: any Channel) -> Connection {
        state.withLock { $0.connections[ObjectIdentifier(channel)] } ?? Connection(channel)
    }

    /// Closes those with a request under way.
    func closeAll() {
        for connection in state.withLock({ Array($0.connections.values) }) where connection.isWorking {
            connection.channel.close(promise: nil)
        }
    }

    // MARK: Number

    /// Whether one more may come: that takes the place of one without a request, or else waits for a place.
    var takesMore: Bool { state.withLock { $0.count <= limit } }

    func open() {
        state.withLock { $0.count += 1 }
        makeRoom()
    }

    func close() { state.withLock { $0.count -= 1 } }

    /// Closes the connection that has waited longest without a request, if there are too many.
    func makeRoom() {
        let longest = state.withLock { $0.count > limit ? Self.longestResting($0) : nil }
        guard let (connection, since) = longest, .now() - since >= settling else { return }
        close(connection)
    }

    /// Closes it in any case.
    func closeLongestResting() {
        if let (connection, _) = state.withLock({ Self.longestResting($0) }) { close(connection) }
    }

    private func close(_ connection: Connection) {
        // It is not chosen again while it is being closed.
        connection.work()
        connection.channel.close(promise: nil)
    }

    private static func longestResting(_ state: State) -> (connection: Connection, since: NIODeadline)? {
        state.connections.values.lazy.compactMap { connection in connection.restingSince.map { (connection, $0) } }
            .min { $0.1 < $1.1 }
    }
}
