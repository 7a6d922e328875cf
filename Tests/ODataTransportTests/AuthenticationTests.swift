import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization
import Testing

@Suite struct AuthenticationTests {
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "Basic dGVzdDoxMjPCow=="),
    ])
    func basicSendsUserAndPassword(user: String, password: String, expected: String) async throws {
        let transport = RecordingTransport([])
        _ = try await transport.with([BasicAuthentication(user: user, password: password)])
            .send(.to("http://h/"), body: nil)
        #expect(transport.sent[0].field("Authorization") == expected)
    }

    @Test func bearerAsksForItsTokenWithEachRequest() async throws {
        let transport = RecordingTransport([])
        let count = Mutex(0)
        let chain = transport.with([
            BearerAuthentication { _ in
                count.withLock {
                    $0 += 1
                    return "t\($0)"
                }
            }
        ])
        _ = try await chain.send(.to("http://h/"), body: nil)
        _ = try await chain.send(.to("http://h/"), body: nil)
        #expect(transport.sent.map { $0.field("Authorization") } == ["Bearer t1", "Bearer t2"])
    }

    @Test func aRefusedTokenIsRefreshedOnce() async throws {
        let transport = RecordingTransport([.status(401), .status(401)])
        let rejected = Mutex<[String?]>([])
        let chain = transport.with([
            BearerAuthentication { old in
                rejected.withLock { $0.append(old) }
                return old == nil ? "old" : "new"
            }
        ])
        let reply = try await chain.send(.to("http://h/", .post), body: ByteContent([1]))
        #expect(reply.response.status == .unauthorized)
        #expect(rejected.withLock { $0 } == [nil, "old"])
        #expect(transport.sent.map { $0.field("Authorization") } == ["Bearer old", "Bearer new"])
        #expect(transport.sent.map(\.body) == [[1], [1]])
    }

    @Test func aBodyThatCanBeReadOnceIsNotRepeated() async throws {
        let transport = RecordingTransport([.status(401)])
        let chain = transport.with([BearerAuthentication { $0 == nil ? "old" : "new" }])
        let body = ByteContent(try DataSource([1]).open(at: 0), length: 1)
        #expect(try await chain.send(.to("http://h/", .post), body: body).response.status == .unauthorized)
        #expect(transport.sent.count == 1)
    }

    @Test func theSameTokenIsNotTriedAgain() async throws {
        let transport = RecordingTransport([.status(401)])
        _ = try await transport.with([BearerAuthentication { _ in "same" }]).send(.to("http://h/"), body: nil)
        #expect(transport.sent.count == 1)
    }

    @Test func withoutATokenNothingIsSent() async throws {
        struct NoToken: Error {}
        let transport = RecordingTransport([])
        let chain = transport.with([BearerAuthentication { _ in throw NoToken() }])
        let error = await #expect(throws: TransportError.self) { try await chain.send(.to("http://h/"), body: nil) }
        #expect(error?.code == .credentials)
        #expect(error?.isBeforeSending == true)
        #expect(transport.sent.isEmpty)
    }

    @Test func headersOfTheRequestGoFirst() async throws {
        let transport = RecordingTransport([])
        let chain = transport.with([HeaderMiddleware([.acceptLanguage: "de", .userAgent: "app"])])
        _ = try await chain.send(.to("http://h/", .get, ["Accept-Language": "en"]), body: nil)
        #expect(transport.sent[0].field("Accept-Language") == "en")
        #expect(transport.sent[0].field("User-Agent") == "app")
    }
}
