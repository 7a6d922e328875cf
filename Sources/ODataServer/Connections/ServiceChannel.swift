import HummingbirdCore
import Logging
import NIOCore

/// The connections of HTTP/1.1, each with a task on its event loop that lets a service respond to the requests.
struct ServiceChannel: HTTPChannelHandler {
    typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel
    private let connections: OpenConnections
    private let endpoint: Endpoint
    /// Of one connection.
    private(set) var responder: Responder

    /// - Parameter handlers: Those of a new connection, between the parser and the service.
    init(
        _ endpoint: Endpoint, connections: OpenConnections,
        handlers: @escaping @Sendable () -> [any RemovableChannelHandler]
    ) {
        responder = { _, _, _ in }
        base = HTTP1Channel(
            responder: responder, configuration: HTTP1Channel.Configuration(additionalChannelHandlers: handlers()))
        self.connections = connections
        self.endpoint = endpoint
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        let connection = connections.connection(of: channel)
        let address = channel.remoteAddress?.ipAddress
        let authorities = Authorities(endpoint, port: channel.localAddress?.port)
        var own = self
        own.responder = { [endpoint] request, writer, channel in
            let departure = connection.begin()
            defer { connection.end() }
            let exchange = Exchange(
                service: endpoint.service, request: request, authorities: authorities, eventLoop: channel.eventLoop,
                address: address, departure: departure)
            try await exchange.run(writer)
        }
        await withTaskExecutorPreference(LoopExecutor(channel.eventLoop)) { [own] in
            await own.handleHTTP(asyncChannel: value, logger: logger)
        }
    }
}
