import ODataModel
import ODataOffline
import ODataStores
import Synchronization
import Testing

@Suite("Declared queries")
struct SetQueriesTests {
    private static let orders = DefiningQuery(name: "orders", query: "Orders?$filter=OrderID le 5")
    private static let customers = DefiningQuery(name: "customers", query: "Customers")

    private static func device(_ queries: [DefiningQuery]) async throws -> (device: Device, remote: FaultyStore) {
        let device = try await Device([], wrap: { FaultyStore($0) })
        try await device.store.setQueries(queries)
        try await device.store.download()
        let remote = try #require(device.remote as? FaultyStore)
        remote.set(.init())
        return (device, remote)
    }

    @Test("Queries are added, kept, changed and removed by their names")
    func differences() async throws {
        let (device, _) = try await Self.device([Self.orders, Self.customers])
        let changes = try await device.store.setQueries([
            Self.customers, .init(name: "orders", query: "Orders"), .init(name: "items", query: "Items"),
        ])
        #expect(changes.kept == ["customers"])
        #expect(changes.changed == ["orders"])
        #expect(changes.added == ["items"])
        #expect(changes.removed.isEmpty && !changes.isEmpty)
        let next = try await device.store.setQueries([.init(name: "items", query: "Items")])
        #expect(next.removed == ["orders", "customers"] && next.kept == ["items"])
        #expect(try await device.store.queries == [.init(name: "items", query: "Items")])
        #expect(try await device.store.status.entities.isEmpty)
        try await device.store.download()
        #expect(try await device.store.status.entities == ["Items": 2 * SampleService.orders])
    }

    @Test(
        "The same queries at each start change nothing, and only what has changed is downloaded",
        arguments: [
            DefiningQuery(name: "q", query: "Orders"),
            DefiningQuery(name: "q", query: "Orders?$expand=Items", refresh: .comparison),
            DefiningQuery(name: "q", query: "Orders?$select=Note", refresh: .delta),
            DefiningQuery(name: "q", query: "Orders", refresh: .changedSince("OrderDate", compareEvery: 0)),
            DefiningQuery(name: "q", query: "Photos", retrievesStreams: true, checksStreams: true),
        ])
    func same(query: DefiningQuery) async throws {
        let (device, remote) = try await Self.device([query])
        try device.store.close()
        let path = device.folder.path + "/store"
        let store = try OfflineStore(folder: path, remote: remote, configuration: Device.configuration())
        #expect(try await store.setQueries([query]).kept == ["q"])
        try await store.open()
        #expect(try await store.setQueries([query]).isEmpty)
        let report = try await store.download()
        #expect(report.queries.map(\.mode) != [.full])
        #expect(report.streams == 0)
        try store.close()
    }

    @Test("No queries remove all of them")
    func none() async throws {
        let (device, _) = try await Self.device([Self.orders, Self.customers])
        #expect(try await device.store.setQueries([]).removed == ["orders", "customers"])
        #expect(try await device.store.status.entities.isEmpty)
    }

    @Test("Queries that were declared before the model is known are checked when the store opens")
    func unopened() async throws {
        let service = try SampleService()
        let folder = try TemporaryFolder()
        let store = try OfflineStore(folder: folder.path + "/store", remote: service.store)
        try await store.setQueries([.init(name: "bad", query: "Nothing")])
        await #expect(throws: ODataError.self) { try await store.open() }
        #expect(try await store.setQueries([Self.orders]).removed == ["bad"])
        try await store.open()
        try await store.download()
        #expect(try await store.status.entities == ["Orders": 5])
        try store.close()
    }

