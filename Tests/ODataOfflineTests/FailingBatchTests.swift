import ByteStreams
import HTTPTypes
import ODataOffline
import ODataStores
import ODataTransport
import Testing

@Suite("Batches that fail as a whole")
struct FailingBatchTests {
    private func make(_ conflicts: GatewayDesk, _ store: OfflineStore, _ note: String) async throws {
        for order in 1...3 { try await conflicts.change(store, "Orders(\(order))", #"{"Note":"\#(note)"}"#) }
    }

    private func sent(_ conflicts: GatewayDesk) throws -> [String] {
        try conflicts.service.fetch("SELECT Note FROM Orders WHERE OrderID <= 3")
    }

    /// The service responds to batches with a fault.
    private static let fault: Gateway.Rule = { request in
        request.path?.hasSuffix("$batch") == true
            ? TransportResponse(head: HTTPResponse(status: .internalServerError)) : nil
    }

    @Test("After two in a row requests are sent singly, and the event says so; a batch is tried once more, then none")
    func singly() async throws {
        let conflicts = try GatewayDesk()
        var store = try await conflicts.device()
        conflicts.gateway.rule(Self.fault)
        try await make(conflicts, store, "a")
        for _ in 0..<2 { await #expect(throws: ODataError.self) { try await store.upload() } }
        #expect(try sent(conflicts) == ["note 1", "note 2", "note 3"])
        // It is known in another process too.
        try store.close()
        store = try await conflicts.device()
        #expect(try await store.upload().isComplete)
        #expect(try sent(conflicts) == ["a", "a", "a"])
        try await make(conflicts, store, "b")
        await #expect(throws: ODataError.self) { try await store.upload() }
        #expect(try await store.events().first?.message?.contains("one by one") == true)
        for note in ["b", "c"] {
            if note == "c" { try await make(conflicts, store, note) }
            #expect(try await store.upload().isComplete)
            #expect(try sent(conflicts) == [note, note, note])
        }
    }

    /// What always comes in place of the response to a batch.
    enum Loss: String, CaseIterable, Sendable {
        case dropped, timeout, truncated, foreignJSON, brokenJSON, noResponses, html, brokenMultipart, emptyMultipart,
            empty

        private static let multipart = "multipart/mixed; boundary=b"

        private var content: (type: String?, body: String) {
            switch self {
            case .foreignJSON: ("application/json", #"{"x":1}"#)
            case .brokenJSON: ("application/json", #"{"responses":[{"id":"#)
            case .noResponses: ("application/json", #"{"responses":[]}"#)
            case .html: ("text/html", "<html>Log in</html>")
            case .brokenMultipart: (Self.multipart, "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 2")
            case .emptyMultipart: (Self.multipart, "--b--\r\n")
            default: (nil, "")
            }
        }

        func response() throws -> TransportResponse {
            switch self {
            case .dropped: throw TransportError(.interrupted, "The connection ended.")
            case .timeout: throw TransportError(.timeout, "No response came in time.")
            case .truncated: throw TransportError(.truncated, "The body is shorter than its Content-Length.")
            default:
                let (type, body) = content
                var fields = HTTPFields()
                fields[.contentType] = type
                return TransportResponse(
                    head: HTTPResponse(status: .ok, headerFields: fields), body: ByteContent(Array(body.utf8)))
            }
        }
    }

    @Test(
        "Whatever comes in place of a response, it is found out what was executed, and the rest is sent singly",
        arguments: Loss.allCases, [false, true])
    func losses(_ loss: Loss, isExecuted: Bool) async throws {
        let conflicts = try GatewayDesk()
        var store = try await conflicts.device()
        if isExecuted {
            conflicts.gateway.replace { $0.path?.hasSuffix("$batch") == true ? try loss.response() : nil }
        } else {
            conflicts.gateway.rule { $0.path?.hasSuffix("$batch") == true ? try loss.response() : nil }
        }
        for note in ["a", "b"] {
            try await make(conflicts, store, note)
            for _ in 0..<2 { await #expect(throws: ODataError.self) { try await store.upload() } }
            #expect(try await store.queueEntries().map(\.state) == [.unconfirmed, .unconfirmed, .unconfirmed])
            try store.close()
            store = try await conflicts.device()
            #expect(try await store.upload().isComplete)
            #expect(try sent(conflicts) == [note, note, note])
            // Without a lost connection one batch more was enough.
            if ![.dropped, .timeout, .truncated].contains(loss) { return }
        }
        // After the second time never again.
        try await make(conflicts, store, "c")
        #expect(try await store.upload().isComplete)
        #expect(try sent(conflicts) == ["c", "c", "c"])
    }

    @Test("Connections that are lost now and then leave batches as they are")
    func lostNowAndThen() async throws {
        let conflicts = try GatewayDesk()
        let store = try await conflicts.device()
        for note in ["a", "b", "c"] {
            try await make(conflicts, store, note)
            conflicts.gateway.rule { $0.method == .get ? nil : try Loss.dropped.response() }
            await #expect(throws: ODataError.self) { try await store.upload() }
            conflicts.gateway.respond(with: nil)
            #expect(try await store.upload().isComplete)
            #expect(conflicts.gateway.lines.filter { $0.hasPrefix("POST") || $0.hasPrefix("PATCH") } == ["POST $batch"])
        }
    }

    @Test("A service that was only ill is sent batches again", arguments: [500, 503])
    func ill(status: Int) async throws {
        let conflicts = try GatewayDesk()
        let store = try await conflicts.device()
        try await make(conflicts, store, "a")
        conflicts.gateway.rule { request in
            request.method == .get ? nil : TransportResponse(head: HTTPResponse(status: .init(code: status)))
        }
        for _ in 0..<2 { _ = try? await store.upload() }
        conflicts.gateway.respond(with: nil)
        _ = try await store.upload()
        #expect(try sent(conflicts) == ["a", "a", "a"])
        try await make(conflicts, store, "b")
        conflicts.gateway.respond(with: nil)
        #expect(try await store.upload().isComplete)
        try await make(conflicts, store, "c")
        conflicts.gateway.respond(with: nil)
        #expect(try await store.upload().isComplete)
        #expect(conflicts.gateway.lines.filter { $0.hasPrefix("POST") } == ["POST $batch"])
        #expect(try sent(conflicts) == ["c", "c", "c"])
    }
}
