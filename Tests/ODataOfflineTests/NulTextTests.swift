import ODataModel
import ODataStores
import Testing

@Suite("Text with U+0000")
struct NulTextTests {
    private static let text = Value.string("before\0after")
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
}
