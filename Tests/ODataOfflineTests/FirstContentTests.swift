import ByteStreams
import HTTPTypes
import ODataOffline
import ODataOnline
import ODataService
import ODataStores
import ODataTesting
import ODataTransport
import Synchronization
import Testing

@Suite("The first content of a stream property at a service that demands ETags")
struct FirstContentTests {
    private let service: SampleService
    private let conditions = Conditions()

    /// What the requests that replaced streams said.
    private final class Conditions: Sendable {
        private let sent = Mutex<[String]>([])

        var all: [String] { sent.withLock { $0 } }

        func note(_ request: HTTPRequest) {
            guard request.method == .put else { return }
            let fields = request.headerFields
            let condition = fields[.ifNoneMatch] ?? (fields.contains(.ifMatch) ? "ETag" : "none")
            sent.withLock { $0.append(condition) }
        }
    }

    init() throws { service = try SampleService(more: ["ALTER TABLE Customers ADD COLUMN Logo BLOB"]) }

    /// - Parameters:
    ///   - way: How the service is told which requests are repeated.
    ///   - fault: What the first request with `If-None-Match` meets.
    ///   - other: What any request meets.
    private func device(
        _ way: ExactlyOnce = .automatic, _ fault: TransportFault? = nil,
        other: @escaping @Sendable (HTTPRequest) -> TransportFault? = { _ in nil }
    ) async throws -> ShopDevice {
        var configuration = ODataService.Configuration()
        configuration.requiresETags = true
        let direct = InProcessTransport(service: ODataService(store: service.store, configuration: configuration))
        let open = Mutex(fault)
        let plan = FaultPlan { [conditions] attempt in
            conditions.note(attempt.request)
            let request = attempt.request
            if let other = other(request) { return other }
            guard request.method == .put, request.headerFields.contains(.ifNoneMatch) else { return nil }
            return open.withLock { $0.take() }
        }
        let remote = try OnlineStore(
            serviceRoot: "http://service.test/", transport: FaultTransport(next: direct, plan: plan))
        let device = try await ShopDevice([.init(name: "customers", query: "Customers")], remote: remote) {
            $0.exactlyOnce = way
        }
        try await device.store.download()
        return device
    }

    private func put(_ bytes: [UInt8], into store: OfflineStore) async throws {
        let content = MediaContent(ByteContent(bytes), contentType: "image/png")
        _ = try await store.change(ChangeRequest(try store.path("Customers('A')/Logo"), .replaceStream(content)))
    }

    private var logo: [String] {
        get throws { try service.fetch("SELECT hex(Logo) FROM Customers WHERE CustomerID = 'A'") }
    }

    @Test("It is sent with If-None-Match once the service has asked, and what follows with its ETag")
    func sent() async throws {
        let store = try await device().store
        try await put([1, 2], into: store)
        #expect(try await store.upload().isComplete)
        #expect(try logo == ["0102"])
        #expect(conditions.all == ["none", "*"])
        try await put([3], into: store)
        #expect(try await store.upload().isComplete)
        #expect(try logo == ["03"])
        #expect(conditions.all == ["none", "*", "ETag"])
        try store.close()
    }

    @Test("One whose response was lost is not a conflict: the service is looked at first", arguments: [true, false])
    func lostResponse(isExecuted: Bool) async throws {
        let store = try await device(.clientKeys, isExecuted ? .responseLost : .requestLost).store
        try await put([1, 2], into: store)
        _ = try? await store.upload()
        #expect(try logo == [isExecuted ? "0102" : ""])
        #expect(try await store.upload().isComplete)
        #expect(try logo == ["0102"])
        #expect(conditions.all == (isExecuted ? ["none", "*"] : ["none", "*", "none", "*"]))
        #expect(try await store.queueEntries().isEmpty)
        try store.close()
    }

    @Test("It is sent as another request, since a service may keep its refusal under the id of the first one")
    func keptRefusal() async throws {
        let refused = Mutex<[String]>([])
        let store = try await device(.repeatableRequests) { request in
            guard request.method == .put, let id = request.headerFields[.repeatabilityRequestID] else { return nil }
            return refused.withLock { refused in
                if refused.contains(id) { return .status(428) }
                if !request.headerFields.contains(.ifNoneMatch) { refused.append(id) }
                return nil
            }
        }.store
        try await put([1, 2], into: store)
        #expect(try await store.upload().isComplete)
        #expect(try logo == ["0102"])
        #expect(conditions.all == ["none", "*"])
        #expect(refused.withLock { $0.count } == 1)
        try store.close()
    }

    @Test("Content that somebody else has put there meanwhile is not written over")
    func conflict() async throws {
        let store = try await device().store
        try await put([1, 2], into: store)
        try service.execute("UPDATE Customers SET Logo = x'09' WHERE CustomerID = 'A'")
        #expect(try await store.upload().failed.map(\.status) == [412])
        #expect(try logo == ["09"])
        try store.close()
    }
}
