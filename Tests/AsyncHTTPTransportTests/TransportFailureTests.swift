import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import ODataTransport
import Testing

@Suite struct TransportFailureTests {
    private func failure(
        _ configuration: AsyncHTTPTransport.Configuration = .init(), _ script: @escaping RawServer.Script
    ) async throws -> TransportError? {
        try await RawServer.run(script) { url in try await failure(of: url, configuration) }
    }

    private func failure(
        of url: String, _ configuration: AsyncHTTPTransport.Configuration = .init()
    ) async throws -> TransportError? {
        try await withTransport(configuration) { transport in
            await #expect(throws: TransportError.self) { try await transport.text(url) }
        }
    }

    @Test func nobodyListens() async throws {
        let url = try await RawServer.run({ _ in }, { $0 })
        let error = try await failure(of: url)
        #expect(error?.code == .unreachable)
        #expect(error?.isBeforeSending == true)
    }

    @Test func aNameThatDoesNotExist() async throws {
        #expect(try await failure(of: "http://name.invalid/")?.code == .unreachable)
    }

    @Test(arguments: ["", "ftp://h/"])
    func whatIsNoURL(url: String) async throws {
        #expect(try await failure(of: url)?.code == .invalidURL)
    }

    @Test(arguments: ["127.0.0.1:99999", "localhost:107137", "127.0.0.1:0"])
    func aPortThatIsNone(authority: String) async throws {
        let request = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/")
        let error = try await withTransport { transport in
            await #expect(throws: TransportError.self) { try await transport.send(request, body: nil) }
        }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains(authority) == true)
    }

    @Test(arguments: [99_999, 0, -1])
    func aProxyWithAPortThatIsNone(port: Int) async throws {
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.proxy = .init(host: "127.0.0.1", port: port)
        let error = try await failure(of: "http://service.invalid/", configuration)
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("\(port)") == true)
    }

    @Test(arguments: [0, 1, 99])
    func aContentLengthThatLies(sent: Int) async throws {
        let error = try await failure { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
            try await client.send(count: sent)
        }
        #expect(error?.code == .truncated)
        #expect(error?.message.contains("\(sent) of the 100 bytes") == true)
    }

    @Test(arguments: ["", "HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\nContent-Le", "this is not HTTP\r\n\r\n"])
    func anEndBeforeTheHeaderIsComplete(text: String) async throws {
        let error = try await failure { client in
            _ = try await client.requestHead()
            try await client.send(text)
        }
        #expect(error?.code == .interrupted)
        #expect(error?.isBeforeSending == false)
    }

    @Test func aChunkedBodyThatEndsInTheMiddle() async throws {
        let error = try await failure { client in
            _ = try await client.requestHead()
            try await client.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nwo")
        }
        #expect(error?.code == .interrupted)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"])
    func silenceEndsInATimeout(beginning: String) async throws {
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.readTimeout = .milliseconds(50)
        let error = try await failure(configuration) { client in
            _ = try await client.requestHead()
            try await client.send(beginning)
            try await client.stall()
        }
        #expect(error?.code == .timeout)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"])
    func aCancelledTaskEndsItsRequest(beginning: String) async throws {
        let (started, signal) = AsyncStream<Void>.makeStream()
        let error = try await RawServer.run { client in
            _ = try await client.requestHead()
            try await client.send(beginning)
            signal.finish()
            try await client.stall()
        } _: { url in
            try await withTransport { transport in
                let task = Task { try await transport.text(url) }
                for await _ in started {}
                task.cancel()
                return await #expect(throws: TransportError.self) { try await task.value }
            }
        }
        #expect(error?.code == .cancelled)
    }

    @Test func afterShutdownNothingIsSent() async throws {
        let transport = AsyncHTTPTransport()
        try await transport.shutdown()
        try await transport.shutdown()
        let error = await #expect(throws: TransportError.self) { try await transport.text("http://127.0.0.1:1/") }
        #expect(error?.code == .cancelled)
    }

    @Test func shutdownEndsRunningRequests() async throws {
        let (started, signal) = AsyncStream<Void>.makeStream()
        let error = try await RawServer.run { client in
            _ = try await client.requestHead()
            signal.finish()
            try await client.stall()
        } _: { url in
            let transport = AsyncHTTPTransport()
            let task = Task { try await transport.text(url) }
            for await _ in started {}
            try await transport.shutdown()
            return await #expect(throws: TransportError.self) { try await task.value }
        }
        #expect(error?.code == .cancelled || error?.code == .interrupted)
    }
}
