import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import ODataTransport
import Synchronization

/// The client with its open connections, kept while the transport or a body that is still read needs it.
final class Connections: Sendable {
    let client: HTTPClient
    private let isClosed = Mutex(false)

    init(configuration: HTTPClient.Configuration) {
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        if takeClosing() { client.shutdown { _ in } }
    }

    /// Ends the client, and waits for that no longer than `limit`.
    func close(limit: Duration) async throws {
        guard takeClosing() else { return }
        let (outcomes, reporter) = AsyncStream<(any Error)?>.makeStream(bufferingPolicy: .bufferingOldest(1))
        client.shutdown { reporter.yield($0) }
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
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.timeout = .init(
            connect: TimeAmount(connectTimeout), read: TimeAmount(readTimeout), write: TimeAmount(writeTimeout))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, connectionsPerHost)
        configuration.connectionPool.retryConnectionEstablishment = false
        if let trustedCertificates {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(trustedCertificates)
            configuration.tlsConfiguration = tls
        }
        return configuration
    }
}
