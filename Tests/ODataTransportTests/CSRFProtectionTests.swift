import ByteStreams
import HTTPTypes
import ODataTransport
import Testing

@Suite struct CSRFProtectionTests {
    private static let required = RecordingTransport.Response.status(403, ["X-CSRF-Token": "Required"])

    private static func token(_ token: String) -> RecordingTransport.Response { .status(200, ["X-CSRF-Token": token]) }

    private func chain(_ transport: RecordingTransport, _ mode: CSRFProtection.Mode = .automatic) -> any HTTPTransport {
        transport.with([CSRFProtection(serviceRoot: "http://h/root/", mode: mode)])
    }

    private func once() throws -> ByteContent { ByteContent(try DataSource([1]).open(at: 0), length: 1) }

    @Test func aServiceThatAsksForNothingGetsNothing() async throws {
        let transport = RecordingTransport([])
        let chain = chain(transport)
        _ = try await chain.send(.to("http://h/root/A"), body: nil)
        _ = try await chain.send(.to("http://h/root/A", .post), body: ByteContent([1]))
        #expect(transport.sent.map { $0.field("X-CSRF-Token") } == [nil, nil])
    }

    @Test func aRefusedChangeIsSentOnceMoreWithAToken() async throws {
        let transport = RecordingTransport([Self.required, Self.token("t1")])
        let chain = chain(transport)
        let headers = ["Authorization": "Basic x", "If-Match": "\"1\"", "Content-Type": "application/json"]
        let response = try await chain.send(.to("http://h/root/A", .post, headers), body: ByteContent([1]))
        #expect(response.head.status == .ok)
        _ = try await chain.send(.to("http://h/root/A", .delete), body: nil)
        #expect(transport.sent.map(\.method) == ["POST", "HEAD", "POST", "DELETE"])
        #expect(transport.sent.map { $0.field("X-CSRF-Token") } == [nil, "Fetch", "t1", "t1"])
        #expect(transport.sent[1].url == "http://h/root/")
        #expect(transport.sent[1].field("Authorization") == "Basic x")
        #expect(transport.sent[1].field("If-Match") == nil && transport.sent[1].field("Content-Type") == nil)
        #expect(transport.sent[2].body == [1])
    }

    @Test func aTokenThatRanOutIsFetchedAnew() async throws {
        let transport = RecordingTransport([
            Self.token("t1"), .status(201), Self.required, Self.token("t2"), .status(201),
        ])
        let chain = chain(transport, .always)
        for _ in 0..<2 {
            let response = try await chain.send(.to("http://h/root/A", .post), body: ByteContent([1]))
            #expect(response.head.status == .created)
        }
        #expect(transport.sent.map { $0.field("X-CSRF-Token") } == ["Fetch", "t1", "t1", "Fetch", "t2"])
    }

    /// A service says 403 and nothing else: a new token is tried once, and only a new one.
    @Test(arguments: [
        ("t2", 201, ["Fetch", "t1", "t1", "Fetch", "t2"]), ("t2", 403, ["Fetch", "t1", "t1", "Fetch", "t2"]),
        ("t1", 403, ["Fetch", "t1", "t1", "Fetch"]),
    ])
    func aTokenThatRanOutWithoutAWord(next: String, status: Int, sent: [String]) async throws {
        for headers in [[:], ["X-CSRF-Token": "invalid"]] {
            let second: [RecordingTransport.Response] = next == "t1" ? [] : [.status(status)]
            let transport = RecordingTransport(
                [Self.token("t1"), .status(201), .status(403, headers), Self.token(next)] + second)
            let chain = chain(transport, .always)
            _ = try await chain.send(.to("http://h/root/A", .post), body: ByteContent([1]))
            let response = try await chain.send(.to("http://h/root/A", .post), body: ByteContent([2]))
            #expect(response.head.status.code == status)
            #expect(transport.sent.map { $0.field("X-CSRF-Token") } == sent)
            // What is sent later has a token.
            _ = try await chain.send(.to("http://h/root/A", .post), body: nil)
            #expect(transport.sent.last?.field("X-CSRF-Token") == next)
        }
    }

    /// A service may refuse a change without a token with 403 and not say why: it is asked for one, and is not asked
    /// again if it gives none.
    @Test(arguments: [HTTPRequest.Method.post, .patch, .put, .delete, HTTPRequest.Method("MERGE")!])
    func aRefusalWithoutAWord(method: HTTPRequest.Method) async throws {
        for headers in [[:], ["X-CSRF-Token": "invalid"], ["Content-Type": "text/plain"]] {
            for status in [204, 403] {
                let transport = RecordingTransport([.status(403, headers), Self.token("t1"), .status(status)])
                let chain = chain(transport)
                let response = try await chain.send(.to("http://h/root/A", method), body: ByteContent([1]))
                #expect(response.head.status.code == status)
                _ = try await chain.send(.to("http://h/root/A", method), body: ByteContent([1]))
                #expect(transport.sent.map { $0.field("X-CSRF-Token") } == [nil, "Fetch", "t1", "t1"])
                #expect(transport.sent[2].body == [1])
            }
        }
    }

