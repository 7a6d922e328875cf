import HTTPTypes
import Testing

@testable import ODataService

@Suite("Asynchronous requests")
struct AsynchronousTests {
    /// The URL of the status monitor that `request` is answered with.
    private func monitor(_ request: String, _ file: PublishedFile, user: String? = nil) async throws -> String {
        var text = file.text
        text.context.user = user
        let answer = await text.response(request)
        #expect(answer.response.status == .accepted)
        #expect(answer.response.headerFields[.retryAfter] != nil)
        let location = try #require(answer.response.headerFields[.location])
        return String(location.dropFirst(RequestText.root.count))
    }

    /// Asks the status monitor when it has the answer.
    private func finished(
        _ url: String, _ file: PublishedFile, headers: String = "", showing names: [String], user: String? = nil
    ) async throws -> String {
        await file.service.monitors.wait(for: String(url.dropFirst("$async/".count)), atMost: .seconds(60))
        return try await file.answer("GET \(url)\n\(headers)", showing: names, user: user)
    }

    @Test("the answer comes from a status monitor, with AsyncResult, or as a message")
    func reading() async throws {
        let file = try PublishedFile()
        let url = try await monitor("GET Products(1)/Name\nPrefer: respond-async", file)
        let plain = try await finished(url, file, showing: ["AsyncResult", "Content-Type"])
        #expect(plain.hasPrefix("200\nAsyncResult: 200\nContent-Type: application/json"), "\(plain)")
        #expect(plain.hasSuffix(#""value":"Tea"}"#))
        for header in ["Accept: application/http", "OData-MaxVersion: 4.0"] {
            let message = try await finished(
                url, file, headers: header, showing: ["AsyncResult", "Content-Type"])
            #expect(message.hasPrefix("200\nAsyncResult: -\nContent-Type: application/http\n\nHTTP/1.1 200 OK\r\n"))
            #expect(message.hasSuffix(#""value":"Tea"}"#))
        }
        #expect(try await file.answer("DELETE \(url)") == "204")
        #expect(try await file.answer("GET \(url)").hasPrefix("404"))
        #expect(try await file.answer("POST \(url)").hasPrefix("405"))
    }

    @Test("errors and batches are answered so too")
    func others() async throws {
        let file = try PublishedFile()
        let missing = try await monitor("GET Products(99)\nPrefer: respond-async", file)
        #expect(try await finished(missing, file, showing: ["AsyncResult"]).hasPrefix("200\nAsyncResult: 404"))
        let batch = try await monitor(
            "POST $batch\nPrefer: respond-async\nContent-Type: application/json\n\n"
                + #"{"requests":[{"id":"1","method":"get","url":"Products(1)/Name"}]}"#, file)
        let answer = try await finished(batch, file, showing: ["AsyncResult"])
        #expect(answer.contains(#""status":200"#), "\(answer)")
    }

    @Test("a client that waits gets the answer itself")
    func waiting() async throws {
        let answer = try await PublishedFile().answer("GET Products(1)/Name\nPrefer: respond-async, wait=60")
        #expect(answer.hasPrefix("200"), "\(answer)")
    }

    @Test("answers are kept for a while, and not more than the limit")
    func limits() async {
        let clock = TestClock()
        let monitors = StatusMonitors(now: clock.now)
        let answer = StatusMonitors.Response(response: HTTPResponse(status: .ok), body: [])
        let client = StatusMonitors.Client(name: "10.0.0.1")
        func start(for client: StatusMonitors.Client, all: Int = 1, own: Int = 1) -> String? {
            let limits = StatusMonitors.Limits(all: all, perClient: own)
            return monitors.start(for: client, limits: limits, lifetime: .seconds(10)) { answer }
        }
        let first = start(for: client)
        #expect(start(for: client, own: 9) == nil)
        #expect(start(for: client, all: 9) == nil)
        let other = start(for: StatusMonitors.Client(name: "10.0.0.2"), all: 9)
        #expect(other != nil)
        for name in [first, other] { await monitors.wait(for: name ?? "", atMost: .seconds(60)) }
        clock.advance(by: .seconds(11))
        #expect(monitors.state(of: first ?? "", for: client) == nil)
        #expect(start(for: client) != nil)
    }

    @Test("an answer belongs to the user who asked for it")
    func owner() async throws {
        let file = try PublishedFile()
        let url = try await monitor("GET Products(1)/Name\nPrefer: respond-async", file, user: "basic ada")
        for user in ["basic bob", nil] {
            for method in ["GET", "DELETE"] {
                #expect(try await file.answer("\(method) \(url)", user: user).hasPrefix("404"))
            }
        }
        let answer = try await finished(url, file, showing: ["AsyncResult"], user: "basic ada")
        #expect(answer.hasPrefix("200\nAsyncResult: 200"))
    }
}
