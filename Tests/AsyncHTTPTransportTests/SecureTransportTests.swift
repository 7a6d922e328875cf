import AsyncHTTPTransport
import Foundation
import NIOSSL
import ODataTransport
import Testing

@Suite struct SecureTransportTests {
    private static let script: RawServer.Script = { client in
        _ = try await client.requestHead()
        try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }

    private func context() throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(TestCertificate.certificate.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(TestCertificate.key.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
    }

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

/// Made for these tests and trusted by nobody.
private enum TestCertificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLoNZXspyTdeGuDH
        f4A4FSLSZHoOP1uyM1M1CLZsameZJNmnLwuYt9HRf0Qs3b7BRlUUSoZBgUj+HYjv
        AQCCGdKjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
        hwR/AAABMB0GA1UdDgQWBBRmiilt9rh6LL9RK+cVkgxKtcg1lDAKBggqhkjOPQQD
        AgNIADBFAiEApVyl3c5II3yYdTUBF3FXSVZ1EOAkHkP6hSt+G+7fHJkCIH0KCXZb
        EPQym4uspSVM0fp+8jOkqSOdY7xAtlLReE6t
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRf3AveABPUTHIUOE
        pt8yYvye76hAZg2U+pNF7QZmzxuhRANCAAS6DWV7Kck3Xhrgx3+AOBUi0mR6Dj9b
        sjNTNQi2bGpnmSTZpy8LmLfR0X9ELN2+wUZVFEqGQYFI/h2I7wEAghnS
        -----END PRIVATE KEY-----
        """
}