    @Test(arguments: [200, 403, 404, 405, 500])
    func aServiceThatGivesNoTokenIsAskedOnceAfterARefusal(status: Int) async throws {
        let transport = RecordingTransport([
            .status(403), .status(status), .status(status), .status(403), .status(200), Self.required, Self.token("t1"),
            .status(201),
        ])
        let chain = chain(transport)
        for code in [403, 403] {
            let response = try await chain.send(.to("http://h/root/A", .post), body: ByteContent([1]))
            #expect(response.head.status.code == code)
        }
        _ = try await chain.send(.to("http://h/root/A"), body: nil)
        // It says later that it wants one.
        let response = try await chain.send(.to("http://h/root/A", .post), body: ByteContent([1]))
        #expect(response.head.status == .created)
        #expect(
            transport.sent.map { $0.field("X-CSRF-Token") } == [nil, "Fetch", "Fetch", nil, nil, nil, "Fetch", "t1"])
    }

    @Test func aRefusalWhoseTokenCannotBeFetchedIsNone() async throws {
        let first = RecordingTransport([
            .status(403), .failure(.unreachable), .status(403), Self.token("t1"), .status(201),
        ])
        let chain = chain(first)
        for status in [403, 201] {
            let response = try await chain.send(.to("http://h/root/A", .post), body: ByteContent([1]))
            #expect(response.head.status.code == status)
        }
        let other = RecordingTransport([Self.token("t1"), .status(403), .failure(.unreachable)])
        let refused = try await self.chain(other, .always).send(.to("http://h/root/A", .post), body: ByteContent([1]))
        #expect(refused.head.status == .forbidden)
    }

    @Test func aReadThatIsForbiddenAsksForNothing() async throws {
        let transport = RecordingTransport([.status(403)])
        let response = try await chain(transport).send(.to("http://h/root/A"), body: nil)
        #expect(response.head.status == .forbidden && transport.sent.count == 1)
    }

    @Test func onlyOnce() async throws {
        let transport = RecordingTransport([Self.required, Self.token("t1"), Self.required, Self.token("t2")])
        let response = try await chain(transport).send(.to("http://h/root/A", .post), body: nil)
        #expect(response.head.status == .forbidden)
        #expect(transport.sent.count == 3)
    }

    @Test func aReadBringsTheTokenAlong() async throws {
        let transport = RecordingTransport([Self.token("t1")])
        let chain = chain(transport, .always)
        _ = try await chain.send(.to("http://h/root/$metadata"), body: nil)
        _ = try await chain.send(.to("http://h/root/A", .post), body: nil)
        #expect(transport.sent.map { $0.field("X-CSRF-Token") } == ["Fetch", "t1"])
    }

    @Test func aServiceWithoutHeadIsAskedWithGet() async throws {
        let transport = RecordingTransport([Self.required, .status(405), Self.token("t1")])
        _ = try await chain(transport).send(.to("http://h/root/A", .post), body: nil)
        #expect(transport.sent.map(\.method) == ["POST", "HEAD", "GET", "POST"])
    }

    @Test func aServiceWithoutTokensIsAskedOnce() async throws {
        let transport = RecordingTransport([])
        let chain = chain(transport, .always)
        for _ in 0..<2 { _ = try await chain.send(.to("http://h/root/A", .post), body: nil) }
        #expect(transport.sent.map(\.method) == ["HEAD", "GET", "POST", "POST"])
    }

    @Test func aBodyThatCanBeReadOnceIsSentWithAFreshToken() async throws {
        let transport = RecordingTransport([Self.token("t1"), .status(201), Self.token("t2"), .status(201)])
        let chain = chain(transport)
        for _ in 0..<2 {
            let response = try await chain.send(.to("http://h/root/A", .post), body: try once())
            #expect(response.head.status == .created)
        }
        #expect(transport.sent.map { $0.field("X-CSRF-Token") } == ["Fetch", "t1", "Fetch", "t2"])
    }

    @Test func aBodyThatCanBeReadOnceAndWasRefusedIsAnError() async throws {
        let transport = RecordingTransport([Self.token("t1"), Self.required])
        let error = await #expect(throws: TransportError.self) {
            try await chain(transport).send(.to("http://h/root/A", .post), body: try once())
        }
        #expect(error?.code == .credentials)
        #expect(error?.isBeforeSending == true)
    }

    @Test func whoAsksIsToldFirst() async throws {
        let transport = RecordingTransport([.status(401), Self.token("t1"), .status(201)])
        let chain = transport.with([
            BearerAuthentication { $0 == nil ? "old" : "new" }, CSRFProtection(serviceRoot: "http://h/", mode: .always),
        ])
        let response = try await chain.send(.to("http://h/A", .post), body: ByteContent([1]))
        #expect(response.head.status == .created)
        #expect(transport.sent.map(\.method) == ["HEAD", "HEAD", "POST"])
        #expect(transport.sent[2].field("Authorization") == "Bearer new")
    }

    @Test func tokensDoNotGoToAnotherOrigin() async throws {
        let transport = RecordingTransport([Self.token("t1")])
        let chain = chain(transport, .always)
        _ = try await chain.send(.to("http://h/root/"), body: nil)
        var context = TransportContext()
        context.isForeign = true
        _ = try await chain.send(.to("http://g/A", .post), body: nil, context: context)
        #expect(transport.sent.map { $0.field("X-CSRF-Token") } == ["Fetch", nil])
    }
}
