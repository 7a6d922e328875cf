import ByteStreams
import HTTPTypes
import ODataTransport
import Testing

@Suite struct RedirectMiddlewareTests {
    private func send(
        _ request: HTTPRequest, body: ByteContent? = nil, through transport: RecordingTransport, limit: Int = 5
    ) async throws -> TransportResponse {
        try await transport.with([RedirectMiddleware(limit: limit)]).send(request, body: body)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aGetFollows(status: Int) async throws {
        let transport = RecordingTransport([.status(status, ["Location": "../v2/Products?$top=1"])])
        let response = try await send(.to("http://h/v1/Products"), through: transport)
        #expect(response.head.status == .ok)
        #expect(transport.sent.map(\.url) == ["http://h/v1/Products", "http://h/v2/Products?$top=1"])
    }

    @Test(arguments: [307, 308])
    func aPostKeepsItsMethodAndBody(status: Int) async throws {
        let transport = RecordingTransport([.status(status, ["Location": "/other"])])
        _ = try await send(.to("http://h/a", .post), body: ByteContent([1, 2]), through: transport)
        #expect(transport.sent.map(\.method) == ["POST", "POST"])
        #expect(transport.sent.map(\.body) == [[1, 2], [1, 2]])
    }

    @Test(arguments: [301, 302, 303])
    func aPostIsNotTurnedIntoAGet(status: Int) async throws {
        let transport = RecordingTransport([.status(status, ["Location": "/other"])])
        let response = try await send(.to("http://h/a", .post), body: ByteContent([1]), through: transport)
        #expect(response.head.status.code == status)
        #expect(transport.sent.count == 1)
    }

    /// Each row of the table: what is sent to where a redirect leads; nil if the redirect is for the caller.
    @Test(
        arguments: [
            (HTTPRequest.Method.get, "/A", 301, "GET"), (.head, "/A", 302, "HEAD"), (.get, "/A", 303, "GET"),
            (.head, "/A", 307, "HEAD"), (.get, "/A", 308, "GET"), (.post, "/A/$query", 301, "POST 1"),
            (.post, "/A/$query?x=1", 302, "POST 1"), (.post, "/A/$query", 303, "GET"),
            (.post, "/A/$query", 307, "POST 1"),
            (.post, "/A/$query", 308, "POST 1"), (.post, "/A", 301, nil), (.put, "/A", 302, nil),
            (.post, "/A", 303, nil),
            (.patch, "/A", 303, nil), (.delete, "/A", 303, nil), (.put, "/A", 307, "PUT 1"),
            (.patch, "/A", 308, "PATCH 1"),
            (.post, "/A", 307, "POST 1"), (.delete, "/A", 308, "DELETE"), (.get, "/A", 300, nil),
            (.get, "/A", 305, nil),
        ] as [(HTTPRequest.Method, String, Int, String?)])
    func theTableHolds(method: HTTPRequest.Method, path: String, status: Int, expected: String?) async throws {
        let transport = RecordingTransport([.status(status, ["Location": "/other"])])
        let body = [.get, .head, .delete].contains(method) ? nil : ByteContent([1])
        let headers = body == nil ? [:] : ["Content-Type": "text/plain"]
        let response = try await send(.to("http://h\(path)", method, headers), body: body, through: transport)
        guard let expected else {
            #expect(response.head.status.code == status)
            #expect(transport.sent.count == 1)
            return
        }
        let sent = try #require(transport.sent.last)
        #expect(sent.method + (sent.body.map { " " + $0.map(String.init).joined() } ?? "") == expected)
        #expect((sent.field("Content-Type") != nil) == (sent.body != nil))
        #expect(sent.url == "http://h/other")
    }

    @Test func aBodyThatCanBeReadOnceIsNotSentTwice() async throws {
        let transport = RecordingTransport([.status(307, ["Location": "/other"])])
        let body = ByteContent(try DataSource([1]).open(at: 0), length: 1)
        let error = await #expect(throws: TransportError.self) {
            try await send(.to("http://h/a", .put), body: body, through: transport)
        }
        #expect(error?.code == .redirect)
    }

    @Test func secretsDoNotGoToAnotherHost() async throws {
        let transport = RecordingTransport([
            .status(302, ["Location": "http://evil/"]), .status(302, ["Location": "http://h/b"]),
        ])
        let headers = ["Authorization": "Basic x", "Cookie": "y", "X-API-Key": "z", "Accept": "application/json"]
        _ = try await send(.to("http://h/a", .get, headers), through: transport)
        #expect(transport.sent[0].field("Authorization") == "Basic x")
        for sent in transport.sent[1...] {
            #expect(sent.fields.map(\.name.rawName) == ["Accept"])
        }
    }

    @Test func authenticationBehindTheRedirectAddsNothingForAnotherHost() async throws {
        let transport = RecordingTransport([.status(302, ["Location": "http://h:81/"])])
        let chain = transport.with([
            RedirectMiddleware(), BasicAuthentication(user: "u", password: "p"), BearerAuthentication { _ in "token" },
            HeaderMiddleware([.init("X-API-Key")!: "z"]),
        ])
        _ = try await chain.send(.to("http://h/a"), body: nil)
        #expect(transport.sent[0].field("Authorization") == "Bearer token")
        #expect(transport.sent[0].field("X-API-Key") == "z")
        #expect(transport.sent[1].fields.isEmpty)
    }

    @Test func headersStayOnTheSameHost() async throws {
        let transport = RecordingTransport([.status(302, ["Location": "http://H:80/b"])])
        _ = try await send(.to("http://h/a", .get, ["Authorization": "Basic x"]), through: transport)
        #expect(transport.sent.map { $0.field("Authorization") } == ["Basic x", "Basic x"])
    }

    @Test(arguments: ["http://h/plain", "ftp://h/", "http://", "https://127.0.0.1:99999/x", "//h:107137/x"])
    func aRedirectToWhereItMustNotLeadIsAnError(location: String) async throws {
        let transport = RecordingTransport([.status(302, ["Location": location])])
        let error = await #expect(throws: TransportError.self) {
            try await send(.to("https://h/a"), through: transport)
        }
        #expect(error?.code == .redirect)
        #expect(transport.sent.count == 1)
    }

    @Test func aCircleEnds() async throws {
        let transport = RecordingTransport(Array(repeating: .status(302, ["Location": "/a"]), count: 10))
        let error = await #expect(throws: TransportError.self) {
            try await send(.to("http://h/a"), through: transport, limit: 3)
        }
        #expect(error?.code == .redirect)
        #expect(transport.sent.count == 4)
    }

    @Test func notModifiedIsNoRedirect() async throws {
        let transport = RecordingTransport([.status(304, ["Location": "/b"])])
        #expect(try await send(.to("http://h/a"), through: transport).head.status.code == 304)
    }
}
