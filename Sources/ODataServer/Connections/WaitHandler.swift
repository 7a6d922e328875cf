import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOTLS
import ODataService

/// Ends a connection whose client makes the server wait for longer than ``ServerLimits`` allow.
final class WaitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The request's body arrived too slowly.
    struct SlowBody: Error {}

    /// How long the response to a body that arrived too slowly may take.
    private static let lingering = TimeAmount.seconds(2)

    private let limits: ServerLimits
    private let connections: OpenConnections
    private var connection: Connection?
    private var wait: ConnectionWait
    private var check: RepeatedTask?

    init(_ limits: ServerLimits, isSecure: Bool, connections: OpenConnections) {
        self.limits = limits
        self.connections = connections
        wait = ConnectionWait(isSecure: isSecure, .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let connection = connections.add(context.channel)
        connection.rest()
        self.connection = connection
        let shortest = [limits.handshakeTime, limits.headTime, limits.idleTime].compactMap(\.self).min() ?? .seconds(4)
        let interval = min(max(TimeAmount(shortest / 4), .milliseconds(10)), .seconds(1))
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let (handler, context) = bound.value
            handler.look(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
        if let connection { connections.remove(connection) }
        connection = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted = event { wait.handshakeEnds(.now()) }
        context.fireUserInboundEventTriggered(event)
    }

    func read(context: ChannelHandlerContext) {
        wait.serverReads(.now())
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !wait.isOver else { return }
        let part = unwrapInboundIn(data)
        if case .head = part { connection?.work() }
        wait.take(part, .now())
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        wait.readsComplete(.now())
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        wait.give(part, .now())
        guard case .end = part, wait.isResting, let connection else {
            context.write(data, promise: promise)
            return
        }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            // Another request may have arrived before the client took this response.
            if wait.isResting { connection.rest() }
        }
        context.write(data, promise: written)
    }

    private func look(_ context: ChannelHandlerContext) {
        let pending = try? context.channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)
        wait.serverSends(pending: pending ?? 0, .now())
        switch wait.verdict(limits, .now()) {
        case .goOn:
            if wait.isResting { connections.makeRoom() }
            return
        case .close: context.close(promise: nil)
        case .refuseHead: refuse(context)
        case .failBody:
            context.fireErrorCaught(SlowBody())
            let channel = context.channel
            context.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
        }
        check?.cancel()
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let (refusal, bytes) = ServiceResponse.refusalBytes(
            .requestTimeout, "The line and the headers of the request arrived too slowly.")
        var head = refusal.head
        head.headerFields[.connection] = "close"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: bytes))), promise: nil)
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
}
