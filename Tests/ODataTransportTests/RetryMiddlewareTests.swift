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
        _ request: HTTPRequest, body: ByteContent? = nil, context: TransportContext = TransportContext(),
        through transport: RecordingTransport, pauses: Pauses, random: Double = 1
    ) async throws -> Int {
        let retry = RetryMiddleware(pause: { pauses.add($0) }, random: { random }, now: { 784_111_777 })
        return try await transport.with([retry]).send(request, body: body, context: context).head.status.code
    }

    /// The table, row by row: read, repeatable, replacement, other change.
    @Test(arguments: [
        (RecordingTransport.Response.failure(.unreachable), "yes yes yes yes"), (.failure(.timeout), "yes yes yes no"),
        (.failure(.interrupted), "yes yes yes no"), (.failure(.truncated), "yes yes yes no"),
        (.status(408), "yes yes yes no"), (.status(425), "yes yes yes yes"), (.status(429), "yes yes yes yes"),
        (.status(503), "yes yes yes no"), (.status(502), "yes yes yes no"), (.status(504), "yes yes yes no"),
        (.status(503, ["Retry-After": "0"]), "yes yes yes yes"), (.status(502, ["Retry-After": "0"]), "yes yes yes no"),
        (.failure(.insecure), "no no no no"), (.failure(.invalidURL), "no no no no"),
        (.failure(.cancelled), "no no no no"), (.failure(.redirect), "no no no no"),
        (.failure(.credentials), "no no no no"), (.status(500), "no no no no"), (.status(501), "no no no no"),
        (.status(400), "no no no no"), (.status(404), "no no no no"), (.status(409), "no no no no"),
        (.status(412), "no no no no"),
    ])
    func theTableHolds(response: RecordingTransport.Response, expected: String) async throws {
        let marked = ["Repeatability-Request-ID": "id"]
        let kinds: [[(HTTPRequest.Method, String, [String: String])]] = [
            [(.get, "/A", [:]), (.head, "/A", [:]), (.options, "/A", [:]), (.post, "/A/$query?x", [:])],
            [(.post, "/A", marked), (.patch, "/A", marked), (.delete, "/A", marked)],
            [(.put, "/A/$value", [:])],
            [
                (.post, "/A", [:]), (.patch, "/A", [:]), (.delete, "/A", [:]), (.put, "/A", ["If-Match": "*"]),
                (.put, "/A", ["If-None-Match": "*"]),
            ],
        ]
        for (requests, isRepeated) in zip(kinds, expected.split(separator: " ")) {
            for (method, path, headers) in requests {
                let transport = RecordingTransport([response])
                let request = HTTPRequest.to("http://h\(path)", method, headers)
                var context = TransportContext()
                context.recognizesRepeatedRequests = true
                _ = try? await send(
                    request, body: ByteContent([1]), context: context, through: transport, pauses: Pauses())
                #expect(transport.sent.count == (isRepeated == "yes" ? 2 : 1), "\(method) \(path) \(headers)")
                #expect(transport.sent.allSatisfy { $0.body == [1] })
            }
        }
    }

    /// Of other services nobody knows whether they carry out a marked change twice.
    @Test func aMarkedChangeIsOneLikeOthersWhereTheServiceHasPromisedNothing() async throws {
        let transport = RecordingTransport([.failure(.timeout)])
        let request = HTTPRequest.to("http://h/A", .post, ["Repeatability-Request-ID": "id"])
        await #expect(throws: TransportError.self) { try await send(request, through: transport, pauses: Pauses()) }
        #expect(transport.sent.count == 1)
    }

    /// A later refusal does not hide that the first attempt may have been carried out.
    @Test(arguments: [
        (RecordingTransport.Response.failure(.timeout), RecordingTransport.Response.status(403), true),
        (.status(504), .status(412), true), (.status(503), .failure(.unreachable), true),
        (.failure(.unreachable), .status(403), false), (.status(429), .status(403), false),
        (.failure(.timeout), .status(409, ["Repeatability-Result": "accepted"]), false),
    ])
    func doubtStays(first: RecordingTransport.Response, second: RecordingTransport.Response, isInDoubt: Bool)
        async throws
    {
        let transport = RecordingTransport([first, second, second, second])
        let chain = transport.with([RetryMiddleware(pause: { _ in })])
        do {
            let response = try await chain.send(.to("http://h/A/$value", .put), body: ByteContent([1]))
            #expect(response.mayHaveActedBefore == isInDoubt)
        } catch let error as TransportError {
            #expect(error.mayHaveActedBefore == isInDoubt)
            #expect(!error.isBeforeSending)
        }
    }

    @Test func anAppHasItsOwnTable() async throws {
        var policy = RetryMiddleware.Policy()
        policy.table.rows[.status(500)] = [.read]
        let transport = RecordingTransport([.status(500)])
        let retry = RetryMiddleware(policy: policy, pause: { _ in })
        #expect(try await transport.with([retry]).send(.to("http://h/"), body: nil).head.status == .ok)
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
        #expect(error?.message.hasSuffix(" It was tried 4 times.") == true)
        #expect(transport.sent.count == 4)
    }

    @Test func whatIsTriedOnceSaysNothingOfIt() async throws {
        var once = RetryMiddleware.Policy()
        once.attempts = 1
        for (policy, method) in [(once, HTTPRequest.Method.get), (.init(), .post)] {
            let transport = RecordingTransport([.failure(.timeout)])
            let error = await #expect(throws: TransportError.self) {
                try await transport.with([RetryMiddleware(policy: policy)]).send(.to("http://h/", method), body: nil)
            }
            #expect(error?.message.contains("tried") == false)
        }
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

    /// A body that can be read once is lost when it was begun, and only then.
    @Test(arguments: [true, false])
    func aBodyThatCanBeReadOnceIsSentAgainIfItWasNotBegun(isBegun: Bool) async throws {
        let transport = RecordingTransport([])
        let chain = transport.with([RetryMiddleware(pause: { _ in }), FailingOnce(readsBody: isBegun)])
        let body = ByteContent(try DataSource([1]).open(at: 0), length: 1)
        _ = try? await chain.send(.to("http://h/", .post), body: body)
        #expect(transport.sent.map(\.body) == (isBegun ? [] : [[1]]))
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

/// Fails the first request before it is sent on.
private final class FailingOnce: HTTPMiddleware {
    private let isFirst = Mutex(true)
    private let readsBody: Bool

    init(readsBody: Bool) {
        self.readsBody = readsBody
    }

    func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws -> TransportResponse {
        let fails = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        guard fails else { return try await next.send(request, body: body) }
        if readsBody { _ = try await body?.collect(upTo: 10) }
        throw TransportError(.unreachable, "as told")
    }
}
