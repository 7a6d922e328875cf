import ByteStreams
import ODataServer
import ODataService
import Synchronization
import Testing

@Suite("Framing of requests", .timeLimit(.minutes(5)))
struct FramingTests {
    private func exchange(_ text: String, allowedHosts: AllowedHosts = .any) async throws -> String {
        let store = PhotoStore { _ in
            let rest = Mutex(ArraySlice<[UInt8]>([Array("hel".utf8), Array("lo".utf8)]))
            return ByteContent(ByteChunks { rest.withLock { $0.popFirst() } }, length: nil)
        }
        let server = try await ODataServer.start(service: ODataService(store: store), allowedHosts: allowedHosts)
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        do {
            let response = try await RawConnection.exchange(text, port: port)
            try await server.stop()
            return response
        } catch {
            try await server.stop()
            throw error
        }
    }

    @Test(
        "one Host header with a host and a port is asked for",
        arguments: [
            ("Host: localhost\n", 200), ("Host: LOCALHOST:8080\n", 200), ("Host: [::1]\n", 200),
            ("Host: [::1]:80\n", 200),
            ("Host: field-1.example.com:\n", 200), ("Host:\n", 400), ("Host:  \n", 400), ("host: localhost  \n", 200),
            ("", 400), ("Host: localhost\nHost: localhost\n", 400), ("Host: a\nhost: b\n", 400), ("Host: a, b\n", 400),
            ("Host: a\"b/c\n", 400), ("Host: a b\n", 400), ("Host: user@localhost\n", 400), ("Host: http://a/\n", 400),
            ("Host: a/b\n", 400), ("Host: a?b\n", 400), ("Host: localhost:80:80\n", 400), ("Host: localhost:x\n", 400),
            ("Host: localhost:99999\n", 400), ("Host: [::1\n", 400), ("Host: [::1]x\n", 400), ("Host: ::1\n", 400),
            ("Host: [x]\n", 400), ("Host: [\n", 400), ("Host: []\n", 400), ("Host: :80\n", 400), ("Host: <b>\n", 400),
            ("Host: a%0d\n", 400), ("Host: ü\n", 400),
        ])
    func host(field: String, status: Int) async throws {
        let response = try await exchange("GET / HTTP/1.1\n\(field)Connection: close\n\n")
        #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(response)")
        if status == 400 { #expect(response.contains("\"error\":{"), "\(response)") }
    }

    @Test("the host of an absolute request target takes the place of Host", arguments: ["localhost", "other:1"])
    func absoluteTarget(host: String) async throws {
        let response = try await exchange(
            "GET http://field.example:8080/ HTTP/1.1\nHost: \(host)\nConnection: close\n\n")
        #expect(response.contains("\"@odata.context\":\"http://field.example:8080/$metadata\""), "\(response)")
        let refused = try await exchange(
            "GET http://field.example/ HTTP/1.1\nHost: localhost\nConnection: close\n\n", allowedHosts: .loopback)
        #expect(refused.hasPrefix("HTTP/1.1 421 "), "\(refused)")
    }

    @Test(
        "HTTP/1.0 gets a response without chunks, and a connection that ends with it",
        arguments: ["", "Host: localhost\n", "Connection: keep-alive\n", "Host: localhost\nConnection: keep-alive\n"])
    func oldVersion(fields: String) async throws {
        let stream = try await exchange("GET /Photos(1)/$value HTTP/1.0\n\(fields)\n")
        #expect(stream.hasPrefix("HTTP/1.0 200 ") && stream.hasSuffix("\n\nhello"), "\(stream)")
        #expect(!stream.lowercased().contains("transfer-encoding"), "\(stream)")
        let document = try await exchange("GET / HTTP/1.0\n\(fields)\n")
        #expect(document.hasPrefix("HTTP/1.0 200 ") && document.lowercased().contains("\nconnection: close\n"))
        let missing = try await exchange("GET /Nothing HTTP/1.0\n\(fields)\n")
        #expect(missing.hasPrefix("HTTP/1.0 404 ") && missing.contains("\"error\":{"), "\(missing)")
    }

    @Test(
        "a host that is empty passes no list of allowed ones; HTTP/1.0 may leave it out",
        arguments: [
            ("GET / HTTP/1.1\nHost:\n", "HTTP/1.1 400 "), ("GET http:///Photos HTTP/1.1\nHost:\n", "HTTP/1.1 400 "),
            ("GET http:///Photos HTTP/1.1\nHost: localhost\n", "HTTP/1.1 400 "),
            ("GET http://localhost/ HTTP/1.1\nHost:\n", "HTTP/1.1 200 "), ("GET / HTTP/1.0\n", "HTTP/1.0 200 "),
            ("GET / HTTP/1.0\nHost:\n", "HTTP/1.0 200 "),
        ])
    func emptyHost(head: String, status: String) async throws {
        let response = try await exchange("\(head)Connection: close\n\n", allowedHosts: .loopback)
        #expect(response.hasPrefix(status), "\(response)")
    }

    @Test(
        "a transfer coding besides chunked is refused, and the connection closed",
        arguments: [
            ("gzip, chunked", 501), ("deflate, gzip, chunked", 501), ("gzip\nTransfer-Encoding: chunked", 501),
            ("identity, chunked", 501), ("chunked", 204), ("Chunked", 204), ("gzip", 400), ("chunked, gzip", 400),
            ("identity", 400), ("xchunked", 400), ("chunked, chunked", 400),
            ("chunked\nTransfer-Encoding: chunked", 400),
            ("GZIP ,\tChunked", 501),
        ])
    func transferCodings(coding: String, status: Int) async throws {
        let response = try await exchange(
            """
            PUT /Photos(1)/$value HTTP/1.1
            Host: a
            Content-Type: image/png
            Transfer-Encoding: \(coding)

            3
            abc
            0

            \(status == 204 ? "GET / HTTP/1.1\nHost: a\nConnection: close\n\n" : "")
            """)
        #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(response)")
        guard status != 204 else { return }
        #expect(
            response.lowercased().contains("\nconnection: close\n") && response.contains("\"error\":{"), "\(response)")
    }

    @Test("OPTIONS * has a response")
    func optionsOfEverything() async throws {
        let response = try await exchange("OPTIONS * HTTP/1.1\nHost: a\nConnection: close\n\n")
        #expect(response.hasPrefix("HTTP/1.1 204 ") && response.contains("\nAllow: "), "\(response)")
    }

    @Test("HTTP/1.0 gets no interim response")
    func noInterim() async throws {
        let response = try await exchange(
            """
            PUT /Photos(1)/$value HTTP/1.0
            Content-Type: image/png
            Expect: 100-continue
            Content-Length: 2

            ab
            """)
        #expect(response.hasPrefix("HTTP/1.0 204 "), "\(response)")
    }

    @Test("HTTP/1.1 keeps its chunks and its connection")
    func newVersion() async throws {
        let response = try await exchange(
            "GET /Photos(1)/$value HTTP/1.1\nHost: a\n\nGET / HTTP/1.1\nHost: a\nConnection: close\n\n")
        #expect(response.contains("\n\n3\nhel\n2\nlo\n0\n\nHTTP/1.1 200 "), "\(response)")
    }
}