    @Test("All wrong queries are named, and nothing is changed")
    func wrong() async throws {
        let (device, _) = try await Self.device([Self.orders])
        await #expect {
            try await device.store.setQueries([
                Self.customers, .init(name: "a", query: "Nothing"), .init(name: "b", query: "Orders?$filter=X eq 1"),
                .init(name: "customers", query: "Items"), .init(name: "", query: "Items"),
            ])
        } throws: { error in
            let error = error as? ODataError
            let names = ["a", "b", "customers", "(no name)"]
            return error?.code == .badRequest && names.allSatisfy { error?.message.contains("\n  \($0): ") == true }
        }
        await #expect {
            try await device.store.setQueries([.init(name: "a", query: "Nothing")])
        } throws: { ($0 as? ODataError)?.message.contains("The defining query a") == true }
        #expect(try await device.store.queries == [Self.orders])
        #expect(try await device.store.status.entities == ["Orders": 5])
    }

    @Test("Another text leaves the old data until the new ones are complete")
    func otherText() async throws {
        let (device, remote) = try await Self.device([Self.orders])
        try await device.store.setQueries([.init(name: "orders", query: "Orders?$filter=OrderID gt 3&$expand=Items")])
        #expect(try await device.values("Orders", "OrderID") == (1...5).map { .integer($0) })
        remote.set(.init(failingRead: 1))
        await #expect(throws: ODataError.self) { try await device.store.download() }
        #expect(try await device.count("Orders") == 5)
        remote.set(.init())
        let report = try await device.store.download()
        #expect(report.queries.map(\.mode) == [.full])
        #expect(try await device.values("Orders", "OrderID") == (4...25).map { .integer($0) })
        #expect(try await device.count("Items") == 44)
        try await device.store.setQueries([.init(name: "orders", query: "Customers")])
        #expect(try await device.count("Items") == 44)
        try await device.store.download()
        #expect(try await device.store.status.entities == ["Customers": 3])
    }

    @Test("Fewer properties are known only when the new ones were received; more as well")
    func otherProperties() async throws {
        let (device, _) = try await Self.device([.init(name: "orders", query: "Orders?$select=Note")])
        #expect(try await device.entities("Orders(1)").first?["Amount"] == nil)
        try await device.store.setQueries([.init(name: "orders", query: "Orders?$select=Amount")])
        #expect(try await device.values("Orders(1)", "Note") == [.string("note 1")])
        try await device.store.download()
        let order = try #require(try await device.entities("Orders(1)").first)
        #expect(order["Note"] == nil && order["Amount"] != nil)
    }

    @Test("The old data stay over several changes and openings of the store, and go with the query")
    func severalTexts() async throws {
        let (device, remote) = try await Self.device([Self.orders])
        try await device.store.setQueries([.init(name: "orders", query: "Orders?$filter=OrderID eq 9")])
        try await device.store.setQueries([.init(name: "orders", query: "Orders?$filter=OrderID eq 8")])
        try device.store.close()
        let path = device.folder.path + "/store"
        let store = try OfflineStore(folder: path, remote: remote, configuration: Device.configuration())
        #expect(try await store.status.entities == ["Orders": 5])
        try await store.download()
        #expect(try await store.status.entities == ["Orders": 1])
        try await store.setQueries([Self.orders])
        try await store.setQueries([])
        #expect(try await store.status.entities.isEmpty)
        try store.close()
    }

    @Test("A download that was cut before the text changed leaves nothing of its pages")
    func cutBefore() async throws {
        let device = try await Device([], pageSize: 5, wrap: { FaultyStore($0) })
        let remote = try #require(device.remote as? FaultyStore)
        try await device.store.setQueries([.init(name: "orders", query: "Orders")])
        remote.set(.init(failingRead: 3))
        await #expect(throws: ODataError.self) { try await device.store.download() }
        remote.set(.init())
        try await device.store.setQueries([Self.orders])
        #expect(try await device.store.download().queries.map(\.entities) == [5])
        #expect(try await device.store.status.entities == ["Orders": 5])
    }

    @Test("Changed and removed queries leave entities with unsent changes until these are sent")
    func unsent() async throws {
        let (device, _) = try await Self.device([Self.orders, Self.customers])
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        try await device.update("Customers('A')", #"{"Name":"mine"}"#)
        try await device.store.setQueries([.init(name: "orders", query: "Orders?$filter=OrderID eq 9")])
        #expect(try await device.store.queueEntries().count == 2)
        try await device.store.download()
        #expect(try await device.values("Orders", "OrderID") == [.integer(2), .integer(9)])
        #expect(try await device.values("Customers", "Name") == [.string("mine")])
        try await device.store.upload()
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 2") == ["mine"])
        #expect(try await device.store.status.entities == ["Orders": 1])
    }

    @Test("An entity that was made on the device stays where the changed query has it")
    func madeHere() async throws {
        let (device, _) = try await Self.device([Self.orders])
        try await device.create("Orders", #"{"Note":"new"}"#)
        try await device.store.setQueries([.init(name: "orders", query: "Orders?$filter=OrderID gt 24")])
        try await device.store.download()
        #expect(try await device.count("Orders") == 2)
        try await device.store.upload()
        try await device.store.download()
        #expect(try await device.values("Orders", "OrderID") == [.integer(25), .integer(26)])
    }

    @Test("Another way to refresh, and streams, do not read the entities again")
    func otherSettings() async throws {
        let (device, remote) = try await Self.device([.init(name: "photos", query: "Photos")])
        try await device.store.setQueries([.init(name: "photos", query: "Photos", retrievesStreams: true)])
        let first = try await device.store.download()
        #expect(first.queries.map(\.mode) == [.delta] && first.streams == 4)
        try await device.store.setQueries([
            .init(name: "photos", query: "Photos", retrievesStreams: true, refresh: .comparison)
        ])
        remote.set(.init())
        let second = try await device.store.download()
        #expect(second.queries.map(\.mode) == [.comparison] && second.streams == 0)
        try await device.store.setQueries([.init(name: "photos", query: "Photos")])
        #expect(try await device.store.status.streams == 0)
        #expect(try await device.count("Photos") == 4)
    }

    @Test("Streams of a query with another text are not received again")
    func keptStreams() async throws {
        let (device, remote) = try await Self.device([StreamTests.photos])
        remote.set(.init())
        try await device.store.setQueries([
            .init(name: "photos", query: "Photos?$filter=PhotoID le 3", retrievesStreams: true)
        ])
        #expect(try await device.store.status.streams == 4)
        let report = try await device.store.download()
        #expect(report.streams == 0 && remote.count.streams == 0)
        #expect(try await device.store.status.streams == 3)
        #expect(try await device.bytes("Photos(3)/$value").count == 30_000)
    }

    @Test("During a download the same queries are accepted, others are a conflict")
    func meanwhile() async throws {
        let codes = Mutex<[ODataError.Code?]>([])
        let stores = Mutex<OfflineStore?>(nil)
        let device = try await Device([Self.orders]) { base in
            TappedStore(
                base: base,
                reading: { _ in
                    guard let store = stores.withLock({ $0 }) else { return }
                    for queries in [[Self.orders], [Self.customers]] {
                        do {
                            try await store.setQueries(queries)
                            codes.withLock { $0.append(nil) }
                        } catch let error as ODataError { codes.withLock { $0.append(error.code) } }
                    }
                })
        }
        stores.withLock { $0 = device.store }
        try await device.store.download()
        stores.withLock { $0 = nil }
        #expect(codes.withLock { $0 } == [nil, .conflict])
        #expect(try await device.store.queries == [Self.orders])
    }
}
