import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization
import Testing

@Suite struct RetryMiddlewareTests {
    private final class Pauses: Sendable {
        private let record = Mutex<[Duration]>([])
        var all: [Duration] { record.withLock { $0 } }
        func add(_ pause: Duration) { record.withLock { $0.append(pause) } }
    }

    private func send(
        _ request: HTTPRequest, body: ByteContent? = nil, through transport: RecordingTransport, pauses: Pauses,
        random: Double = 1
    ) async throws -> Int {
        let retry = RetryMiddleware(pause: { pauses.add($0) }, random: { random }, now: { 784_111_777 })
        return try await transport.with([retry]).send(request, body: body).response.status.code
    }

    @Test(arguments: [
        (RecordingTransport.Reply.status(503), 200), (.status(429), 200), (.failure(.unreachable), 200),
        (.failure(.timeout), 200), (.failure(.interrupted), 200), (.status(500), 500), (.status(404), 404),
    ])
    func aGetIsRepeatedAfterWhatPasses(reply: RecordingTransport.Reply, expected: Int) async throws {
        let transport = RecordingTransport([reply])
        let status = try await send(.to("http://h/"), through: transport, pauses: Pauses())
        #expect(status == expected)
        #expect(transport.sent.count == (expected == 200 ? 2 : 1))
    }

    @Test(arguments: [(1.0, [0.5, 1, 2]), (0.0, [0.25, 0.5, 1])])
    func theWaitDoublesWithARandomPart(random: Double, expected: [Double]) async throws {
        let transport = RecordingTransport(Array(repeating: .status(503), count: 9))
        let pauses = Pauses()
        let status = try await send(.to("http://h/"), through: transport, pauses: pauses, random: random)
        #expect(status == 503)
        #expect(transport.sent.count == 4)
        #expect(pauses.all == expected.map { .seconds($0) })
    }

    @Test func theLastFailureIsTheCallers() async throws {
        let transport = RecordingTransport(Array(repeating: .failure(.unreachable), count: 9))
        let error = await #expect(throws: TransportError.self) {
            try await send(.to("http://h/"), through: transport, pauses: Pauses())
        }
        #expect(error?.code == .unreachable)
        #expect(transport.sent.count == 4)
    }

    @Test(arguments: [
        ("7", [7.0]), ("0", [0]), ("Sun, 06 Nov 1994 08:49:40 GMT", [3]), ("Sun, 06 Nov 1994 08:49:30 GMT", [0]),
        ("soon", [0.5]),
    ])
    func retryAfterIsHonoured(header: String, expected: [Double]) async throws {
        let transport = RecordingTransport([.status(503, ["Retry-After": header])])
        let pauses = Pauses()
        #expect(try await send(.to("http://h/"), through: transport, pauses: pauses) == 200)
        #expect(pauses.all == expected.map { .seconds($0) })
    }

    @Test func aLongRetryAfterIsLeftToTheCaller() async throws {
        let transport = RecordingTransport([.status(503, ["Retry-After": "3600"])])
        #expect(try await send(.to("http://h/"), through: transport, pauses: Pauses()) == 503)
        #expect(transport.sent.count == 1)
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, false, true, 1), (.post, true, true, 2), (.patch, true, true, 2),
        (.post, true, false, 1), (.delete, false, true, 1),
    ])
    func aChangeIsRepeatedOnlyIfItMay(
        method: HTTPRequest.Method, isMarked: Bool, isReplayable: Bool, count: Int
    ) async throws {
        let transport = RecordingTransport([.failure(.interrupted)])
        let body = isReplayable ? ByteContent([1]) : ByteContent(try DataSource([1]).open(at: 0), length: 1)
        let headers = isMarked ? ["Repeatability-Request-ID": "id"] : [:]
        _ = try? await send(.to("http://h/", method, headers), body: body, through: transport, pauses: Pauses())
        #expect(transport.sent.count == count)
    }

    @Test(arguments: [TransportError.Code.insecure, .invalidURL, .cancelled, .redirect])
    func whatDoesNotPassIsNotRepeated(code: TransportError.Code) async throws {
        let transport = RecordingTransport([.failure(code)])
        let error = await #expect(throws: TransportError.self) {
            try await send(.to("http://h/"), through: transport, pauses: Pauses())
        }
        #expect(error?.code == code)
    }

    @Test func aCancelledWaitEndsTheRequest() async throws {
        let transport = RecordingTransport([.status(503)])
        let retry = RetryMiddleware(pause: { _ in throw CancellationError() })
        let error = await #expect(throws: TransportError.self) {
            try await transport.with([retry]).send(.to("http://h/"), body: nil)
        }
        #expect(error?.code == .cancelled)
        #expect(transport.sent.count == 1)
    }
}
