import ODataModel
import ODataStores
import Testing

@Suite("Text with U+0000")
struct NulTextTests {
    private static let text = EdmValue.string("before\0after")
    private static let hex = "6265666F7265006166746572"

    private func device() async throws -> Device {
        let device = try await Device(ChangeTests.queries)
        try await device.store.download()
        return device
    }

    @Test("What comes after it is kept, found and sent")
    func update() async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"before\u0000after"}"#)
        #expect(try await device.values("Orders(3)", "Note") == [Self.text])
        #expect(try await device.count("Orders?$filter=Note eq 'before%00after'") == 1)
        #expect(try await device.count("Orders?$filter=Note eq 'before'") == 0)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT hex(Note) FROM Orders WHERE OrderID = 3") == [Self.hex])
        #expect(try await device.values("Orders(3)", "Note") == [Self.text])
    }

    @Test("A new entity has all of it")
    func create() async throws {
        let device = try await device()
        let made = try await device.create("Orders", #"{"CustomerID":"A","Note":"before\u0000after"}"#)
        #expect(made.entity?["Note"] == Self.text)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT count(*) FROM Orders WHERE hex(Note) = '\(Self.hex)'") == ["1"])
    }

    @Test("In keys it is refused, and such a key leads to no other entity")
    func keys() async throws {
        let device = try await device()
        let error = await #expect(throws: ODataError.self) {
            try await device.create("Customers", #"{"CustomerID":"A\u0000","Name":"x"}"#)
        }
        #expect(error?.code == .badRequest)
        await #expect(throws: ODataError.self) { try await device.update("Customers('A%00')", #"{"Name":"x"}"#) }
        #expect(try await device.values("Customers('A')", "Name") == [.string("Alpha")])
    }

    @Test("An entity with such a key that a download brings is read, changed, referred to and deleted as any other")
    func downloadedKey() async throws {
        let service = try SampleService(more: ["INSERT INTO Customers VALUES ('A' || char(0) || 'b', 'Nul')"])
        let device = try await Device(ChangeTests.queries, service: service)
        try await device.store.download()
        let entity = "Customers('A%00b')"
        #expect(try await device.values(entity, "CustomerID") == [.string("A\0b")])
        try await device.update(entity, #"{"Name":"changed"}"#)
        let made = try await device.create("\(entity)/Orders", #"{"Note":"of the key"}"#)
        #expect(made.entity?["CustomerID"] == .string("A\0b"))
        #expect(try await device.store.queueEntries().map(\.url).first == entity)
        #expect(try await device.store.upload().isComplete)
        let names = "SELECT hex(CustomerID), Name FROM Customers WHERE Name IN ('Alpha', 'changed') ORDER BY Name"
        #expect(try service.fetch(names) == ["41|Alpha", "410062|changed"])
        #expect(try service.fetch("SELECT hex(CustomerID) FROM Orders WHERE Note = 'of the key'") == ["410062"])

        try service.execute("UPDATE Customers SET Name = 'there' WHERE Name = 'changed'")
        try await device.store.download()
        #expect(try await device.values(entity, "Name") == [.string("there")])
        #expect(try await device.count("\(entity)/Orders") == 1)

        try await device.delete("Orders(\(SampleService.orders + 1))")
        try await device.delete(entity)
        #expect(try await device.store.upload().isComplete)
        try await device.store.download()
        #expect(try service.fetch("SELECT CustomerID FROM Customers ORDER BY 1") == ["A", "B", "C"])
        #expect(try await device.count("Customers") == 3)
    }

    @Test("A delta tells that an entity with such a key is gone, and of no other")
    func removedKey() async throws {
        let service = try SampleService(more: ["INSERT INTO Customers VALUES ('A' || char(0) || 'b', 'Nul')"])
        let device = try await Device(ChangeTests.queries, service: service)
        try await device.store.download()
        try service.execute("DELETE FROM Customers WHERE Name = 'Nul'")
        try await device.store.download()
        #expect(
            try await device.values("Customers?$orderby=CustomerID", "CustomerID")
                == ["A", "B", "C"].map(EdmValue.string))
    }
}
