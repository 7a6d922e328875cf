import ODataOffline
import ODataQuery
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Downloads that ask how many entities come")
struct CountedDownloadTests {
    /// What `totalEntities` was while entities of a download came.
    private func totals(_ store: OfflineStore) async throws -> [Int64?] {
        let totals = Mutex<[Int64?]>([])
        try await store.download { progress in
            // Bytes of the page may arrive before its first entity.
            if progress.phase == .reading, progress.bytes > 0 { totals.withLock { $0.append(progress.totalEntities) } }
        }
        return totals.withLock { $0 }
    }

    @Test(
        "The number is told of collections without `$count` in the query",
        arguments: [
            ("Orders", 25), ("Orders?$skip=3&$top=10", 10), ("Orders?$count=true&$filter=OrderID le 9", 9),
            ("Orders(1)", nil),
        ])
    func total(query: String, expected: Int64?) async throws {
        let device = try await Device(
            [.init(name: "orders", query: query)], pageSize: 4, configure: { $0.countsEntities = true })
        let told = try await totals(device.store)
        #expect(!told.isEmpty && told.allSatisfy { $0 == expected }, "\(told)")
        #expect(try await device.count("Orders") == Int(expected ?? 1))
    }

    @Test(
        "The first page asks, next links go on as they are, and changes come as ever",
        arguments: [nil, "v2"] as [String?])
    func requests(version: String?) async throws {
        let service = try await ShopService()
        try await service.fill()
        let device = try await service.device([.init(name: "orders", query: "Orders")], version: version) {
            $0.downloadPageSize = 2
            $0.countsEntities = true
        }
        let told = try await totals(device.store)
        #expect(!told.isEmpty && told.allSatisfy { $0 == 3 }, "\(told)")
        let option = version == nil ? "$count=true" : "$inlinecount=allpages"
        let asked = service.responses.requests.filter { $0.contains("/Orders?") }
        #expect(asked.first?.contains(option) == true, "\(asked)")
        #expect(!service.responses.requests.contains { $0.hasSuffix("/Orders") })
        try await service.update("Orders(1)", ["Note": .string("other")])
        try await device.store.download()
        #expect(try await device.lines("Orders?$orderby=ID", "Note") == ["other", "note 2", "note 3"])
    }

    @Test("A service that refuses to count is asked without, once", arguments: [400, 501])
    func refused(status: Int) async throws {
        let service = try await ShopService()
        try await service.fill()
        service.responses.set("/Orders?$count=true", .status(status))
        let device = try await service.device([.init(name: "orders", query: "Orders")]) { $0.countsEntities = true }
        #expect(Set(try await totals(device.store)) == [nil])
        #expect(service.responses.requests.filter { $0.hasPrefix("/Orders") } == ["/Orders?$count=true", "/Orders"])
        #expect(try await device.lines("Orders?$orderby=ID", "ID") == ["1", "2", "3"])
    }

    @Test("What refuses also without the count is the error")
    func otherRefusal() async throws {
        let service = try await ShopService()
        service.responses.set("/Orders", .status(400))
        let device = try await service.device([.init(name: "orders", query: "Orders")]) { $0.countsEntities = true }
        let error = await #expect(throws: ODataError.self) { try await device.store.download() }
        #expect(error?.code == .badRequest)
        #expect(error?.request?.hasSuffix("/Orders") == true, "\(error?.request ?? "")")
    }

    @Test("What the metadata say cannot be counted is not")
    func uncountable() async throws {
        let service = try await ShopService()
        try await service.create("Things", ["ID": .string("a")])
        let asks = Mutex<[Bool]>([])
        let remote = TappedStore(
            base: service.tables, reading: { request in asks.withLock { $0.append(request.query.options.count) } })
        let device = try await ShopDevice([.init(name: "things", query: "Things")], remote: remote) {
            $0.countsEntities = true
        }
        #expect(Set(try await totals(device.store)) == [nil])
        #expect(asks.withLock { $0 } == [false])
    }
}
