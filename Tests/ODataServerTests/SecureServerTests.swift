import ByteStreams
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import ODataServer
import ODataService
import Testing

@Suite("Server with a certificate", .timeLimit(.minutes(5)))
struct SecureServerTests {
    /// Made for these tests and good for nothing else.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBmzCCAUGgAwIBAgIUcDlzbTpJxzovi5G+LpxwtIqGCogwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA2NTcyOVoYDzIxMjYxMDI4
        MDY1NzI5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAS50VB7cex7yKJ1MBVlNjxXr0xQ0OwH0IaQBXcYnPMxBGxeio90Y49Y
        GrE7PunnY9hTfNb2vyQ84qYXetBfvfP7o28wbTAdBgNVHQ4EFgQUeuFGddoX7cvR
        u4rv7bYbx7Ol7qUwHwYDVR0jBBgwFoAUeuFGddoX7cvRu4rv7bYbx7Ol7qUwDwYD
        VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
        zj0EAwIDSAAwRQIhAKPylHqlM5XeKUNy7iX3ApmaDK9PINrkO3SfFnPo2UI5AiB0
        qrMIlKQfvZ3+pPZAbeONdhcbyKLwPuyufZaV1frwAQ==
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/9ZK79GTv3LH70CQ
        D0iBAWHzbPzSUH86S1lreMt4QdyhRANCAAS50VB7cex7yKJ1MBVlNjxXr0xQ0OwH
        0IaQBXcYnPMxBGxeio90Y49YGrE7PunnY9hTfNb2vyQ84qYXetBfvfP7
        -----END PRIVATE KEY-----
        """

    @Test("speaks TLS to those who trust its certificate, and says so in its address")
    func secure() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("secure-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = (folder.appendingPathComponent("c.pem"), folder.appendingPathComponent("k.pem"))
        try Data(Self.certificate.utf8).write(to: files.0)
        try Data(Self.key.utf8).write(to: files.1)
        let service = ODataService(store: PhotoStore { _ in ByteContent(Array("hello".utf8)) })
        let server = try await ODataServer.start(
            service: service, identity: ServerIdentity(certificateFile: files.0.path, keyFile: files.1.path))
        #expect(server.rootURL.hasPrefix("https://127.0.0.1:"))
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        let answer = try await exchange(port: port)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
        #expect(answer.contains("\"@odata.context\":\"https://localhost:\(port)/$metadata\""), "\(answer)")
        try await server.stop()
    }

    /// `GET /` over TLS, and what came until the server closed.
    private func exchange(port: Int) async throws -> String {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(Self.certificate.utf8)))
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let request = "GET / HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n"
            try await outbound.write(ByteBuffer(string: request))
            var answer = ""
            for try await buffer in inbound { answer += String(buffer: buffer) }
            return answer
        }
    }
}
