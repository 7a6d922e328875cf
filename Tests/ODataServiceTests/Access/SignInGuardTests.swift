import ByteStreams
import HTTPTypes
import Testing

@testable import ODataService

@Suite("Wrong credentials")
struct SignInGuardTests {
    /// Slow enough that nobody waits for it here.
    private func pace(patience: Duration = .seconds(10)) -> SignInGuard.Pace {
        SignInGuard.Pace(free: 3, first: .seconds(60), longest: .seconds(600), patience: patience)
    }

    private func verdict(
        _ secret: String, _ address: String?, by signIns: SignInGuard
    ) async -> SignInGuard.Verdict {
        await signIns.verdict(on: secret, from: address) { secret == "right" }
    }

    @Test("are slowed down by address, right ones that come from there for the first time too")
    func slowed() async {
        let signIns = SignInGuard(pace())
        #expect(await verdict("right", "10.0.0.1", by: signIns) == .right)
        for _ in 0..<3 { #expect(await verdict("wrong", "10.0.0.1", by: signIns) == .wrong) }
        // The first one has its turn at once, the next one a minute later.
        #expect(await verdict("wrong", "10.0.0.1", by: signIns) == .wrong)
        for secret in ["wrong", "right"] {
            guard case .refused(let seconds) = await verdict(secret, "10.0.0.1", by: signIns) else {
                Issue.record("It was looked at.")
                continue
            }
            #expect((50...60).contains(seconds))
        }
        #expect(await verdict("right", "10.0.0.2", by: signIns) == .right)
        #expect(await verdict("wrong", nil, by: signIns) == .wrong)
    }

    @Test("do not lock out who was in before")
    func known() async {
        let signIns = SignInGuard(pace())
        #expect(await verdict("wrong", "10.0.0.1", by: signIns) == .wrong)
        #expect(await verdict("right", "10.0.0.1", by: signIns) == .right)
        for _ in 0..<3 { #expect(await verdict("wrong", "10.0.0.1", by: signIns) == .wrong) }
        for _ in 0..<9 { #expect(await verdict("right", "10.0.0.1", by: signIns) == .right) }
    }

    @Test("from other addresses of one network of IPv6 count together")
    func network() async {
        let signIns = SignInGuard(pace())
        for host in 1...4 { #expect(await verdict("wrong", "2001:db8:1:2::\(host)", by: signIns) == .wrong) }
        #expect(await verdict("wrong", "2001:db8:1:2::9", by: signIns) != .wrong)
        #expect(await verdict("wrong", "2001:db8:1:3::1", by: signIns) == .wrong)
    }

    @Test("wait for their turn where that is near")
    func turn() async {
        let signIns = SignInGuard(.init(free: 1, first: .milliseconds(20), longest: .milliseconds(20)))
        let start = ContinuousClock.now
        for _ in 0..<4 { #expect(await verdict("wrong", "10.0.0.1", by: signIns) == .wrong) }
        #expect(ContinuousClock.now - start >= .milliseconds(40))
    }

    @Test("get 429 with the time to wait")
    func response() async throws {
        var credentials = ServiceCredentials()
        credentials.add(token: "right")
        let file = try PublishedFile()
        let responder = AuthenticatingResponder(file.service, credentials: credentials, attempts: SignInGuard(pace()))
        func response(_ authorization: String?) async -> HTTPResponse {
            var request = HTTPRequest(method: .get, scheme: "http", authority: "service.test", path: "/Products")
            request.headerFields[.authorization] = authorization
            var context = ResponderContext()
            context.address = "10.0.0.1"
            return await responder.respond(to: request, body: .empty, root: RequestText.root, context: context).head
        }
        for _ in 0..<4 { #expect(await response("Bearer wrong").status == .unauthorized) }
        let refused = await response("Bearer wrong")
        #expect(refused.status == .tooManyRequests && refused.headerFields[.retryAfter] != nil)
        // Who tries nothing out is told what is needed.
        #expect(await response(nil).status == .unauthorized)
    }
}
