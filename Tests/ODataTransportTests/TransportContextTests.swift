import ByteStreams
import HTTPTypes
import ODataTransport
import Testing

@Suite("The context of a request")
struct TransportContextTests {
    /// Sends from a task that inherits nothing, as a middleware with a queue of its own does.
    private struct Detaching: HTTPMiddleware {
        func intercept(_ request: HTTPRequest, body: ByteContent?, next: NextTransport) async throws
            -> TransportResponse
        {
            try await Task.detached { try await next.send(request, body: body) }.value
        }
    }

    /// Sends through a transport of its own, as an app wraps one.
    private struct Wrapping: HTTPTransport {
        let next: any HTTPTransport

        func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws
            -> TransportResponse
        {
            try await Task.detached { try await next.send(request, body: body, context: context) }.value
        }
    }

    private static let chains: [[any HTTPMiddleware]] = [
        [], [Detaching()], [Detaching(), RetryMiddleware(), Detaching()],
        [RedirectMiddleware(), CookieMiddleware(), CSRFProtection(serviceRoot: "http://h/"), Detaching()],
        [
            BearerAuthentication { _ in "t" }, BasicAuthentication(user: "u", password: "p"), HeaderMiddleware([:]),
            Detaching(),
        ],
    ]

    @Test("reaches the transport through all middleware, also from another task", arguments: chains.indices)
    func reachesTheTransport(chain: Int) async throws {
        for (isForeign, recognizes) in [(false, false), (false, true), (true, false), (true, true)] {
            let transport = RecordingTransport([])
            var context = TransportContext()
            context.isForeign = isForeign
            context.recognizesRepeatedRequests = recognizes
            _ = try await Wrapping(next: Wrapping(next: transport).with(Self.chains[chain]))
                .send(.to("http://h/A"), body: nil, context: context)
            #expect(transport.sent.map(\.context) == [context])
        }
    }

    @Test("says what a redirect has learnt to the middleware behind it alone")
    func redirect() async throws {
        let transport = RecordingTransport([
            .status(307, ["Location": "http://g/A"]), .status(307, ["Location": "http://h/B"]), .status(401),
        ])
        let chain = transport.with([
            Detaching(), RedirectMiddleware(), Detaching(), BearerAuthentication { _ in "t" },
        ])
        _ = try await chain.send(.to("http://h/A"), body: nil)
        #expect(transport.sent.map(\.context.isForeign) == [false, true, true])
        #expect(transport.sent.map { $0.field("Authorization") } == ["Bearer t", nil, nil])
    }

    @Test(
        "keeps secrets from another origin wherever the middleware is",
        arguments: [true, false])
    func foreign(isBehindRedirects: Bool) async throws {
        let transport = RecordingTransport([])
        let secrets: [any HTTPMiddleware] = [
            BearerAuthentication { _ in "t" }, HeaderMiddleware([.userAgent: "secret"]), Detaching(),
            BasicAuthentication(user: "u", password: "p"), CookieMiddleware(),
        ]
        let chain = transport.with(
            isBehindRedirects ? [RedirectMiddleware()] + secrets : secrets + [RedirectMiddleware()])
        var context = TransportContext()
        context.isForeign = true
        _ = try await chain.send(.to("http://g/A"), body: nil, context: context)
        #expect(transport.sent.map(\.fields) == [[:]])
    }

    @Test("is that of a request to the service where none is given")
    func none() async throws {
        let transport = RecordingTransport([])
        _ = try await transport.with([Detaching()]).send(.to("http://h/A"), body: nil)
        #expect(transport.sent.map(\.context) == [TransportContext()])
    }
}
