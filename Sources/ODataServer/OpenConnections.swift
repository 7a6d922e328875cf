import NIOCore
import Synchronization

/// The connections with a request under way: to close them when a server must not wait for them any longer, and to end
/// the work for a client that has left.
final class OpenConnections: Sendable {
    private struct Connection {
        var channel: any Channel
        var cancel: (@Sendable () -> Void)?
        var isLeft = false
    }

    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    func add(_ channel: any Channel) {
        connections.withLock { $0[ObjectIdentifier(channel)] = Connection(channel: channel) }
    }

    func remove(_ channel: any Channel) {
        _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Calls `cancel` when the client at the other end of `channel` leaves before ``remove(_:)``, or has left.
    func whenLeft(_ channel: any Channel, cancel: @escaping @Sendable () -> Void) {
        let isLeft = connections.withLock { connections in
            connections[ObjectIdentifier(channel)]?.cancel = cancel
            return connections[ObjectIdentifier(channel)]?.isLeft ?? false
        }
        if isLeft { cancel() }
    }

    /// The client will not send anything any more.
    func leave(_ channel: any Channel) {
        let cancel = connections.withLock { connections in
            connections[ObjectIdentifier(channel)]?.isLeft = true
            return connections[ObjectIdentifier(channel)]?.cancel
        }
        cancel?()
    }

    func closeAll() {
        for channel in connections.withLock({ $0.values.map(\.channel) }) { channel.close(promise: nil) }
    }
}
