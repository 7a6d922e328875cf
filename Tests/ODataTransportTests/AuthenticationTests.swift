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
        let response = try await chain.send(.to("http://h/", .post), body: ByteContent([1]))
        #expect(response.head.status == .unauthorized)
        #expect(rejected.withLock { $0 } == [nil, "old"])
        #expect(transport.sent.map { $0.field("Authorization") } == ["Bearer old", "Bearer new"])
        #expect(transport.sent.map(\.body) == [[1], [1]])
    }

    @Test func aBodyThatCanBeReadOnceIsSentAfterTheTokenWasTried() async throws {
        let transport = RecordingTransport([.status(401), .status(201)])
        let chain = transport.with([BearerAuthentication { $0 == nil ? "old" : "new" }])
        let body = ByteContent(try DataSource([1]).open(at: 0), length: 1)
        let response = try await chain.send(.to("http://h/A", .put, ["If-Match": "*"]), body: body)
        #expect(response.head.status == .created)
        #expect(transport.sent.map(\.method) == ["HEAD", "PUT"])
        #expect(transport.sent.map { $0.field("Authorization") } == ["Bearer old", "Bearer new"])
        #expect(transport.sent.map { $0.field("If-Match") } == [nil, "*"])
    }

    @Test func aBodyThatCanBeReadOnceIsNotRepeated() async throws {
        let transport = RecordingTransport([.status(200), .status(401)])
        let chain = transport.with([BearerAuthentication { $0 == nil ? "old" : "new" }])
        let body = ByteContent(try DataSource([1]).open(at: 0), length: 1)
        #expect(try await chain.send(.to("http://h/", .post), body: body).head.status == .unauthorized)
        #expect(transport.sent.map(\.method) == ["HEAD", "POST"])
    }

    @Test func oneRefreshServesAllWhoWereRefused() async throws {
        let transport = RecordingTransport(Array(repeating: .status(401), count: 8))
        let refreshes = Mutex(0)
        let (allRefused, signal) = AsyncStream<Void>.makeStream()
        let chain = transport.with([
            BearerAuthentication { rejected in
                guard rejected != nil else { return "old" }
                refreshes.withLock { $0 += 1 }
                for await _ in allRefused {}
                return "new"
            },
            RefusalCounter(8) { signal.finish() },
        ])
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await chain.send(.to("http://h/"), body: nil).head.status.code }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(refreshes.withLock { $0 } == 1)
        #expect(transport.sent.count == 16)
    }

    @Test func theSameTokenIsNotTriedAgain() async throws {
        let transport = RecordingTransport([.status(401)])
        _ = try await transport.with([BearerAuthentication { _ in "same" }]).send(.to("http://h/"), body: nil)
        #expect(transport.sent.count == 1)
    }

    private struct NoToken: Error {}

    @Test(
        arguments: [
            (NoToken(), .credentials), (TransportError(.encoding, "broken"), .credentials),
            (TransportError(.timeout, "late"), .unreachable), (TransportError(.interrupted, "cut"), .unreachable),
            (TransportError(.unreachable, "no route"), .unreachable),
        ] as [(any Error, TransportError.Code)])
    func withoutATokenNothingIsSent(cause: any Error, code: TransportError.Code) async throws {
        let transport = RecordingTransport([])
        let chain = transport.with([BearerAuthentication { _ in throw cause }])
        let error = await #expect(throws: TransportError.self) { try await chain.send(.to("http://h/"), body: nil) }
        #expect(error?.code == code)
        #expect(error?.isBeforeSending == true)
        #expect(error?.cause != nil)
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

/// Calls once so many requests were refused.
private final class RefusalCounter: HTTPMiddleware {
    private let left: Mutex<Int>
    private let call: @Sendable () -> Void

    init(_ count: Int, call: @escaping @Sendable () -> Void) {
        left = Mutex(count)
        self.call = call
    }

    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse {
        let response = try await next.send(request, body: body)
        guard response.head.status == .unauthorized else { return response }
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { call() }
        return response
    }
}
