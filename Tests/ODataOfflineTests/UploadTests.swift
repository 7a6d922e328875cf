import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Upload")
struct UploadTests {
    private func device() async throws -> (Device, FaultyStore) {
        let queries = [DefiningQuery(name: "orders", query: "Orders?$expand=Items")]
        let device = try await Device(queries, wrap: { FaultyStore($0) }, configure: { $0.deepInserts = .parts })
        try await device.store.download()
        let remote = try #require(device.remote as? FaultyStore)
        remote.set(.init())
        return (device, remote)
    }

    @Test("A refused request goes to the error archive, its dependents wait, the others are sent")
    func refused() async throws {
        let (device, _) = try await device()
        let made = try await device.create("Orders", #"{"Note":"refused","Items":[{"LineNo":1}]}"#)
        try await device.update("Orders(2)", #"{"Note":"fine"}"#)
        let report = try await device.store.upload()
        #expect(report.succeeded.map(\.url) == ["Orders(2)"])
        #expect(report.failed.count == 1 && report.held.count == 1)
        #expect(try await device.store.queueEntries().map(\.state) == [.failed, .held])
        let error = try #require(try await device.store.errorEntries().first)
        #expect(error.status == 400 && error.method == "POST" && error.url == "Orders")
        #expect(try await device.count("ErrorArchive?$filter=Status eq 400") == 1)
        #expect(try await device.count("RequestQueue") == 2)

        // Repaired, it is sent with the next upload, and so is what depends on it.
        let id = try #require(made.entity?.id)
        try await device.update(id, #"{"Note":"repaired"}"#)
        #expect(try await device.store.upload().succeeded.count == 2)
        #expect(try await device.store.errorEntries().isEmpty)
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID > 25") == ["repaired"])
    }

    @Test("A waiting update whose reference leads nowhere any more stops no response, and is refused by the service")
    func lostReference() async throws {
        let device = try await Device(ChangeTests.queries)
        let store = device.store
        try await store.download()
        let customer = EntityReference.path(try store.path("Orders(5)/Customer"))
        let binding = EntityPayload([:], bindings: [.init(navigation: "Customer", references: [customer])])
        for payload in [EntityPayload(["Note": .string("first")]), binding] {
            _ = try await store.change(
                ChangeRequest(try store.path("Orders(3)"), .update(payload)), options: RequestOptions(combines: false))
        }
        for table in ["Items", "Photos", "Orders"] {
            try device.service.execute("DELETE FROM \(table) WHERE OrderID = 5")
        }
        try await store.download()
        let report = try await store.upload()
        #expect(report.succeeded.count == 1 && report.failed.map(\.url) == ["Orders(3)"])
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == ["first"])
        try await store.undo(.everything)
        #expect(try await device.values("Orders(3)", "Note") == [.string("first")])
    }

    @Test("A request whose response was lost is not applied twice", arguments: 1...3)
    func lostResponse(number: Int) async throws {
        let (device, remote) = try await device()
        let id = try #require(try await device.create("Orders", #"{"Note":"once"}"#).entity?.id)
        try await device.update("Orders(2)", #"{"Amount":77}"#)
        try await device.delete("Items(OrderID=9,LineNo=2)")
        var plan = FaultyStore.Plan()
        plan.lostResponses = [number]
        remote.set(plan)
        await #expect { try await device.store.upload() } throws: { ($0 as? ODataError)?.code == .unreachable }
        #expect(try await device.store.queueEntries().first?.state == .unconfirmed)
        try await device.store.download()
        remote.set(.init())
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders WHERE Note = 'once'") == ["1"])
        #expect(try await device.count("Orders?$filter=Note eq 'once'") == 1)
        #expect(try await device.values(id, "OrderID") == [.integer(26)])
        try await device.store.download()
        #expect(try await device.count("Orders") == 26)
        #expect(try device.service.fetch("SELECT count(*) FROM Items") == ["49"])
    }

    @Test("A service that cannot be reached leaves the rest unsent")
    func unreachable() async throws {
        let (device, remote) = try await device()
        try await device.update("Orders(1)", #"{"Note":"a"}"#)
        try await device.update("Orders(2)", #"{"Note":"b"}"#)
        var plan = FaultyStore.Plan()
        plan.failingChange = 2
        remote.set(plan)
        await #expect { try await device.store.upload() } throws: { ($0 as? ODataError)?.code == .unreachable }
        #expect(try await device.store.queueEntries().map { "\($0.url) \($0.state.rawValue)" } == ["Orders(2) waiting"])
        remote.set(.init())
        #expect(try await device.store.upload().isComplete)
    }

    @Test("Deleting what is gone already is a success")
    func deletedTwice() async throws {
        let (device, _) = try await device()
        try await device.delete("Items(OrderID=9,LineNo=2)")
        try device.service.execute("DELETE FROM Items WHERE OrderID = 9 AND LineNo = 2")
        #expect(try await device.store.upload().succeeded.count == 1)
    }

    @Test("Rows of a removed query stay until their changes are sent")
    func removedQuery() async throws {
        let (device, _) = try await device()
        try await device.update("Orders(1)", #"{"Note":"a"}"#)
        try device.store.removeQuery("orders")
        #expect(try await device.values("Orders", "Note") == [.string("a")])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 1") == ["a"])
        #expect(try await device.count("Orders") == 0)
    }

    @Test("What was made in a set that no query brings goes with the download after it was sent")
    func unsought() async throws {
        let (device, _) = try await device()
        for key in ["X", "Y", "Z"] {
            try await device.create("Customers", #"{"CustomerID":"\#(key)","Name":"new"}"#)
        }
        try await device.store.download()
        #expect(try await device.count("Customers") == 3)
        #expect(try await device.store.upload().isComplete)
        try await device.update("Customers('X')", #"{"Name":"undone"}"#)
        _ = try await device.store.undo(.everything)
        #expect(try await device.count("Customers?$filter=Name eq 'new'") == 3)
        // Requests that wait need what they name.
        try await device.update("Customers('Y')", #"{"Name":"changed"}"#)
        try await device.update("Orders(3)", #"{"Customer@odata.bind":"Customers('Z')"}"#)
        try await device.store.download()
        #expect(try await device.values("Customers?$orderby=CustomerID", "CustomerID") == [.string("Y"), .string("Z")])
        #expect(try await device.store.upload().isComplete)
        try await device.store.download()
        #expect(try await device.count("Customers") == 0)
        let served = try device.service.fetch("SELECT CustomerID, Name FROM Customers WHERE Name <> 'Alpha' ORDER BY 1")
        #expect(served.suffix(3) == ["X|new", "Y|changed", "Z|new"])
        #expect(try device.service.fetch("SELECT CustomerID FROM Orders WHERE OrderID = 3") == ["Z"])
    }
}
