import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("Download")
struct DownloadTests {
    @Test("All entities of a query are there after the first download, in pages or not", arguments: [7, 1000])
    func first(pageSize: Int) async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")], pageSize: pageSize)
        let report = try await device.store.download()
        #expect(report.queries.map(\.entities) == [SampleService.orders])
        #expect(try await device.count("Orders") == SampleService.orders)
        #expect(try await device.values("Orders?$filter=Amount gt 240", "OrderID") == [.integer(25)])
        #expect(try await device.count("Items") == 0)
        #expect(try await device.store.notice(for: try await device.store.query("Items")) != nil)
    }

    @Test(
        "How many entities come is told where the query asks for their number",
        arguments: [("Orders?$count=true", 25), ("Orders?$count=true&$skip=3&$top=10", 10), ("Orders", nil)])
    func total(query: String, expected: Int64?) async throws {
        let device = try await Device([.init(name: "orders", query: query)], pageSize: 4)
        let totals = Mutex<[Int64?]>([])
        let note: @Sendable (DownloadProgress) -> Void = { progress in
            if progress.phase == .reading { totals.withLock { $0.append(progress.totalEntities) } }
        }
        let report = try await device.store.download(progress: note)
        #expect(totals.withLock { $0.count } > 2 && totals.withLock { $0.allSatisfy { $0 == expected } })
        #expect(report.queries.first.map { Int64($0.entities) } == expected ?? 25)
        totals.withLock { $0 = [] }
        let refresh = try await device.store.download(progress: note)
        #expect(totals.withLock { $0.allSatisfy { $0 == nil } } || refresh.queries.first?.isDelta == false)
    }

    @Test("What is waited for is told: the metadata, then a page until its first entities come")
    func waiting() async throws {
        let seen = Mutex<[String]>([])
        let device = try await Device(
            [.init(name: "orders", query: "Orders")],
            wrap: { TappedStore(base: $0, reading: { _ in seen.withLock { $0.append("asked") } }) })
        try await device.store.download { step in
            seen.withLock { $0.append("\(step.phase) \(step.query) \(step.entities)") }
        }
        let expected = [
            "waiting  0", "waiting orders 0", "asked", "reading orders 0", "reading orders 25", "publishing orders 25",
        ]
        #expect(seen.withLock { $0 } == expected)
        #expect(try await device.store.events().first?.counts?.queries.map(\.name) == ["orders"])
    }

    @Test("What a query expands fills the tables of the expanded sets")
    func expansion() async throws {
        let device = try await Device([
            .init(name: "orders", query: "Orders?$filter=OrderID le 3&$expand=Items,Customer")
        ])
        try await device.store.download()
        #expect(try await device.count("Orders") == 3)
        #expect(try await device.count("Items") == 6)
        #expect(try await device.count("Customers") == 3)
        let order = try #require(try await device.entities("Orders(2)?$expand=Items,Customer").first)
        guard case .many(let items, _)? = order.expanded["Items"], case .one(let customer)? = order.expanded["Customer"]
        else {
            Issue.record("The relations are not there.")
            return
        }
        #expect(items.count == 2)
        #expect(customer?["Name"] == .string("Gamma"))
    }

    @Test("A refresh brings changed, new and deleted entities", arguments: [true, false])
    func refresh(tracksChanges: Bool) async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")], tracksChanges: tracksChanges)
        try await device.store.download()
        try device.service.execute("UPDATE Orders SET Note = 'other' WHERE OrderID = 3")
        try device.service.execute("DELETE FROM Items WHERE OrderID = 5")
        try device.service.execute("DELETE FROM Photos WHERE OrderID = 5")
        try device.service.execute("DELETE FROM Orders WHERE OrderID = 5")
        try device.service.execute("INSERT INTO Orders VALUES (100, 'A', 1, NULL, 'new')")
        let report = try await device.store.download()
        #expect(report.queries.first?.isDelta == tracksChanges)
        #expect(report.queries.first?.entities == (tracksChanges ? 3 : SampleService.orders))
        #expect(try await device.values("Orders(3)", "Note") == [.string("other")])
        #expect(try await device.count("Orders?$filter=OrderID eq 5") == 0)
        #expect(try await device.count("Orders?$filter=OrderID eq 100") == 1)
        #expect(try await device.count("Orders") == SampleService.orders)
    }

    @Test("An unknown delta token leads to a full read")
    func gone() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")]) { FaultyStore($0) }
        let remote = try #require(device.remote as? FaultyStore)
        try await device.store.download()
        try device.service.execute("UPDATE Orders SET Note = 'other' WHERE OrderID = 3")
        var plan = FaultyStore.Plan()
        plan.goneDelta = true
        remote.set(plan)
        let report = try await device.store.download()
        #expect(report.queries.first?.isDelta == false)
        #expect(try await device.values("Orders(3)", "Note") == [.string("other")])
    }

    @Test("A download that was cut goes on at the page it reached; readers see the old state until it is complete")
    func continuation() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")], pageSize: 5) {
            var plan = FaultyStore.Plan()
            plan.failingRead = 4
            return FaultyStore($0, plan)
        }
        let remote = try #require(device.remote as? FaultyStore)
        await #expect(throws: ODataError.self) { try await device.store.download() }
        #expect(try await device.count("Orders") == 0)
        remote.set(FaultyStore.Plan())
        let report = try await device.store.download()
        #expect(report.queries.first?.entities == SampleService.orders)
        // Three of five pages were there.
        #expect(remote.count.reads <= 3)
        #expect(try await device.count("Orders") == SampleService.orders)
    }

    @Test("Next links that form a cycle are an error; the next download begins again", arguments: [1, 3])
    func circle(length: Int) async throws {
        var plan = FaultyStore.Plan()
        plan.circle = length
        let device = try await Device([.init(name: "orders", query: "Orders")], pageSize: 5) { [plan] in
            FaultyStore($0, plan)
        }
        let remote = try #require(device.remote as? FaultyStore)
        let error = await #expect(throws: ODataError.self) { try await device.store.download() }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("repeats a next link: Orders?") == true)
        #expect(remote.count.reads <= 3 * length + 1)
        #expect(try await device.count("Orders") == 0)
        remote.set(FaultyStore.Plan())
        #expect(try await device.store.download().queries.first?.entities == SampleService.orders)
        #expect(remote.count.reads == 5)
        #expect(try await device.count("Orders") == SampleService.orders)
    }

    @Test("Changes that lead to a full read in the middle of a page: the rest of the page does not count")
    func fullReadWithinPage() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")]) { FaultyStore($0) }
        let remote = try #require(device.remote as? FaultyStore)
        try await device.store.download()
        try device.service.execute("UPDATE Orders SET Note = 'other' WHERE OrderID = 3")
        var plan = FaultyStore.Plan()
        plan.linkChange = 5 << 20
        remote.set(plan)
        let report = try await device.store.download()
        #expect(report.queries.first?.isDelta == false)
        #expect(try await device.count("Orders") == SampleService.orders)
        #expect(try await device.values("Orders(3)", "Note") == [.string("other")])
    }

    @Test("Overlapping queries: removing one lets go only what no other holds")
    func overlap() async throws {
        let device = try await Device([
            .init(name: "small", query: "Orders?$filter=OrderID le 10"),
            .init(name: "large", query: "Orders?$filter=OrderID ge 6"),
        ])
        try await device.store.download()
        #expect(try await device.count("Orders") == SampleService.orders)
        try device.store.removeQuery("small")
        #expect(try await device.count("Orders") == 20)
        try device.store.removeQuery("large")
        #expect(try await device.count("Orders") == 0)
        #expect(throws: ODataError.self) { try device.store.removeQuery("large") }
    }

    @Test("Expanded entities go with the entities that expanded them", arguments: [true, false])
    func expandedGo(tracksChanges: Bool) async throws {
        let device = try await Device(
            [.init(name: "orders", query: "Orders?$filter=Note ne 'hidden'&$expand=Items")],
            tracksChanges: tracksChanges)
        try await device.store.download()
        #expect(try await device.count("Items") == 50)
        try device.service.execute("UPDATE Orders SET Note = 'hidden' WHERE OrderID = 1")
        try await device.store.download()
        #expect(try await device.count("Orders") == 24)
        #expect(try await device.count("Items") == 48)
    }

    @Test("Changes of expanded entities alone come with a refresh", arguments: [true, false])
    func expandedChange(tracksChanges: Bool) async throws {
        let device = try await Device(
            [.init(name: "orders", query: "Orders?$expand=Items")], tracksChanges: tracksChanges)
        try await device.store.download()
        try device.service.execute("UPDATE Items SET Quantity = 99 WHERE OrderID = 2 AND LineNo = 1")
        try device.service.execute("DELETE FROM Items WHERE OrderID = 3 AND LineNo = 1")
        try device.service.execute("INSERT INTO Items VALUES (4, 9, 'new', 1)")
        try await device.store.download()
        #expect(try await device.values("Items?$filter=Quantity eq 99", "OrderID") == [.integer(2)])
        #expect(try await device.count("Orders(3)/Items") == 1)
        #expect(try await device.count("Orders(4)/Items") == 3)
    }

    @Test("Many queries: more holders than one word has bits")
    func manyQueries() async throws {
        let queries = (1...70).map { DefiningQuery(name: "q\($0)", query: "Orders?$filter=OrderID eq \($0 % 25 + 1)") }
        let device = try await Device(queries)
        try await device.store.download()
        #expect(try await device.count("Orders") == 25)
        for name in (1...69).map({ "q\($0)" }) { try device.store.removeQuery(name) }
        #expect(try await device.values("Orders", "OrderID") == [.integer(21)])
    }

    @Test(
        "Queries the store cannot hold are refused",
        arguments: ["Nothing", "Orders?$filter=Nothing eq 1", "Orders/$count", "Photos(1)/$value", "Orders(1)/Note"])
    func refused(query: String) async throws {
        let device = try await Device([])
        #expect(throws: ODataError.self) { try device.store.addQuery(.init(name: "x", query: query)) }
    }

    @Test("A query that is removed while it is downloaded leaves nothing behind")
    func removedMeanwhile() async throws {
        let device = try await Device(
            [.init(name: "a", query: "Orders"), .init(name: "b", query: "Customers")], pageSize: 5)
        let store = device.store
        await #expect { try await store.download { if $0.query == "a" { try? store.removeQuery("a") } } } throws: {
            ($0 as? ODataError)?.code == .conflict
        }
        #expect(try await device.store.status.entities == ["Customers": 3])
        try await device.store.download()
        #expect(try await device.store.status.entities == ["Customers": 3])
    }

    @Test("Two transfers at a time are a conflict")
    func twoTransfers() async throws {
        let device = try await Device([.init(name: "a", query: "Orders")])
        let store = device.store
        let code = Mutex<ODataError.Code?>(nil)
        try await store.download { _ in
            do { try store.clear() } catch { code.withLock { $0 = (error as? ODataError)?.code } }
        }
        #expect(code.withLock { $0 } == .conflict)
        #expect(try await device.count("Orders") == SampleService.orders)
    }

    @Test("Two queries of one name are a conflict")
    func sameName() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        #expect {
            try device.store.addQuery(.init(name: "orders", query: "Items"))
        } throws: { ($0 as? ODataError)?.code == .conflict }
    }
}
