import ByteStreams
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import ODataServer
import ODataService
import TestSupport
import Testing

@Suite("Server with a certificate", .timeLimit(.minutes(5)))
struct SecureServerTests {
    @Test("speaks TLS to those who trust its certificate, and says so in its address")
    func secure() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("secure-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try TestCertificate.write(to: folder.path)
        let service = ODataService(store: PhotoStore { _ in ByteContent(Array("hello".utf8)) })
        let server = try await ODataServer.start(
            service: service, identity: ServerIdentity(certificateFile: files.certificate, keyFile: files.key))
        #expect(server.rootURL.hasPrefix("https://127.0.0.1:"))
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        let response = try await exchange(port: port)
        #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(response)")
        #expect(response.contains("\"@odata.context\":\"https://localhost:\(port)/$metadata\""), "\(response)")
        try await server.stop()
    }

    /// `GET /` over TLS, and what came until the server closed.
    private func exchange(port: Int) async throws -> String {
        var configuration = TLSConfiguration.makeClientConfiguration()
        let trusted = try NIOSSLCertificate.fromPEMBytes(Array(TestCertificate.certificate.utf8))
        configuration.trustRoots = .certificates(trusted)
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
            var response = ""
            for try await buffer in inbound { response += String(buffer: buffer) }
            return response
        }
    }
}
