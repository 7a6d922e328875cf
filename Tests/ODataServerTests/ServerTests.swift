import ByteStreams
import NIOPosix
import ODataServer
import ODataService
import ODataStores
import Synchronization
import Testing

@Suite("Server", .timeLimit(.minutes(5)))
struct ServerTests {
    /// Runs `work` with the port of a server of `store`.
    @discardableResult
    private func serving<Result>(
        _ store: any ODataStore, allowedHosts: AllowedHosts? = nil, _ work: (Int) async throws -> Result
    ) async throws -> Result {
        let server = try await ODataServer.start(service: ODataService(store: store), allowedHosts: allowedHosts)
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        do {
            let result = try await work(port)
            try await server.stop()
            return result
        } catch {
            try await server.stop()
            throw error
        }
    }

    private func lines(_ response: String, _ names: String...) -> [String] {
        let head = response.split(separator: "\n\n", maxSplits: 1).first?.split(separator: "\n").map(String.init) ?? []
        return head.prefix(1) + head.filter { line in names.contains { line.lowercased().hasPrefix($0 + ":") } }
    }

    private static let hello = PhotoStore { _ in ByteContent(Array("hello".utf8)) }

    @Test("responds at the URL it gives, which names the host that was asked for")
    func rootURL() async throws {
        try await serving(Self.hello) { port in
            let response = try await RawConnection.exchange(
                "GET / HTTP/1.1\nHost: localhost:\(port)\nConnection: close\n\n", port: port)
            #expect(response.hasPrefix("HTTP/1.1 200 OK\n"))
            #expect(response.contains("\"@odata.context\":\"http://localhost:\(port)/$metadata\""))
            #expect(response.contains(" GMT\n"))
        }
    }

    @Test(
        "a query ends when its client has left, in a batch too",
        arguments: [
            "GET /Photos HTTP/1.1\nHost: localhost\n\n",
            "POST /Photos/$query HTTP/1.1\nHost: localhost\nContent-Type: text/plain\nContent-Length: 0\n\n",
            """
            POST /$batch HTTP/1.1
            Host: localhost
            Content-Type: application/json
            Content-Length: 56

            {"requests":[{"id":"1","method":"get","url":"Photos"}]}\u{20}
            """,
        ])
    func departure(request: String) async throws {
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let (ended, ending) = AsyncStream<Void>.makeStream()
        let (never, keeper) = AsyncStream<Void>.makeStream()
        let query: @Sendable () async -> Void = {
            beginning.finish()
            for await _ in never {}
            ending.finish()
        }
        let store = PhotoStore(query: query) { _ in .empty }
        try await serving(store) { port in
            try await RawConnection.leave(after: request, port: port) { for await _ in begun {} }
            for await _ in ended {}
        }
        keeper.finish()
    }

    @Test("what is made for a response while it is sent ends when the client has left")
    func departureWhileSending() async throws {
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let (ended, ending) = AsyncStream<Void>.makeStream()
        let (never, keeper) = AsyncStream<Void>.makeStream()
        let store = PhotoStore { _ in
            let chunks = ByteChunks {
                beginning.finish()
                for await _ in never {}
                ending.finish()
                return nil
            }
            return ByteContent(chunks, length: nil)
        }
        try await serving(store) { port in
            try await RawConnection.leave(after: "GET /Photos(1)/$value HTTP/1.1\nHost: localhost\n\n", port: port) {
                for await _ in begun {}
            }
            for await _ in ended {}
        }
        keeper.finish()
    }

    @Test("stops within its limit though a request does not end")
    func stuck() async throws {
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let stuck = Task { for await _ in ends {} }
        let query: @Sendable () async -> Void = {
            beginning.finish()
            await stuck.value
        }
        let store = PhotoStore(query: query) { _ in .empty }
        let server = try await ODataServer.start(service: ODataService(store: store))
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        async let response = RawConnection.exchange("GET /Photos HTTP/1.1\nHost: localhost\n\n", port: port)
        for await _ in begun {}
        try await server.stop(within: .milliseconds(20))
        end.finish()
        _ = try? await response
    }

