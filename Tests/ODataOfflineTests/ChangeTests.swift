import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Local changes")
struct ChangeTests {
    static let queries = [
        DefiningQuery(name: "orders", query: "Orders?$expand=Items"),
        DefiningQuery(name: "customers", query: "Customers"),
    ]

    private func device(wrap: (any ODataStore) -> any ODataStore = { $0 }) async throws -> Device {
        let device = try await Device(Self.queries, wrap: wrap)
        try await device.store.download()
        return device
    }

    @Test("An update is visible at once and reaches the service")
    func update() async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"changed"}"#)
        #expect(try await device.values("Orders(3)", "Note") == [.string("changed")])
        #expect(try await device.store.queueEntries().map { "\($0.method) \($0.url)" } == ["PATCH Orders(3)"])
        #expect(try await device.store.upload().succeeded.count == 1)
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == ["changed"])
        #expect(try await device.store.queueEntries().isEmpty)
        try await device.update("Orders(3)", #"{"Note":"again"}"#)
        #expect(try await device.store.upload().isComplete)
    }

    @Test("Who asks for a minimal response gets the path and the ETag, and no entity")
    func minimalResponse() async throws {
        let device = try await device()
        let payload = EntityPayload(["Note": .string("changed")])
        var update = ChangeRequest(try device.store.path("Orders(3)"), .update(payload))
        let whole = try await device.store.change(update)
        update.returnPreference = .minimal
        let minimal = try await device.store.change(update)
        #expect(whole.entity?["Note"] == .string("changed") && minimal.entity == nil)
        #expect(minimal.path == whole.path && minimal.etag == whole.etag && minimal.etag != nil)
        var create = ChangeRequest(try device.store.path("Orders"), .create(payload))
        create.returnPreference = .minimal
        let created = try await device.store.change(create)
        #expect(created.entity == nil && created.path != nil)
        #expect(try await device.store.upload().isComplete)
    }

    @Test("The first change of a set, given up after its tables were made, is in nobody's way")
    func givenUp() async throws {
        let device = try await device()
        let change = ChangeRequest(
            try device.store.path("Orders(3)"), .update(EntityPayload(["Note": .string("lost")])))
        let missing = ChangeRequest(try device.store.path("Orders(99)"), .delete)
        await #expect(throws: ODataError.self) { try await device.store.changeSet([change, missing]) }
        try await device.update("Orders(3)", #"{"Note":"changed"}"#)
        #expect(try await device.values("Orders(3)", "Note") == [.string("changed")])
        #expect(try await device.store.upload().isComplete)
    }

    @Test("A deep insert makes a request for each entity; keys are repaired everywhere after the upload")
    func create() async throws {
        let device = try await device()
        let made = try await device.create(
            "Orders",
            #"{"CustomerID":"A","Note":"new","Items":[{"LineNo":1,"Product":"x"},{"LineNo":2,"Product":"y"}]}"#)
        let id = try #require(made.entity?.id)
        #expect(id == "Orders(-2147483647)" || id.hasPrefix("Orders(-"))
        #expect(made.entity?["OrderID"] == nil)
        #expect(try await device.count("\(id)/Items") == 2)
        #expect(try await device.entities(id).first?["OrderID"] == nil)
        let items = try await device.entities("\(id)/Items").compactMap(\.id)
        try await device.update(items[0], #"{"Quantity":7}"#)
        #expect(try await device.store.queueEntries().count == 3)

        let report = try await device.store.upload()
        #expect(report.succeeded.count == 3)
        #expect(
            try device.service.fetch(
                "SELECT OrderID, LineNo, Product, Quantity FROM Items WHERE OrderID > 25 ORDER BY 2")
                == ["26|1|x|7", "26|2|y|NULL"])
        #expect(try await device.values(id, "OrderID") == [.integer(26)])
        #expect(try await device.values(items[0], "OrderID") == [.integer(26)])
        #expect(try await device.count("Orders(26)/Items") == 2)
        #expect(try device.store.path(id).url == "Orders(26)")
        try await device.store.download()
        #expect(try await device.count("Orders") == 26)
        #expect(try await device.count("Items") == 52)
    }

    @Test("What was made here and is deleted here is never sent")
    func createAndDelete() async throws {
        let device = try await device()
        let id = try #require(try await device.create("Orders", #"{"Note":"new"}"#).entity?.id)
        try await device.delete(id)
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.count("Orders") == 25)
    }

    @Test("A delete hides the entity at once")
    func delete() async throws {
        let device = try await device()
        try await device.delete("Items(OrderID=4,LineNo=1)")
        #expect(try await device.count("Orders(4)/Items") == 1)
        try await device.store.download()
        #expect(try await device.count("Orders(4)/Items") == 1)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT count(*) FROM Items WHERE OrderID = 4") == ["1"])
    }

    @Test("Relations are changed by binding and by reference")
    func navigation() async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Customer@odata.bind":"Customers('B')"}"#)
        #expect(try await device.values("Orders(3)/Customer", "Name") == [.string("Beta")])
        let path = try device.store.path("Orders(6)/Customer/$ref")
        let target = try device.store.path("Customers('C')")
        _ = try await device.store.change(ChangeRequest(path, .addReference(.path(target))))
        #expect(try await device.values("Orders(6)/Customer", "Name") == [.string("Gamma")])
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(3)", "Orders(6)/Customer/$ref"])
        #expect(try await device.store.upload().isComplete)
        #expect(
            try device.service.fetch("SELECT CustomerID FROM Orders WHERE OrderID IN (3, 6) ORDER BY OrderID") == [
                "B", "C",
            ])
    }

    @Test(
        "What a client can know to be wrong is refused before anything is written",
        arguments: [#"{"Nothing":1}"#, #"{"Amount":"many"}"#, #"{"CustomerID":5}"#])
    func refused(json: String) async throws {
        let device = try await device()
        await #expect(throws: ODataError.self) { try await device.create("Orders", json) }
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.count("Orders") == 25)
    }

    @Test("A change set happens as a whole or not at all")
    func changeSet() async throws {
        let device = try await device()
        let good = ChangeRequest(try device.store.path("Orders(1)"), .update(EntityPayload(["Note": .string("a")])))
        let bad = ChangeRequest(try device.store.path("Orders(999)"), .delete)
        await #expect { try await device.store.changeSet([good, bad]) } throws: {
            ($0 as? ODataError)?.requestIndex == 1
        }
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.values("Orders(1)", "Note") == [.string("note 1")])
    }

    @Test("A refresh keeps local changes and remembers what came meanwhile")
    func shadow() async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        try await device.store.download()
        #expect(try await device.values("Orders(3)", "Note") == [.string("mine")])
        let report = try await device.store.upload()
        #expect(report.failed.map(\.status) == [412])
        #expect(try await device.values("Orders(3)", "Note") == [.string("mine")])
    }

    @Test("Changes survive closing; opening needs no service")
    func durable() async throws {
        let device = try await device()
        let id = try #require(try await device.create("Orders", #"{"Note":"kept"}"#).entity?.id)
        try device.store.close()
        let again = try OfflineStore(folder: device.folder.path + "/store", remote: nil)
        try await again.open()
        #expect(try await again.entities(try await again.query(id)).first?["Note"] == .string("kept"))
        #expect(try await again.queueEntries().count == 1)
        await #expect(throws: ODataError.self) { try await again.download() }
        try again.close()
    }
}
