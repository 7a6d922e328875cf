import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import ODataTransport
import Synchronization

/// The client with its open connections, kept while the transport or a body that is still read needs it.
final class Connections: Sendable {
    private let httpClient: HTTPClient
    /// Why nothing can be sent: a certificate that cannot be read, a proxy that cannot be.
    private let failure: TransportError?
    private let isClosed = Mutex(false)

    init(configuration: AsyncHTTPTransport.Configuration) {
        var client = configuration.client
        do {
            client.tlsConfiguration = try configuration.tls()
            failure = configuration.proxy?.failure
        } catch {
            failure = TransportError(.insecure, "The client certificate cannot be read: \(error)", cause: error)
        }
        httpClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: client)
    }

    deinit {
        if takeClosing() { httpClient.shutdown { _ in } }
    }

    /// - Throws: ``OData/TransportError`` if the certificates or the proxy of the configuration cannot be used.
    func client() throws -> HTTPClient {
        if let failure { throw failure }
        return httpClient
    }

    /// Ends the client, and waits for that no longer than `limit`.
    func close(limit: Duration) async throws {
        guard takeClosing() else { return }
        let (outcomes, reporter) = AsyncStream<(any Error)?>.makeStream(bufferingPolicy: .bufferingOldest(1))
        httpClient.shutdown { reporter.yield($0) }
        let timer = Task {
            try await Task.sleep(for: limit)
            reporter.yield(TransportError(.timeout, "The connections did not close within \(limit)."))
        }
        defer { timer.cancel() }
        for await outcome in outcomes {
            if let outcome { throw outcome as? TransportError ?? TransportError(.interrupted, "\(outcome)") }
            return
        }
    }

    private func takeClosing() -> Bool {
        isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
    }
}

extension AsyncHTTPTransport.Configuration {
    var client: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, proxy: proxy.map { .init($0) }, decompression: .disabled)
        configuration.timeout = .init(
            connect: TimeAmount(connectTimeout), read: TimeAmount(readTimeout), write: TimeAmount(writeTimeout))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, connectionsPerHost)
        configuration.connectionPool.retryConnectionEstablishment = false
        // Its spans would have the URL, which holds values of entities.
        configuration.tracing.tracer = nil
        configuration.httpVersion = usesHTTP2 ? .automatic : .http1Only
        return configuration
    }

    /// Nil for what is usual.
    func tls() throws -> TLSConfiguration? {
        guard trustedCertificates != nil || clientCertificate != nil else { return nil }
        var tls = TLSConfiguration.makeClientConfiguration()
        if let trustedCertificates { tls.trustRoots = .file(trustedCertificates) }
        if let clientCertificate {
            tls.certificateChain = try NIOSSLCertificate.fromPEMFile(clientCertificate.chain).map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: clientCertificate.privateKey, format: .pem))
        }
        return tls
    }
}

extension AsyncHTTPTransport.Proxy {
    /// The client traps on a port above 65535.
    fileprivate var failure: TransportError? {
        guard !(1...65_535).contains(port) else { return nil }
        return TransportError(.unreachable, "The proxy \(host) has the port \(port); ports are 1 to 65535.")
    }
}

extension HTTPClient.Configuration.Proxy {
    fileprivate init(_ proxy: AsyncHTTPTransport.Proxy) {
        let authorization = proxy.user.map {
            HTTPClient.Authorization.basic(username: $0, password: proxy.password ?? "")
        }
        self = .server(host: proxy.host, port: proxy.port, authorization: authorization)
    }
}
