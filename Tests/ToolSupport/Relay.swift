import NIOCore
import NIOPosix
import Synchronization

/// A port of this machine that passes bytes on to a service in another process, and strikes at a moment of that.
package final class Relay: Sendable {
    package enum Direction: Sendable { case request, response }

    /// How much has gone through.
    package struct Traffic: Hashable, Sendable {
        package var requestBytes = 0
        package var responseBytes = 0
        /// Requests and responses that have begun.
        package var turns = 0
    }

    package enum Moment: Hashable, Sendable {
        /// After so many bytes to the service, heads of messages included.
        case requestBytes(Int)
        case responseBytes(Int)
        /// Before the first byte of a request or of a response, counted together from 0: at a response the service has
        /// acted.
        case turn(Int)
    }

    private struct State {
        /// Nil while there is no service: who comes is turned away.
        var port: Int?
        var clients: [ObjectIdentifier: any Channel] = [:]
        var traffic = Traffic()
        var moment: Moment?
        var lag: Int?
        var action: (@Sendable () async -> Void)?
        var strike: Task<Void, Never>?
    }

    private struct Cut: Error {}

    private let state = Mutex(State())
    private let channel: any Channel
    package let port: Int

    /// One for many tests, so that stores that were made with it can be copied.
    package static let shared = Task { try await Relay.start() }

    package static func start() async throws -> Relay {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { channel in channel.eventLoop.makeSucceededFuture(channel) }
        let relay = Relay(server.channel)
        Task { try? await relay.serve(server) }
        return relay
    }

    private init(_ channel: any Channel) {
        self.channel = channel
        port = channel.localAddress?.port ?? 0
    }

    package func stop() async throws { try await channel.close() }

    /// The service root of who comes through here.
    package var root: String { "http://127.0.0.1:\(port)/" }

    /// Where new connections go from now on.
    package func lead(to port: Int?) { state.withLock { $0.port = port } }

    /// Cuts all connections, and turns away who comes.
    package func hangUp() {
        lead(to: nil)
        cutAll()
    }

    /// Cuts all connections; new ones can be made.
    package func cutAll() {
        for client in state.withLock({ Array($0.clients.values) }) { client.close(promise: nil) }
    }

    package var traffic: Traffic { state.withLock { $0.traffic } }

    /// Counts anew, and does `action` at the moment, once.
    ///
    /// - Parameter lag: Everything goes on until the task that does it has given way so often. Nil: nothing more passes on
    ///   the connection, which is cut behind it.
    package func arm(_ moment: Moment?, lag: Int? = nil, _ action: @escaping @Sendable () async -> Void = {}) {
        state.withLock { state in
            state.traffic = Traffic()
            (state.moment, state.lag, state.action) = (moment, lag, action)
        }
    }

    /// Strikes no more, and waits for the end of what has begun; false if the moment has not come.
    package func disarm() async -> Bool {
        let strike = state.withLock { state in
            // What acts may hold folders of the test.
            (state.moment, state.action) = (nil, nil)
            return state.strike.take()
        }
        await strike?.value
        return strike != nil
    }
}

extension Relay {
    private func serve(_ server: NIOAsyncChannel<any Channel, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask { try? await self.pass(connection) }
                }
            }
        }
    }

    private func pass(_ client: any Channel) async throws {
        guard let port = state.withLock({ $0.port }) else { return client.close(promise: nil) }
        let service: NIOAsyncChannel<ByteBuffer, Never>
        do {
            service = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, Never>(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            client.close(promise: nil)
            throw error
        }
        try await service.executeThenClose { fromService in
            // Nothing is read before it is wrapped; who wraps it must see it through to its end.
            let wrapped = try await client.eventLoop.submit {
                try NIOAsyncChannel<ByteBuffer, Never>(wrappingChannelSynchronously: client)
            }.get()
            try await wrapped.executeThenClose { fromClient in
                try await client.setOption(.autoRead, value: true).get()
                state.withLock { $0.clients[ObjectIdentifier(client)] = client }
                defer { state.withLock { _ = $0.clients.removeValue(forKey: ObjectIdentifier(client)) } }
                await exchange(fromClient, client, fromService, service.channel)
            }
        }
    }

    /// Until one side has closed the connection, or it is cut.
    private func exchange(
        _ fromClient: NIOAsyncChannelInboundStream<ByteBuffer>, _ client: any Channel,
        _ fromService: NIOAsyncChannelInboundStream<ByteBuffer>, _ service: any Channel
    ) async {
        let speaker = Speaker()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await self.pump(fromClient, .request, speaker, to: service) }
            group.addTask { try? await self.pump(fromService, .response, speaker, to: client) }
            await group.next()
            for channel in [client, service] { channel.close(promise: nil) }
            group.cancelAll()
        }
    }

    private func pump(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ direction: Direction, _ speaker: Speaker,
        to target: any Channel
    ) async throws {
        for try await buffer in inbound {
            let isTurn = speaker.changes(to: direction)
            if let count = allowance(direction, buffer.readableBytes, isTurn: isTurn) {
                guard isLate else {
                    if count > 0, let first = buffer.getSlice(at: buffer.readerIndex, length: count) {
                        try await target.writeAndFlush(first).get()
                    }
                    await begin().value
                    throw Cut()
                }
                _ = begin()
            }
            try await target.writeAndFlush(buffer).get()
        }
    }

    /// How many of `count` bytes may pass before the moment; nil if it does not come among them.
    private func allowance(_ direction: Direction, _ count: Int, isTurn: Bool) -> Int? {
        state.withLock { state in
            let before = state.traffic
            if isTurn { state.traffic.turns += 1 }
            switch direction {
            case .request: state.traffic.requestBytes += count
            case .response: state.traffic.responseBytes += count
            }
            let allowed: Int? =
                switch (state.moment, direction) {
                case (.turn(let number), _): isTurn && before.turns == number ? 0 : nil
                case (.requestBytes(let limit), .request): limit - before.requestBytes
                case (.responseBytes(let limit), .response): limit - before.responseBytes
                default: nil
                }
            guard let allowed, allowed < count else { return nil }
            state.moment = nil
            return max(0, allowed)
        }
    }

    /// Whether everything goes on until it is struck.
    private var isLate: Bool { state.withLock { $0.lag != nil } }

    private func begin() -> Task<Void, Never> {
        state.withLock { state in
            let (lag, action) = (state.lag, state.action)
            let strike = Task {
                for _ in 0..<(lag ?? 0) { await Task.yield() }
                await action?()
            }
            state.strike = strike
            return strike
        }
    }
}

/// Who has sent something on a connection last.
private final class Speaker: Sendable {
    private let last = Mutex<Relay.Direction?>(nil)

    func changes(to direction: Relay.Direction) -> Bool {
        last.withLock { last in
            defer { last = direction }
            return last != direction
        }
    }
}