    @Test("a method that HTTP parsers do not know is an OData error too", arguments: ["BREW", "G@T"])
    func unknownMethod(method: String) async throws {
        try await serving(Self.hello) { port in
            let response = try await RawConnection.exchange(
                "\(method) / HTTP/1.1\nHost: localhost:\(port)\nConnection: close\n\n", port: port)
            #expect(response.hasPrefix("HTTP/1.1 501 ") || response.hasPrefix("HTTP/1.1 400 "), "\(response)")
            #expect(response.contains("OData-Version: 4.01\n"), "\(response)")
            #expect(response.contains("{\"error\":{\"code\":"), "\(response)")
        }
    }

    @Test("a head that is too long is refused, and the connection closed even if the client never ends sending")
    func longHead() async throws {
        try await serving(Self.hello) { port in
            let response = try await RawConnection.exchange(
                "GET /Photos?$filter=\(String(repeating: "a", count: 2_000_000))", port: port)
            #expect(response.hasPrefix("HTTP/1.1 414 "), "\(response)")
            try await RawConnection.writeUntilClosed("GET /Photos?$filter=", port: port)
        }
    }

    @Test(
        "a URL that is too long is 414, headers that are too long are 431, also behind another request",
        arguments: [
            ("GET /", 90_000, " HTTP/1.1\nHost: a\n\n", 414), ("PUT /Photos(1)?a:", 200_000, " HTTP/1.1\n\n", 414),
            ("GET / HTTP/1.1\nHost: a\nX: ", 90_000, "\n\n", 431),
            ("GET / HTTP/1.1\nHost: a\nX", 200_000, ": a\n\n", 431),
        ],
        [
            "", "GET / HTTP/1.1\nHost: a\n\n",
            "PUT /Photos(1) HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3\n{ }\n0\n\n",
        ])
    func longPart(_ sample: (start: String, count: Int, end: String, status: Int), before: String) async throws {
        try await serving(Self.hello) { port in
            let head = sample.start + String(repeating: "a", count: sample.count) + sample.end
            let response = try await RawConnection.exchange(before + head, port: port)
            let last = response.ranges(of: "HTTP/1.1 ").last.map { response[$0.lowerBound...] } ?? ""
            #expect(last.hasPrefix("HTTP/1.1 \(sample.status) "), "\(response)")
        }
    }

    @Test(
        "a query that is absurd is the client's fault, and the next one succeeds",
        arguments: [
            ("$filter=ID eq '", "x", 10 << 20, ""), ("$filter=", "(", 100_000, ""),
            ("$expand=", "a($expand=", 1_000, "a" + String(repeating: ")", count: 1_000)),
        ])
    func absurdQuery(start: String, part: String, count: Int, end: String) async throws {
        let body = Array((start + String(repeating: part, count: count) + end).utf8)
        try await serving(Self.hello) { port in
            let response = try await RawConnection.exchange(
                """
                POST /Photos/$query HTTP/1.1
                Host: localhost
                Connection: close
                Content-Type: text/plain
                Content-Length: \(body.count)


                """, port: port, body: body)
            #expect(response.hasPrefix("HTTP/1.1 400 Bad Request\n"), "\(response)")
            #expect(response.contains("\"code\":\"limitExceeded\""), "\(response)")
            let next = try await RawConnection.exchange(
                "GET / HTTP/1.1\nHost: localhost\nConnection: close\n\n", port: port)
            #expect(next.hasPrefix("HTTP/1.1 200 OK\n"), "\(next)")
        }
    }

