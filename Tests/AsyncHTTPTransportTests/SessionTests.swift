import AsyncHTTPTransport
import ByteStreams
import HTTPTypes
import ODataTransport
import Synchronization
import Testing

/// Sessions, tokens and retries against a server on loopback.
@Suite struct SessionTests {
    /// A service as SAP's: a token belongs to a session, a session to a cookie.
    private final class Gateway: Sendable {
        private let state = Mutex((session: 0, fetches: 0, changes: 0))

        var fetches: Int { state.withLock { $0.fetches } }
        var changes: Int { state.withLock { $0.changes } }

        func endSession() { state.withLock { $0.session += 1 } }

        func response(_ head: String) -> String {
            let token = "x-csrf-token: t\(state.withLock { $0.session })"
            let session = "s=\(state.withLock { $0.session })"
            if head.contains("x-csrf-token: fetch") {
                state.withLock { $0.fetches += 1 }
                return "200 OK\r\nSet-Cookie: \(session); Path=/; HttpOnly\r\nContent-Length: 0\r\n\(token)"
            }
            guard head.contains(token), head.contains("cookie: \(session)") else {
                return "403 Forbidden\r\nX-CSRF-Token: Required\r\nContent-Length: 0"
            }
            state.withLock { $0.changes += 1 }
            return "204 No Content"
        }
    }

    private func run(_ gateway: Gateway, _ body: @escaping @Sendable (any HTTPTransport, String) async throws -> Void)
        async throws
    {
        try await RawServer.run { client in
            while true {
                let head = try await client.requestHead()
                if head.isEmpty { return }
                if head.contains("content-length: 3") { _ = try await client.body(3) }
                try await client.send("HTTP/1.1 \(gateway.response(head))\r\n\r\n")
            }
        } _: { url in
            try await withTransport { transport in
                let chain = transport.with([CSRFProtection(serviceRoot: url + "/"), CookieMiddleware()])
                try await body(chain, url)
            }
        }
    }

    @Test func changesNeedATokenAndItsSession() async throws {
        let gateway = Gateway()
        try await run(gateway) { chain, url in
            for _ in 0..<3 {
                let response = try await chain.get(url + "/A", .post, body: ByteContent([1, 2, 3]))
                #expect(response.head.status == .noContent)
            }
            #expect(gateway.fetches == 1)
            gateway.endSession()
            let once = ByteContent(try DataSource([1, 2, 3]).open(at: 0), length: 3)
            #expect(try await chain.get(url + "/A", .put, body: once).head.status == .noContent)
            gateway.endSession()
            #expect(try await chain.get(url + "/A", .delete).head.status == .noContent)
        }
        #expect(gateway.fetches == 3)
        #expect(gateway.changes == 5)
    }

    @Test func changesAtTheSameTimeAllArrive() async throws {
        let gateway = Gateway()
        try await run(gateway) { chain, url in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        try await chain.get(url + "/A", .post, body: ByteContent([1, 2, 3])).head.status.code
                    }
                }
                for try await status in group { #expect(status == 204) }
            }
        }
        #expect(gateway.changes == 12)
        #expect(gateway.fetches == 1)
    }

    @Test func aBodyThatCanBeReadOnceSurvivesAServerThatIsNotThere() async throws {
        let url = try await RawServer.run({ _ in }, { $0 })
        try await withTransport { transport in
            let body = ByteContent(try DataSource([UInt8](repeating: 1, count: 100)).open(at: 0), length: 100)
            await #expect(throws: TransportError.self) { try await transport.get(url, .put, body: body) }
            #expect(body.isReadable)
        }
    }

    @Test func aBodyIsSentAgainWhereARedirectLeads() async throws {
        try await RawServer.run { client in
            _ = try await client.requestHead()
            _ = try await client.body(3)
            try await client.send("HTTP/1.1 308 Permanent Redirect\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
            let head = try await client.requestHead()
            let sum = try await client.body(3)
            let status = head.hasPrefix("put /b") && sum == 6 ? "204 No Content" : "400 Bad Request"
            try await client.send("HTTP/1.1 \(status)\r\n\r\n")
        } _: { url in
            try await withTransport { transport in
                let chain = transport.with([RedirectMiddleware()])
                let response = try await chain.get(url + "/a", .put, body: ByteContent([1, 2, 3]))
                #expect(response.head.status == .noContent)
            }
        }
    }

    @Test func aTokenThatRunsOutIsRefreshedInTheMiddle() async throws {
        try await RawServer.run { client in
            for turn in 0... {
                let head = try await client.requestHead()
                if head.isEmpty { return }
                let isValid = head.contains("bearer t\(turn / 3)")
                let status = isValid ? "200 OK" : "401 Unauthorized"
                try await client.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            }
        } _: { url in
            try await withTransport { transport in
                let token = Mutex(0)
                let chain = transport.with([
                    BearerAuthentication { rejected in
                        token.withLock { token in
                            if rejected == "t\(token)" { token += 1 }
                            return "t\(token)"
                        }
                    }
                ])
                for _ in 0..<9 {
                    let response = try await chain.get(url)
                    #expect(response.head.status == .ok)
                    _ = try await response.body.collect(upTo: 10)
                }
            }
        }
    }
}
