import GRDB
import ODataModel
import ODataOffline
import ODataStores
import Testing

@Suite("Ways to refresh")
struct RefreshModeTests {
    private func rewritten(_ device: Device) throws -> [String] {
        let queue = try DatabaseQueue(path: device.folder.path + "/store/store.sqlite")
        defer { try? queue.close() }
        return try queue.read { db in
            // The store's own collations are not there: plain columns only.
            try Row.fetchAll(db, sql: #"SELECT "OrderID", "$download" FROM "Orders" WHERE "$download" > 1"#).map {
                "\($0[0] as Int) \($0[1] as Int)"
            }
        }
    }

    @Test("A comparison writes only what has changed, and finds what is gone")
    func comparison() async throws {
        let device = try await Device(
            [.init(name: "orders", query: "Orders?$expand=Items", refresh: .comparison)], pageSize: 7)
        let first = try await device.store.download()
        #expect(first.queries.map(\.mode) == [.full])
        try device.service.execute("UPDATE Orders SET Note = 'other' WHERE OrderID = 3")
        try device.service.execute("DELETE FROM Items WHERE OrderID = 5")
        try device.service.execute("DELETE FROM Photos WHERE OrderID = 5")
        try device.service.execute("DELETE FROM Orders WHERE OrderID = 5")
        try device.service.execute("INSERT INTO Orders VALUES (100, 'A', 1, NULL, 'new')")
        let report = try await device.store.download()
        #expect(report.queries.map(\.mode) == [.comparison])
        #expect(report.queries.first?.reason == nil)
        #expect(report.queries.first?.bytes ?? 0 > 0)
        #expect(try await device.values("Orders(3)", "Note") == [.string("other")])
        #expect(try await device.count("Orders") == SampleService.orders)
        #expect(try await device.count("Items") == 48)
        #expect(try rewritten(device) == ["3 2", "100 2"])
    }

    @Test("Rows that come again in pages, in another order and after a cut are all known")
    func manyRows() async throws {
        let service = try SampleService(more: [
            """
            WITH RECURSIVE n(i) AS (SELECT 26 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO Orders SELECT i, 'A', i % 7, NULL, 'note ' || i FROM n
            """
        ])
        let queries = [
            DefiningQuery(name: "keys", query: "Orders"),
            DefiningQuery(name: "amounts", query: "Orders?$orderby=Amount desc", refresh: .comparison),
        ]
        let device = try await Device(queries, service: service, pageSize: 400, wrap: { FaultyStore($0) })
        let remote = try #require(device.remote as? FaultyStore)
        try await device.store.download(["keys"])
        try await device.store.download(["amounts"])
        try service.execute("DELETE FROM Orders WHERE OrderID IN (1026, 2900)")
        remote.set(.init(failingRead: 4))
        await #expect(throws: ODataError.self) { try await device.store.download(["amounts"]) }
        remote.set(.init())
        #expect(try await device.store.download(["amounts"]).queries.map(\.mode) == [.comparison])
        #expect(remote.count.reads == 5)
        try device.store.removeQuery("keys")
        #expect(try await device.count("Orders") == 2998)
        #expect(try rewritten(device).isEmpty)
    }