    @Test("a certificate that is none is an error that names it")
    func badIdentity() async {
        let identity = ServerIdentity(certificateFile: "/nowhere.pem", keyFile: "/nowhere.key")
        let error = await #expect(throws: ServerError.self) {
            _ = try await ODataServer.start(service: ODataService(store: Self.hello), identity: identity)
        }
        #expect(error?.message.contains("/nowhere.pem") == true)
    }

    @Test(
        "is called by loopback names only, where it listens at a loopback address",
        arguments: [
            ("localhost", true), ("LOCALHOST:80", true), ("127.0.0.1:1", true), ("127.9.9.9", true), ("[::1]:5", true),
            ("example.com", false), ("127.0.0.1.example.com", false), ("localhost.example.com:80", false),
            ("127.0.0.x", false), ("[::2]", false), ("192.168.0.1", false),
        ])
    func hosts(host: String, isAllowed: Bool) async throws {
        try await serving(Self.hello) { port in
            let response = try await RawConnection.exchange(
                "GET / HTTP/1.1\nHost: \(host)\nConnection: close\n\n", port: port)
            #expect(response.hasPrefix("HTTP/1.1 \(isAllowed ? "200" : "421") "), "\(response)")
            #expect(
                isAllowed || response.contains(#"{"error":{"code":"misdirectedRequest","message":"This server is not "#)
            )
        }
    }

    @Test("is called by the names it was given, too")
    func namedHosts() async throws {
        try await serving(Self.hello, allowedHosts: .named(["Field.example"])) { port in
            for (host, status) in [("field.EXAMPLE:80", "200"), ("localhost", "200"), ("example", "421")] {
                let response = try await RawConnection.exchange(
                    "GET / HTTP/1.1\nHost: \(host)\nConnection: close\n\n", port: port)
                #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(response)")
            }
        }
    }

    @Test(
        "says that a body was cut short",
        arguments: [
            ("POST /Photos", "Content-Length: 100\nContent-Type: image/png\n\nabc", "97 bytes too early"),
            ("PUT /Photos(1)/$value", "Content-Length: 100\nContent-Type: image/png\n\nabc", "97 bytes too early"),
            ("PATCH /Photos(1)", "Content-Length: 9\nContent-Type: application/json\n\n{}", "7 bytes too early"),
            ("POST /$batch", "Content-Length: 9\nContent-Type: application/json\n\n{}", "7 bytes too early"),
            (
                "PATCH /Photos(1)", "Transfer-Encoding: chunked\nContent-Type: application/json\n\n2\n{}\n5\nab",
                "before its last chunk"
            ),
        ])
    func cutBody(line: String, rest: String, message: String) async throws {
        try await serving(PhotoStore { _ in .empty }) { port in
            let response = try await RawConnection.exchange(
                "\(line) HTTP/1.1\nHost: localhost\n\(rest)", port: port, endsSending: true)
            #expect(response.hasPrefix("HTTP/1.1 400 Bad Request\n"), "\(response)")
            #expect(response.contains("\"message\":\"The request's body ended \(message)"), "\(response)")
        }
    }

    @Test("sends a stream with its length, and to HEAD the length alone")
    func head() async throws {
        try await serving(Self.hello) { port in
            let get = try await RawConnection.exchange(
                "GET /Photos(1)/$value HTTP/1.1\nHost: localhost\nConnection: close\n\n", port: port)
            let head = try await RawConnection.exchange(
                "HEAD /Photos(1)/$value HTTP/1.1\nHost: localhost\nConnection: close\n\n", port: port)
            let expected = ["HTTP/1.1 200 OK", "Content-Length: 5"]
            #expect(lines(get, "content-length") == expected)
            #expect(get.hasSuffix("\n\nhello"))
            #expect(lines(head, "content-length") == expected)
            #expect(head.hasSuffix("\n\n"))
        }
    }

    @Test("ends a response to HEAD of unknown length with the connection, and writes no body")
    func headOfUnknownLength() async throws {
        let store = PhotoStore { _ in ByteContent(ByteChunks { nil }, length: nil) }
        try await serving(store) { port in
            let head = try await RawConnection.exchange(
                "HEAD /Photos(1)/$value HTTP/1.1\nHost: localhost\n\n", port: port)
            #expect(lines(head, "connection") == ["HTTP/1.1 200 OK", "Connection: close"])
            #expect(head.hasSuffix("\n\n"))
        }
    }

    @Test("cuts the connection where a stream fails in the middle")
    func failure() async throws {
        let store = PhotoStore { _ in
            let count = Mutex(0)
            let chunks = ByteChunks {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                guard number < 3 else { throw ODataError(.storage, "The disk is gone.") }
                return Array(repeating: UInt8(ascii: "a") + UInt8(number), count: 4)
            }
            return ByteContent(chunks, length: nil)
        }
        try await serving(store) { port in
            let response = try await RawConnection.exchange(
                "GET /Photos(1)/$value HTTP/1.1\nHost: localhost\n\n", port: port)
            #expect(lines(response, "transfer-encoding") == ["HTTP/1.1 200 OK", "transfer-encoding: chunked"])
            #expect(response.hasSuffix("\n\n4\nbbbb\n4\ncccc\n"))
        }
    }

    @Test("makes an endless stream no faster than it is read, and stops when the client goes")
    func backPressure() async throws {
        let (ends, ended) = AsyncStream<Int>.makeStream()
        let store = PhotoStore { _ in
            let production = Production { ended.yield($0) }
            return ByteContent(ByteChunks { production.next() }, length: nil)
        }
        try await serving(store) { port in
            try await RawConnection.begin(
                "GET /Photos(1)/$value HTTP/1.1\nHost: localhost\n\n", port: port, reading: 1 << 20)
            var iterator = ends.makeAsyncIterator()
            let produced = try #require(await iterator.next())
            #expect(produced < 64 << 20)
        }
    }

    @Test("hands an upload on as it arrives")
    func upload() async throws {
        let store = PhotoStore { _ in .empty }
        let body = Array(repeating: UInt8(7), count: 8 << 20)
        try await serving(store) { port in
            let response = try await RawConnection.exchange(
                "PUT /Photos(1)/$value HTTP/1.1\nHost: localhost\nConnection: close\nContent-Type: image/png\n"
                    + "Content-Length: \(body.count)\nExpect: 100-continue\n\n",
                port: port, body: body)
            #expect(response.hasPrefix("HTTP/1.1 100 Continue\n\nHTTP/1.1 204 No Content\n"))
        }
        let sizes = store.chunks.map(\.count)
        #expect(sizes.reduce(0, +) == body.count)
        #expect((sizes.max() ?? 0) < body.count / 4)
    }

    @Test("says that a port is taken")
    func takenPort() async throws {
        try await serving(Self.hello) { port in
            await #expect(throws: ServerError.self) {
                try await ODataServer.start(service: ODataService(store: Self.hello), port: port)
            }
        }
    }

    @Test("refuses a port that is none", arguments: [-1, 65_536, 99_999])
    func impossiblePort(port: Int) async throws {
        let error = await #expect(throws: ServerError.self) {
            try await ODataServer.start(service: ODataService(store: Self.hello), port: port)
        }
        #expect(error?.message.contains("\(port)") == true)
    }

    @Test("closes connections that wait for nothing at once when it stops")
    func idleConnections() async throws {
        let server = try await ODataServer.start(service: ODataService(store: Self.hello))
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        let (responses, finished) = AsyncStream<Void>.makeStream()
        async let whole = RawConnection.exchange("GET /Photos(1)/$value HTTP/1.1\nHost: localhost\n\n", port: port) {
            finished.yield()
        }
        var iterator = responses.makeAsyncIterator()
        _ = await iterator.next()
        // Longer than a test of this suite may take: none that waits for it ends well.
        try await server.stop(within: .seconds(3_600))
        let text = try await whole
        #expect(text.hasSuffix("hello"))
    }

    @Test("lets a request end before it stops, but not for longer than the limit")
    func stop() async throws {
        let (begins, began) = AsyncStream<Void>.makeStream()
        let store = PhotoStore { _ in
            let chunks = ByteChunks {
                began.yield()
                return Array(repeating: 1, count: 1_024)
            }
            return ByteContent(chunks, length: nil)
        }
        let server = try await ODataServer.start(service: ODataService(store: store))
        let port = try #require(Int(server.rootURL.dropLast().split(separator: ":").last ?? ""))
        async let response = RawConnection.exchange("GET /Photos(1)/$value HTTP/1.1\nHost: localhost\n\n", port: port)
        var iterator = begins.makeAsyncIterator()
        _ = await iterator.next()
        try await server.stop(within: .milliseconds(50))
        let text = (try? await response) ?? ""
        #expect(!text.hasSuffix("\n0\n\n"))
        await #expect(throws: NIOConnectionError.self) {
            try await RawConnection.exchange("GET / HTTP/1.1\nHost: localhost\n\n", port: port)
        }
    }
}

/// An endless stream that tells how much of it was made when it is let go.
private final class Production: Sendable {
    private let made = Mutex(0)
    private let tell: @Sendable (Int) -> Void

    init(_ tell: @escaping @Sendable (Int) -> Void) {
        self.tell = tell
    }

    deinit { tell(made.withLock { $0 }) }

    func next() -> [UInt8] {
        made.withLock { $0 += 64 << 10 }
        return Array(repeating: 0, count: 64 << 10)
    }
}
