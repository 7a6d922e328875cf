import AsyncHTTPTransport
import Foundation
import NIOSSL
import ODataTransport
import TestSupport
import Testing

@Suite struct SecureTransportTests {
    private static let script: RawServer.Script = { client in
        _ = try await client.requestHead()
        try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }

    private func context() throws -> NIOSSLContext { try NIOSSLContext(configuration: TestCertificate.server()) }

    @Test func aCertificateThatNobodyVouchesForIsRefused() async throws {
        let error = try await RawServer.run(tls: try context(), Self.script) { url in
            try await withTransport { transport in
                await #expect(throws: TransportError.self) { try await transport.text(url) }
            }
        }
        #expect(error?.code == .insecure)
        #expect(error?.isBeforeSending == true)
    }

    @Test func aServerThatDoesNotSpeakTLSIsRefused() async throws {
        let error = try await RawServer.run { client in
            try await client.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        } _: { url in
            try await withTransport { transport in
                let secure = url.replacingOccurrences(of: "http:", with: "https:")
                return await #expect(throws: TransportError.self) { try await transport.text(secure) }
            }
        }
        #expect(error?.code == .insecure)
    }

    @Test func aCertificateCanBeTrusted() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".pem")
        try Data(TestCertificate.certificate.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.trustedCertificates = file.path
        let trusting = configuration
        let text = try await RawServer.run(tls: try context(), Self.script) { url in
            try await withTransport(trusting) { transport in
                try await transport.text(url.replacingOccurrences(of: "127.0.0.1", with: "localhost"))
            }
        }
        #expect(text == "ok")
    }
}
