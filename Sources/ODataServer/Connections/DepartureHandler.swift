import NIOCore

/// Reports when the client closes a connection or its sending side: TCP does not distinguish the two.
final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connections: OpenConnections

    init(_ connections: OpenConnections) {
        self.connections = connections
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, case .inputClosed = event {
            connections.connection(of: context.channel).leave()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.connection(of: context.channel).leave()
        context.fireChannelInactive()
    }
}