    @Test("Why a query is compared is said")
    func reason() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders?$expand=Items")])
        try await device.store.download()
        let report = try await device.store.download()
        #expect(report.queries.map(\.mode) == [.comparison])
        #expect(report.queries.first?.reason != nil)
        let single = try await Device([.init(name: "orders", query: "Orders")])
        try await single.store.download()
        let delta = try await single.store.download()
        #expect(delta.queries.map(\.mode) == [.delta])
        #expect(delta.queries.first?.reason == nil)
    }

    @Test("Where the metadata says that changes are not tracked they are not asked for, unless the app wants it")
    func capabilities() async throws {
        let service = try await ShopService()
        try await service.fill()
        for (refresh, mode) in [(DefiningQuery.Refresh.automatic, RefreshMode.comparison), (.delta, .delta)] {
            let device = try await service.directDevice([.init(name: "tags", query: "Tags", refresh: refresh)])
            try await device.store.download()
            let report = try await device.refresh()
            #expect(report.mode == mode)
            #expect((report.reason?.contains("metadata") == true) == (mode == .comparison))
        }
    }

    @Test("A newer version that came with fewer properties does not pass for the whole")
    func fewerProperties() async throws {
        let device = try await Device([
            .init(name: "all", query: "Orders", refresh: .comparison),
            .init(name: "some", query: "Orders?$select=Amount", refresh: .comparison),
        ])
        try await device.store.download()
        try device.service.execute("UPDATE Orders SET Note = 'other' WHERE OrderID = 3")
        // The row has the new ETag then, but not the new note.
        try await device.store.download(["some"])
        try await device.store.download(["all"])
        #expect(try await device.values("Orders(3)", "Note") == [.string("other")])
    }

    @Test("A property that tells of changes: ties come again, and what is gone is found now and then")
    func changedSince() async throws {
        let query = DefiningQuery(
            name: "orders", query: "Orders?$filter=OrderID lt 1000&$select=Note",
            refresh: .changedSince("Amount", compareEvery: 2))
        let device = try await Device([query])
        try await device.store.download()
        // The greatest amount is 250: order 25 has it.
        try device.service.execute("INSERT INTO Orders VALUES (100, 'A', 250, NULL, 'tie')")
        try device.service.execute("INSERT INTO Orders VALUES (101, 'A', 300, NULL, 'new')")
        try device.service.execute("INSERT INTO Orders VALUES (2000, 'A', 400, NULL, 'filtered')")
        try device.service.execute("DELETE FROM Items WHERE OrderID = 10")
        try device.service.execute("DELETE FROM Orders WHERE OrderID = 10")
        let second = try await device.store.download()
        #expect(second.queries.map(\.mode) == [.changedSince])
        #expect(second.queries.first?.entities == 3)
        #expect(try await device.values("Orders?$filter=OrderID ge 100", "Note") == [.string("tie"), .string("new")])
        // Not found yet.
        #expect(try await device.count("Orders(10)") == 1)
        let third = try await device.store.download()
        #expect(third.queries.map(\.mode) == [.changedSince])
        #expect(third.queries.first?.entities == 1)
        #expect(try await device.count("Orders?$filter=OrderID eq 10") == 0)
        #expect(try await device.count("Orders") == SampleService.orders + 1)
    }

    @Test("What changed while the service's clock was wrong is found by its ETag when keys are read")
    func clock() async throws {
        let service = try await ShopService()
        try await service.fill()
        let device = try await service.device([
            .init(name: "orders", query: "Orders", refresh: .changedSince("ModifiedAt", compareEvery: 2))
        ])
        let modify: (Int, String, String) async throws -> Void = { id, year, note in
            let time = try #require(EdmDateTimeOffset("\(year)-01-02T03:04:05Z"))
            try await service.update("Orders(\(id))", ["ModifiedAt": .dateTimeOffset(time), "Note": .string(note)])
        }
        for id in 1...3 { try await modify(id, "2024", "old") }
        try await modify(1, "2099", "from the future")
        try await device.store.download()
        try await modify(2, "2025", "after the clock was mended")
        #expect(try await device.refresh().mode == .changedSince)
        #expect(try await device.lines("Orders(2)", "Note") == ["old"])
        let report = try await device.refresh()
        #expect(report.mode == .comparison)
        #expect(report.reason?.contains("have changed") == true)
        #expect(try await device.lines("Orders(2)", "Note") == ["after the clock was mended"])
        // Changes that are told need no comparison.
        try await modify(3, "2100", "told")
        for _ in 1...4 { #expect(try await device.refresh().mode == .changedSince) }
        #expect(try await device.lines("Orders(3)", "Note") == ["told"])
    }

    @Test(
        "Properties that cannot tell of changes are refused",
        arguments: [("Orders", "Nothing"), ("Orders?$top=3", "Amount"), ("Orders(1)", "Amount")])
    func refused(query: String, property: String) async throws {
        let device = try await Device([])
        #expect {
            try device.store.addQuery(.init(name: "x", query: query, refresh: .changedSince(property)))
        } throws: { ($0 as? ODataError)?.code == .badRequest }
    }

    @Test("A row with unsent changes keeps them, and what came meanwhile is at hand")
    func overlap() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders", refresh: .comparison)])
        try await device.store.download()
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try await device.update("Orders(4)", #"{"Note":"mine too"}"#)
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        try device.service.execute("DELETE FROM Items WHERE OrderID = 4")
        try device.service.execute("DELETE FROM Photos WHERE OrderID = 4")
        try device.service.execute("DELETE FROM Orders WHERE OrderID = 4")
        try await device.store.download()
        #expect(try await device.values("Orders(3)", "Note") == [.string("mine")])
        #expect(try await device.values("Orders(4)", "Note") == [.string("mine too")])
        let queue = try DatabaseQueue(path: device.folder.path + "/store/store.sqlite")
        defer { try? queue.close() }
        let theirs = try await queue.read { try String.fetchAll($0, sql: #"SELECT "Note" FROM "$theirs$Orders""#) }
        #expect(theirs == ["theirs"])
        // 2: pending, 32: removed at the service
        let states = try await queue.read {
            try Int.fetchAll($0, sql: #"SELECT "$state" FROM "Orders" WHERE "$state" <> 0 ORDER BY "OrderID""#)
        }
        #expect(states == [2, 34])
    }

    @Test("What the service computed for a change made here comes with the next comparison, though the ETag is known")
    func computed() async throws {
        let service = try SampleService(more: [
            """
            CREATE TRIGGER stamp AFTER UPDATE OF Note ON Orders
            BEGIN UPDATE Orders SET Amount = 77 WHERE OrderID = new.OrderID; END
            """
        ])
        let remote = try FixedResponses().remote(over: service.store)
        let device = try await ShopDevice(
            [.init(name: "orders", query: "Orders?$filter=OrderID eq 3", refresh: .comparison)], remote: remote
        ) { _ in }
        try await device.store.download()
        let path = try device.store.path("Orders(3)")
        var request = ChangeRequest(path, .update(try await device.store.payload(#"{"Note":"mine"}"#, for: path)))
        request.returnPreference = .minimal
        _ = try await device.store.change(request)
        #expect(try await device.store.upload().isComplete)
        for _ in 1...2 {
            try await device.store.download()
            #expect(try await device.lines("Orders", "Note", "Amount") == ["mine 77"])
        }
    }

    @Test("Removing a query keeps what has unsent changes, which is not a removal at the service")
    func removal() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.store.removeQuery("orders")
        #expect(try await device.values("Orders", "Note") == [.string("mine")])
        try await device.store.upload()
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == ["mine"])
    }

    @Test("Queries are downloaded side by side", arguments: [1, 4])
    func parallel(limit: Int) async throws {
        let service = try SampleService()
        let folder = try TemporaryFolder()
        var configuration = Device.configuration(pageSize: 3)
        configuration.parallelQueries = limit
        let store = try OfflineStore(
            folder: folder.path + "/store", remote: service.store, configuration: configuration)
        try await store.open()
        for name in ["Orders", "Items", "Customers", "Photos"] {
            try store.addQuery(.init(name: name, query: name))
            try store.addQuery(.init(name: name + " again", query: name))
        }
        for _ in 1...2 {
            let report = try await store.download()
            #expect(report.queries.map(\.name) == (try await store.queries.map(\.name)))
            #expect(try await store.status.entities == ["Orders": 25, "Items": 50, "Customers": 3, "Photos": 4])
        }
    }
}
