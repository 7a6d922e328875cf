import NIOCore
import Synchronization

/// The connections of a server: to close them when it must not wait for them any longer or has too many, and to end the
/// work for a client that has left.
final class OpenConnections: Sendable {
    private struct Work {
        var channel: any Channel
        var cancel: (@Sendable () -> Void)?
        var isLeft = false
    }

    private struct State {
        var count = 0
        /// Those with a request under way.
        var works: [ObjectIdentifier: Work] = [:]
        /// Those without, the longest waiting first.
        var resting: [(channel: any Channel, since: NIODeadline)] = []
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

    // MARK: Requests

    func add(_ channel: any Channel) {
        state.withLock { $0.works[ObjectIdentifier(channel)] = Work(channel: channel) }
    }

    func remove(_ channel: any Channel) {
        _ = state.withLock { $0.works.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Calls `cancel` when the client at the other end of `channel` leaves before ``remove(_:)``, or has left.
    func whenLeft(_ channel: any Channel, cancel: @escaping @Sendable () -> Void) {
        let isLeft = state.withLock { state in
            state.works[ObjectIdentifier(channel)]?.cancel = cancel
            return state.works[ObjectIdentifier(channel)]?.isLeft ?? false
        }
        if isLeft { cancel() }
    }

    /// The client will not send anything any more.
    func leave(_ channel: any Channel) {
        let cancel = state.withLock { state in
            state.works[ObjectIdentifier(channel)]?.isLeft = true
            return state.works[ObjectIdentifier(channel)]?.cancel
        }
        cancel?()
    }

    func closeAll() {
        for channel in state.withLock({ $0.works.values.map(\.channel) }) { channel.close(promise: nil) }
    }

    // MARK: Number

    /// Whether one more may come: that takes the place of one without a request, or else waits for a place.
    var takesMore: Bool { state.withLock { $0.count <= limit } }

    func open() {
        state.withLock { $0.count += 1 }
        makeRoom()
    }

    func close(_ channel: any Channel) {
        state.withLock { state in
            state.count -= 1
            state.resting.removeAll { $0.channel === channel }
        }
    }

    /// No request is under way on the connection.
    func rest(_ channel: any Channel) {
        state.withLock { state in
            state.resting.removeAll { $0.channel === channel }
            state.resting.append((channel, .now()))
        }
    }

    /// A request has come.
    func work(_ channel: any Channel) {
        state.withLock { state in state.resting.removeAll { $0.channel === channel } }
    }

    /// Closes the connection that has waited longest without a request, if there are too many.
    func makeRoom() {
        let channel = state.withLock { state -> (any Channel)? in
            guard state.count > limit, let first = state.resting.first, .now() - first.since >= settling else {
                return nil
            }
            return state.resting.removeFirst().channel
        }
        channel?.close(promise: nil)
    }

    /// Closes it in any case.
    func closeLongestResting() {
        let channel = state.withLock { $0.resting.isEmpty ? nil : $0.resting.removeFirst().channel }
        channel?.close(promise: nil)
    }
}
