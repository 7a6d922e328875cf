import Foundation
import HTTPTypes
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import ODataService
import Synchronization

/// An HTTP/1.1 server for an ``ODataService``, or another `HTTPResponder`.
///
/// ```swift
/// let server = try await ODataServer.start(service: ODataService(store: store))
/// print(server.rootURL)  // http://127.0.0.1:41235/
/// try await server.stop()
/// ```
///
/// Bodies are streamed both ways, and read and written no faster than the other side takes them. A read (GET, HEAD,
/// `POST …/$query`) ends when its client closes the connection; a change is carried out all the same.
public final class ODataServer: Sendable {
    /// The URL of the service root, with a trailing slash.
    public let rootURL: String
    /// Ends the server once the requests under way have their responses.
    private let shutDown: @Sendable () async -> Void
    private let running: Task<Void, any Error>
    private let connections: OpenConnections

    private init(
        rootURL: String, shutDown: @escaping @Sendable () async -> Void, running: Task<Void, any Error>,
        connections: OpenConnections
    ) {
        self.rootURL = rootURL
        self.shutDown = shutDown
        self.running = running
        self.connections = connections
    }

    /// Starts a server and returns once it accepts requests.
    ///
    /// - Parameters:
    ///   - service: Responds to the requests.
    ///   - host: The address to listen at. Whatever else than the loopback address opens the service to the network,
    ///     without encryption unless there is an `identity`.
    ///   - port: 0 lets the system choose a free one: see ``rootURL``.
    ///   - allowedHosts: By what names it may be called; others get 421. Where none are given, a server at
    ///     a loopback address is called by loopback names only, and another by any name.
    ///   - identity: The certificate and key with which connections are encrypted; nil for none.
    ///   - limits: How long clients may make the server wait, and how many may be connected.
    ///   - logger: Silent by default.
    /// - Throws: ``ServerError`` if the port is taken or outside 0 to 65535, the address is not of this machine, or the
    ///   certificate or key cannot be used.
    public static func start(
        service: any HTTPResponder, host: String = "127.0.0.1", port: Int = 0, allowedHosts: AllowedHosts? = nil,
        identity: ServerIdentity? = nil, limits: ServerLimits = ServerLimits(),
        logger: Logger = Logger(label: "ODataServer") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> ODataServer {
        guard (0...65_535).contains(port) else {
            throw ServerError("The server cannot listen at port \(port): ports are 0 to 65535.", cause: nil)
        }
        let connections = OpenConnections(limits)
        let endpoint = Endpoint(
            service: service, host: host, port: port, scheme: identity == nil ? "http" : "https",
            allowedHosts: allowedHosts ?? .suitable(forListeningAt: host))
        let channel = ServiceChannel(endpoint, connections: connections) {
            let handlers: [any RemovableChannelHandler] = [
                FramingInstaller(), WaitHandler(limits, isSecure: identity != nil, connections: connections),
                UnreadableRequestHandler(), DepartureHandler(connections),
            ]
            guard let responder = service as? any ImmediateResponder else { return handlers }
            return handlers + [ImmediateResponseHandler(responder, at: endpoint)]
        }
        guard let identity else { return try await start(channel, at: endpoint, connections, logger) }
        return try await start(
            TLSChannel(channel, tlsConfiguration: identity.configuration()), at: endpoint, connections, logger)
    }

    private static func start<Channel: ServerChildChannel>(
        _ channel: Channel, at endpoint: Endpoint, _ connections: OpenConnections, _ logger: Logger
    ) async throws -> ODataServer {
        let (host, port) = (endpoint.host, endpoint.port)
        let (ports, listening) = AsyncThrowingStream<Int, any Error>.makeStream()
        let server = Server(
            childChannelSetup: channel, configuration: ServerConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in
                let adding = channel.eventLoop.submit {
                    let accepting = AcceptHandler(connections, logger: logger)
                    try channel.pipeline.syncOperations.addHandler(accepting, position: .first)
                }
                // A server that has been closed meanwhile takes no handler, and needs none.
                try? await adding.get()
                listening.yield(channel.localAddress?.port ?? port)
                listening.finish()
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
        let running = Task {
            do {
                try await server.run()
            } catch {
                listening.finish(throwing: error)
                throw error
            }
        }
        do {
            for try await port in ports {
                return ODataServer(
                    rootURL: "\(endpoint.scheme)://\(endpoint.authority(port: port))/",
                    shutDown: { try? await server.shutdownGracefully() }, running: running, connections: connections)
            }
        } catch {
            throw ServerError("The server cannot listen at \(host):\(port): \(reason(error))", cause: error)
        }
        throw ServerError("The server ended before it listened at \(host):\(port).", cause: nil)
    }

    private static func reason(_ error: any Error) -> String {
        guard let code = (error as? IOError)?.errnoCode else { return "\(error)" }
        if code == EADDRINUSE { return "another process does. Choose another port, or 0 for one that is free." }
        return String(cString: strerror(code))
    }

    /// Takes no more connections and lets requests that are under way end, for at most `limit`; then ends them, and waits
    /// no longer than a second for those that cannot be ended.
    public func stop(within limit: Duration = .seconds(5)) async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        Task { [shutDown, running] in
            await shutDown()
            _ = await running.result
            end.finish()
        }
        let alarm = Task { [connections, running] in
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            connections.closeAll()
            running.cancel()
            try? await Task.sleep(for: .seconds(1))
            end.finish()
        }
        for await _ in ends {}
        alarm.cancel()
    }
}

/// Why a server did not start.
public struct ServerError: Error, Sendable, CustomStringConvertible {
    /// A sentence for the user: what cannot be used, and what the system or the TLS library says of it.
    public var message: String
    /// The error of the system or the TLS library; nil where there was none.
    public var cause: (any Error)?

    init(_ message: String, cause: (any Error)?) {
        self.message = message
        self.cause = cause
    }

    public var description: String { message }
}
