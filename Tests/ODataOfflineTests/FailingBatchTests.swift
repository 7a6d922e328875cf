import HTTPTypes
import ODataOffline
import ODataStores
import ODataTransport
import Testing

@Suite("Batches that fail as a whole")
struct FailingBatchTests {
    private func make(_ desk: GatewayDesk, _ store: OfflineStore, _ note: String) async throws {
        for order in 1...3 { try await desk.change(store, "Orders(\(order))", #"{"Note":"\#(note)"}"#) }
    }

    private func sent(_ desk: GatewayDesk) throws -> [String] {
        try desk.service.fetch("SELECT Note FROM Orders WHERE OrderID <= 3")
    }

    /// The service answers batches with a fault.
    private static let fault: Gateway.Rule = { request in
        request.path?.hasSuffix("$batch") == true
            ? HTTPReply(response: HTTPResponse(status: .internalServerError)) : nil
    }

    @Test("After two in a row requests are sent singly, and the event says so; a batch is tried once more, then none")
    func singly() async throws {
        let desk = try GatewayDesk()
        var store = try await desk.device()
        desk.gateway.rule(Self.fault)
        try await make(desk, store, "a")
        for _ in 0..<2 { await #expect(throws: ODataError.self) { try await store.upload() } }
        #expect(try sent(desk) == ["note 1", "note 2", "note 3"])
        // It is known in another process too.
        try store.close()
        store = try await desk.device()
        #expect(try await store.upload().isComplete)
        #expect(try sent(desk) == ["a", "a", "a"])
        try await make(desk, store, "b")
        await #expect(throws: ODataError.self) { try await store.upload() }
        #expect(try await store.events().first?.message?.contains("one by one") == true)
        for note in ["b", "c"] {
            if note == "c" { try await make(desk, store, note) }
            #expect(try await store.upload().isComplete)
            #expect(try sent(desk) == [note, note, note])
        }
    }

    @Test("A service that was only ill is sent batches again", arguments: [500, 503])
    func ill(status: Int) async throws {
        let desk = try GatewayDesk()
        let store = try await desk.device()
        try await make(desk, store, "a")
        desk.gateway.rule { request in
            request.method == .get ? nil : HTTPReply(response: HTTPResponse(status: .init(code: status)))
        }
        for _ in 0..<2 { _ = try? await store.upload() }
        desk.gateway.answer(nil)
        _ = try await store.upload()
        #expect(try sent(desk) == ["a", "a", "a"])
        try await make(desk, store, "b")
        desk.gateway.answer(nil)
        #expect(try await store.upload().isComplete)
        try await make(desk, store, "c")
        desk.gateway.answer(nil)
        #expect(try await store.upload().isComplete)
        #expect(desk.gateway.lines.filter { $0.hasPrefix("POST") } == ["POST $batch"])
        #expect(try sent(desk) == ["c", "c", "c"])
    }
}
