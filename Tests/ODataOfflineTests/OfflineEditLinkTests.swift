import ByteStreams
import HTTPTypes
import ODataModel
import ODataOffline
import ODataOnline
import ODataQuery
import ODataService
import ODataStores
import ODataTesting
import ODataTransport
import Synchronization
import Testing

/// A service whose orders are changed at `Edits/Orders(1)` and nowhere else.
private final class EditService: HTTPTransport {
    private let next: any HTTPTransport
    private let state = Mutex<(lines: [String], losesResponses: Bool)>(([], false))

    init(next: any HTTPTransport) { self.next = next }

    /// What else than lists was asked for.
    var lines: [String] { state.withLock { $0.lines } }

    func loseResponses(_ loses: Bool) { state.withLock { ($0.losesResponses, $0.lines) = (loses, []) } }

    func send(_ request: HTTPRequest, body: ByteContent?, context: TransportContext) async throws -> TransportResponse {
        var request = request
        // The service does not know repeated requests.
        request.headerFields[.repeatabilityRequestID] = nil
        request.headerFields[.repeatabilityFirstSent] = nil
        let path = request.path ?? ""
        if path.contains("(") { state.withLock { $0.lines.append("\(request.method) \(path.dropFirst())") } }
        let isEdit = path.hasPrefix("/Edits/")
        if isEdit { request.path = "/" + path.dropFirst("/Edits/".count) }
        if path.hasPrefix("/Orders("), !isEdit { return TransportResponse(head: HTTPResponse(status: .notFound)) }
        var response = try await next.send(request, body: body, context: context)
        if request.method != .get, state.withLock({ $0.losesResponses }) { throw TransportError(.interrupted, "lost") }
        guard request.path?.hasPrefix("/Orders") == true, !path.contains("Items") else { return response }
        let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
        let linked = text.replacing(/"OrderID":(\d+)/) { match in
            "\"@odata.editLink\":\"Edits/Orders(\(match.1))\",\(match.0)"
        }
        response.body = ByteContent(Array(linked.utf8))
        response.head.headerFields[.contentLength] = nil
        return response
    }
}

@Suite("Edit links in an offline store")
struct OfflineEditLinkTests {
    private let service: SampleService
    private let transport: EditService
    private let folder: TemporaryFolder

    init() throws {
        service = try SampleService()
        transport = EditService(
            next: InProcessTransport(service: ODataService(store: service.store), root: GatewayDesk.root))
        folder = try TemporaryFolder()
    }

    /// In another process each time.
    private func device(model: EdmModel? = nil) async throws -> OfflineStore {
        var online = OnlineStore.Configuration()
        online.model = model
        var configuration = Device.configuration()
        configuration.exactlyOnce = .clientKeys
        // The service takes links in requests of their own.
        configuration.batchSize = 1
        let store = try OfflineStore(
            folder: folder.path + "/store",
            remote: try OnlineStore(serviceRoot: GatewayDesk.root, transport: transport, configuration: online),
            configuration: configuration)
        try await store.open()
        if try await store.queries.isEmpty {
            for set in ["Customers", "Orders", "Items"] { try store.addQuery(.init(name: set, query: set)) }
            try await store.download()
        }
        return store
    }

    private func change(_ store: OfflineStore, _ path: String, _ operation: ChangeRequest.Operation) async throws {
        _ = try await store.change(ChangeRequest(try store.path(path), operation))
    }

    @Test("Changes of an entity and of what lies below it go to its link, also in another process")
    func used() async throws {
        var store = try await device()
        let model = try await store.model()
        try store.close()
        for isBatch in [false, true] {
            store = try await device(model: model)
            transport.loseResponses(false)
            let note = EntityPayload(["Note": .string("mine \(isBatch)")])
            try await change(store, "Orders(3)", .update(note))
            if !isBatch { #expect(try await store.upload().isComplete) }
            let customer = EntityReference.path(try store.path("Customers('B')"))
            try await change(store, "Orders(4)/Customer", .addReference(customer))
            if !isBatch { #expect(try await store.upload().isComplete) }
            let item = EntityPayload(["LineNo": .integer(isBatch ? 10 : 9), "Product": .string("new")])
            try await change(store, "Orders(5)/Items", .create(item))
            let report = try await store.upload()
            #expect(report.isComplete, "\(report.failed.map(\.message))")
            try store.close()
        }
        let shown = try service.fetch(
            """
            SELECT (SELECT Note FROM Orders WHERE OrderID = 3), (SELECT CustomerID FROM Orders WHERE OrderID = 4),
            (SELECT count(*) FROM Items WHERE Product = 'new')
            """)
        #expect(shown == ["mine true|B|2"])
        store = try await device(model: model)
        try await change(store, "Items(OrderID=6,LineNo=1)", .delete)
        try await change(store, "Items(OrderID=6,LineNo=2)", .delete)
        try await change(store, "Orders(6)", .delete)
        #expect(try await store.upload().isComplete)
        #expect(try service.fetch("SELECT count(*) FROM Orders WHERE OrderID = 6") == ["0"])
    }

    @Test("A lost response is found out at the link", arguments: [true, false])
    func probed(isDeletion: Bool) async throws {
        var store = try await device()
        let model = try await store.model()
        if isDeletion {
            for line in 1...2 { try await change(store, "Items(OrderID=9,LineNo=\(line))", .delete) }
            #expect(try await store.upload().isComplete)
            try await change(store, "Orders(9)", .delete)
        } else {
            try await change(store, "Orders(3)", .update(EntityPayload(["Note": .string("mine")])))
        }
        transport.loseResponses(true)
        await #expect(throws: ODataError.self) { try await store.upload() }
        try store.close()
        store = try await device(model: model)
        transport.loseResponses(false)
        #expect(try await store.upload().isComplete)
        #expect(transport.lines.first == (isDeletion ? "DELETE Edits/Orders(9)" : "GET Edits/Orders(3)"))
        #expect(!transport.lines.contains("PATCH Edits/Orders(3)"))
    }

    @Test("The response to a creation has its link for what follows; a rebuild and a comparison keep links")
    func kept() async throws {
        let store = try await device()
        try await change(store, "Orders", .create(EntityPayload(["Note": .string("new")])))
        #expect(try await store.upload().isComplete)
        try await store.rebuild()
        try await store.download()
        try await change(store, "Orders(26)", .update(EntityPayload(["Note": .string("newer")])))
        #expect(try await store.upload().isComplete)
        #expect(try service.fetch("SELECT Note FROM Orders WHERE OrderID = 26") == ["newer"])
    }
}
