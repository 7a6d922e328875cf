import ODataModel
import ODataOffline
import ODataStores
import Testing

@Suite("Properties that were not asked for, and streams that change alone")
struct SelectedColumnTests {
    @Test("A property that no query asks for of a row is absent there, not null")
    func absent() async throws {
        let device = try await Device([
            .init(name: "some", query: "Orders?$filter=OrderID le 10&$select=Amount"),
            .init(name: "all", query: "Orders?$filter=OrderID ge 10"),
        ])
        try await device.store.download()
        let note: (Int) async throws -> EdmValue? = { try await device.entities("Orders(\($0))").first?["Note"] }
        #expect(try await note(1) == nil)
        #expect(try await note(10) == .string("note 10"))
        #expect(try await note(11) == .string("note 11"))
        #expect(try await device.entities("Orders(1)?$select=Note,Amount").first?["Amount"] != nil)
        // What is set or made here is known.
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        #expect(try await note(2) == .string("mine"))
        try await device.create("Orders", #"{"OrderID":500,"CustomerID":"A"}"#)
        #expect(try await note(500) == .null)
        // Nothing keeps the value up to date any more.
        try device.store.removeQuery("all")
        #expect(try await note(10) == nil)
        try device.store.addQuery(.init(name: "all", query: "Orders"))
        try await device.store.download()
        #expect(try await note(1) == .string("note 1"))
    }

    @Test("A null that came while a change waits is not undone by a query that does not ask for the property")
    func nullInShadow() async throws {
        let device = try await Device([
            .init(name: "all", query: "Orders"), .init(name: "amounts", query: "Orders?$select=Amount"),
        ])
        try await device.store.download()
        try await device.update("Orders(1)", #"{"Note":"mine"}"#)
        try device.service.execute("UPDATE Orders SET Note = NULL WHERE OrderID = 1")
        try await device.store.download(["all"])
        try device.service.execute("UPDATE Orders SET Amount = 99 WHERE OrderID = 1")
        try await device.store.download(["amounts"])
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
        #expect(try await device.values("Orders(1)", "Note") == [.null])
        #expect(try await device.count("Orders?$filter=Amount eq 99") == 1)
    }

    @Test("A query that selects properties leaves dynamic ones and streams as another query has brought them")
    func untouched() async throws {
        let service = try await ShopService()
        try await service.create("Things", ["ID": .string("a"), "Color": .string("red"), "Size": .integer(3)])
        try await service.create("Vehicles/Shop.Car", ["ID": .integer(2), "Name": .string("car")])
        try await service.upload("Vehicles(2)/Shop.Car/Plan", "the plan")
        let device = try await service.device([
            .init(name: "things", query: "Things"), .init(name: "keys", query: "Things?$select=ID"),
            .init(name: "cars", query: "Vehicles", retrievesStreams: true),
            .init(name: "names", query: "Vehicles?$select=Name", retrievesStreams: true, refresh: .comparison),
        ])
        #expect(try await device.store.download(["things", "cars"]).streams == 1)
        for _ in 1...2 {
            #expect(try await device.store.download(["keys", "names"]).streams == 0)
            #expect(try await device.lines("Things", "ID", "Color", "Size") == ["a red 3"])
            #expect(try await device.text("Vehicles(2)/Shop.Car/Plan") == "the plan")
        }
        try await service.update("Things('a')", ["Color": .string("blue")])
        try await device.store.download()
        #expect(try await device.lines("Things", "ID", "Color", "Size") == ["a blue 3"])
    }

    @Test("A dynamic property that is selected comes with the others, as they are kept together")
    func dynamic() async throws {
        let service = try await ShopService()
        try await service.create("Things", ["ID": .string("a"), "Color": .string("red"), "Size": .integer(3)])
        let device = try await service.device([.init(name: "things", query: "Things?$select=Color")])
        try await device.store.download()
        #expect(try await device.lines("Things", "ID", "Color", "Size") == ["a red 3"])
    }

    @Test("A stream that changed without its entity is found where the app wants it", arguments: [true, false])
    func streams(checks: Bool) async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        responses.set(
            "/Photos?",
            """
            {"@odata.context":"http://service.test/$metadata#Photos","value":[
            {"@odata.etag":"W/\\"1\\"","PhotoID":1,"Title":"photo 1","OrderID":1}]}
            """)
        let query = DefiningQuery(
            name: "photos", query: "Photos?$filter=PhotoID eq 1", retrievesStreams: true, checksStreams: checks)
        let device = try await ShopDevice([query], remote: responses.remote(over: service.store)) { _ in }
        #expect(try await device.store.download().streams == 1)
        #expect(try await device.store.download().streams == 0)
        try service.execute("UPDATE Photos SET Image = x'0102' WHERE PhotoID = 1")
        #expect(try await device.store.download().streams == (checks ? 1 : 0))
        let request = StreamRequest(try device.store.path("Photos(1)"))
        let length = try await device.store.readStream(request).content.collect(upTo: 1 << 20).count
        #expect(length == (checks ? 2 : 10_000))
        #expect(try await device.store.download().streams == 0)
    }
}
