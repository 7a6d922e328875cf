import NIOCore

/// Tells when the client of a connection closes it, or its sending side: with TCP that cannot be told apart.
final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connections: OpenConnections

    init(_ connections: OpenConnections) {
        self.connections = connections
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, case .inputClosed = event { connections.leave(context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.leave(context.channel)
        context.fireChannelInactive()
    }
}
