import ByteStreams
import Foundation
import ODataServer
import ODataService
import TestSupport
import Testing

@Suite("Slow and idle clients", .timeLimit(.minutes(5)))
struct SlowClientTests {
    private static let hello = ODataService(store: PhotoStore { _ in ByteContent(Array("hello".utf8)) })

    private func serving<Result>(
        by service: any HTTPResponder = hello, identity: ServerIdentity? = nil, _ limits: ServerLimits,
        _ work: (Int) async throws -> Result
    ) async throws -> Result {
        let server = try await ODataServer.start(service: service, identity: identity, limits: limits)
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        do {
            let result = try await work(port)
            try await server.stop(within: .milliseconds(100))
            return result
        } catch {
            try await server.stop(within: .milliseconds(100))
            throw error
        }
    }

    /// All are none but those that `change` sets.
    private func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        (limits.handshakeTime, limits.headTime, limits.idleTime, limits.byteRate) = (nil, nil, nil, nil)
        change(&limits)
        return limits
    }

    @Test(
        "half a head gets 408 and the connection closed",
        arguments: ["G", "GET / HTTP/1.1\n", "GET / HTTP/1.1\nHost: localhost\nAccept: app", "\n"])
    func halfHead(text: String) async throws {
        let limits = limits { $0.headTime = .milliseconds(40) }
        let response = try await serving(limits) { try await RawConnection.exchange(text, port: $0) }
        #expect(response.hasPrefix("HTTP/1.1 408 "), "\(response)")
        #expect(
            response.contains("Connection: close\n") && response.contains("{\"error\":{\"code\":\"requestTimeout\""))
    }

    @Test("half a second head gets 408 behind the response to the first request")
    func halfSecondHead() async throws {
        let limits = limits {
            $0.headTime = .milliseconds(40)
            $0.idleTime = .milliseconds(80)
        }
        let response = try await serving(limits) {
            try await RawConnection.exchange("GET / HTTP/1.1\nHost: localhost\n\n", port: $0)
        }
        #expect(response.hasPrefix("HTTP/1.1 200 ") && !response.contains("HTTP/1.1 408"), "\(response)")
    }

    @Test("a connection without a request is closed without a word")
    func silence() async throws {
        let limits = limits { $0.idleTime = .milliseconds(40) }
        let response = try await serving(limits) { try await RawConnection.exchange("", port: $0) }
        #expect(response.isEmpty)
    }

    @Test(
        "a connection is closed that does not finish the TLS handshake", arguments: ["", "\u{16}\u{3}\u{1}", "GET /"])
    func handshake(text: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("slow-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try TestCertificate.write(to: folder.path)
        let identity = ServerIdentity(certificateFile: files.certificate, keyFile: files.key)
        let limits = limits { $0.handshakeTime = .milliseconds(40) }
        // What comes is an alert, or nothing.
        let response = try await serving(identity: identity, limits) {
            (try? await RawConnection.exchange(text, port: $0)) ?? ""
        }
        #expect(!response.contains("HTTP"))
    }

    @Test(
        "a body that stops gets 408", arguments: ["PATCH /Photos(1)", "PUT /Photos(1)/$value", "POST /$batch"])
    func stoppedBody(line: String) async throws {
        let limits = limits { $0.idleTime = .milliseconds(40) }
        let response = try await serving(limits) {
            try await RawConnection.exchange(
                "\(line) HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 10\n\n{", port: $0)
        }
        #expect(response.hasPrefix("HTTP/1.1 408 "), "\(response)")
        #expect(response.contains("The request's body arrived too slowly."), "\(response)")
    }

    @Test("a body that trickles gets 408")
    func trickle() async throws {
        let limits = limits {
            $0.byteRate = 1_000_000
            $0.rateTime = .milliseconds(40)
        }
        let response = try await serving(limits) {
            try await RawConnection.trickle(
                "PATCH /Photos(1) HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 1000000\n\n",
                port: $0)
        }
        #expect(response.hasPrefix("HTTP/1.1 408 "), "\(response)")
    }

    @Test("a response that is not taken is cut")
    func untaken() async throws {
        let (ended, ending) = AsyncStream<Void>.makeStream()
        let store = PhotoStore { _ in
            let end = Ending { ending.finish() }
            return ByteContent(
                ByteChunks {
                    withExtendedLifetime(end) {}
                    return Array(repeating: 0, count: 65_536)
                }, length: nil)
        }
        let limits = limits { $0.idleTime = .milliseconds(60) }
        try await serving(by: ODataService(store: store), limits) { port in
            try await RawConnection.leave(after: "GET /Photos(1)/$value HTTP/1.1\nHost: localhost\n\n", port: port) {
                for await _ in ended {}
            }
        }
    }

    @Test("the time that the service takes does not count")
    func slowService() async throws {
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let query: @Sendable () async -> Void = { for await _ in gate {} }
        let store = PhotoStore(query: query) { _ in .empty }
        let limits = limits {
            ($0.headTime, $0.idleTime, $0.rateTime) = (.milliseconds(20), .milliseconds(20), .milliseconds(20))
            $0.byteRate = 1_000_000
        }
        let response = try await serving(by: ODataService(store: store), limits) { port in
            async let slow = RawConnection.exchange(
                "GET /Photos HTTP/1.1\nHost: localhost\nConnection: close\n\n", port: port)
            // The second connection is closed after the limit, so that the first one has been waiting for longer.
            for _ in 1...3 { _ = try await RawConnection.exchange("", port: port) }
            opening.finish()
            return try await slow
        }
        #expect(response.hasPrefix("HTTP/1.1 501 "), "\(response)")
    }

    @Test("more clients than may be connected take the places of those that wait")
    func manyIdle() async throws {
        let limits = limits { ($0.connections, $0.idleTime, $0.settlingTime) = (4, .seconds(60), .milliseconds(50)) }
        try await serving(limits) { port in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await RawConnection.exchange("GET", port: port) } }
                for _ in 0..<20 {
                    let response = try await RawConnection.exchange(
                        "GET / HTTP/1.1\nHost: localhost\nConnection: close\n\n", port: port)
                    #expect(response.hasPrefix("HTTP/1.1 200 "), "\(response)")
                }
                // At least so many were closed for the others.
                for _ in 0..<15 { _ = try? await group.next() }
                group.cancelAll()
            }
        }
    }
}

/// Tells when it is let go.
private final class Ending: Sendable {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) {
        self.tell = tell
    }

    deinit { tell() }
}
