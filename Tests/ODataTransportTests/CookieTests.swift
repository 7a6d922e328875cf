import HTTPTypes
import Testing

@testable import ODataTransport

@Suite struct CookieTests {
    private static let now: Int64 = 1_700_000_000

    private func header(
        _ cookies: [String], from origin: String, for target: String, later: Int64 = 0
    ) throws -> String? {
        let jar = CookieJar()
        jar.take(cookies, from: try #require(AbsoluteURL(origin)), now: Self.now)
        return jar.header(for: try #require(AbsoluteURL(target)), now: Self.now + later)
    }

    @Test(
        arguments: [
            ("a=b", "http://h/x/y", "http://h/x/z", "a=b"), ("a=b", "http://h/x/y", "http://h/x", "a=b"),
            ("a=b", "http://h/x/y", "http://h/xy", nil), ("a=b", "http://h/x/y", "http://h/", nil),
            ("a=b; Path=/", "http://h/x/y", "http://h/z", "a=b"), ("a=b; path=/x/", "http://h/", "http://h/x/y", "a=b"),
            ("a=b; path=/x/", "http://h/", "http://h/x", nil), ("a=b", "http://h/", "http://g/", nil),
            ("a=b", "http://h.org/", "http://a.h.org/", nil), ("a=b", "http://h:80/", "http://H:81/", "a=b"),
            ("a=b; Domain=h.org", "http://a.h.org/", "http://b.h.org/", "a=b"),
            ("a=b; Domain=.h.org", "http://a.h.org/", "http://h.org/", "a=b"),
            ("a=b; Domain=h.org", "http://a.h.org/", "http://evilh.org/", nil),
            ("a=b; Domain=other.org", "http://h.org/", "http://other.org/", nil),
            ("a=b; Domain=org", "http://h.org/", "http://g.org/", nil),
            ("a=b; Domain=0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", nil),
            ("a=b; Domain=127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", "a=b"),
            ("a=b; Secure", "https://h/", "https://h/", "a=b"), ("a=b; Secure", "https://h/", "http://h/", nil),
            ("a=b; Secure", "http://h/", "https://h/", nil),
            ("a=b; HttpOnly; SameSite=Strict", "http://h/", "http://h/", "a=b"),
            (" a = \"b c\" ; path", "http://h/", "http://h/", "a=\"b c\""), ("a=", "http://h/", "http://h/", "a="),
            ("=b", "http://h/", "http://h/", nil), ("a", "http://h/", "http://h/", nil),
            ("a=\u{1}", "http://h/", "http://h/", nil),
            ("a=b", "http://[::1]:80/", "http://[::1]/", "a=b"),
        ] as [(String, String, String, String?)])
    func whereACookieIsSent(cookie: String, origin: String, target: String, expected: String?) throws {
        #expect(try header([cookie], from: origin, for: target) == expected)
    }

    @Test(arguments: [
        ("Max-Age=10", 9, true), ("Max-Age=10", 10, false), ("Max-Age=0", 0, false), ("Max-Age=-1", 0, false),
        ("Max-Age=9999999999999999999", 100, true), ("Max-Age=x", 100, true),
        ("Expires=Tue, 14 Nov 2023 22:13:30 GMT", 9, true), ("Expires=Tue, 14 Nov 2023 22:13:30 GMT", 10, false),
        ("expires=Tue, 14-Nov-23 22:13:30 GMT", 10, false), ("Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0, false),
        ("Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=10", 9, true), ("Expires=tomorrow", 100, true),
        ("Expires=Tue, 31 Feb 2023 22:13:30 GMT", 100, true), ("Expires=14 november 2023 22:13:30", 10, false),
    ])
    func howLongACookieIsKept(attribute: String, later: Int64, isSent: Bool) throws {
        let header = try header(["a=b; \(attribute)"], from: "http://h/", for: "http://h/", later: later)
        #expect(header == (isSent ? "a=b" : nil))
    }

    @Test func laterCookiesReplaceEarlierOnes() throws {
        let cookies = ["a=1", "b=2", "a=3", "b=2; Max-Age=0", "c=4; Path=/x", "a=5; Path=/x"]
        #expect(try header(cookies, from: "http://h/", for: "http://h/x") == "c=4; a=5; a=3")
    }

    @Test func aCookieTooLongIsNotKept() throws {
        let long = "a=" + String(repeating: "b", count: 4096)
        #expect(try header([long], from: "http://h/", for: "http://h/") == nil)
    }

    @Test func thereIsAnEndToCookies() throws {
        let header = try header((0..<1000).map { "a\($0)=1" }, from: "http://h/", for: "http://h/")
        #expect(header?.split(separator: ";").count == 300)
        #expect(header?.hasPrefix("a700=1") == true)
    }

    @Test func aSessionIsKeptAndNotSentElsewhere() async throws {
        let jar = CookieJar()
        let transport = RecordingTransport([
            .status(302, ["Location": "/b", "Set-Cookie": "s=1; Path=/"]), .status(302, ["Location": "http://g/c"]),
            .status(200, ["Set-Cookie": "g=2"]),
        ])
        let chain = transport.with([RedirectMiddleware(), CookieMiddleware(jar: jar)])
        _ = try await chain.send(.to("http://h/a"), body: nil)
        _ = try await chain.send(.to("http://h/d", .get, ["Cookie": "own=0"]), body: nil)
        jar.removeAll()
        _ = try await chain.send(.to("http://h/e"), body: nil)
        #expect(transport.sent.map { $0.field("Cookie") } == [nil, "s=1", nil, "own=0; s=1", nil])
    }
}
