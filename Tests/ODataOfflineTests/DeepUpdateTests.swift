import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Local updates with nested entities")
struct DeepUpdateTests {
    private func device() async throws -> Device {
        let device = try await Device(ChangeTests.queries)
        try await device.store.download()
        return device
    }

    private func update(_ device: Device, _ url: String, _ payload: EntityPayload) async throws {
        _ = try await device.store.change(ChangeRequest(try device.store.path(url), .update(payload)))
    }

    private func requests(_ device: Device) async throws -> [String] {
        try await device.store.queueEntries().map { "\($0.method) \($0.url) \($0.body ?? "")" }
    }

    private static let items = "SELECT LineNo, Product, Quantity FROM Items WHERE OrderID = 3 ORDER BY LineNo"

    @Test("Each nested entity has a request of its own; a member that cannot exist alone is deleted")
    func replaced() async throws {
        let device = try await device()
        let nested = EntityPayload.Nested(
            navigation: "Items",
            entities: [
                EntityPayload(["LineNo": .integer(1), "Quantity": .integer(9)]),
                EntityPayload(["LineNo": .integer(3), "Product": .string("new")]),
            ])
        try await update(device, "Orders(3)", EntityPayload(["Note": .string("deep")], nested: [nested]))
        #expect(
            try await requests(device) == [
                #"PATCH Orders(3) {"Note":"deep"}"#, #"PATCH Items(OrderID=3,LineNo=1) {"Quantity":9}"#,
                #"POST Items {"LineNo":3,"Product":"new","OrderID":3}"#, "DELETE Items(OrderID=3,LineNo=2) ",
            ])
        #expect(
            try await device.values("Orders(3)/Items?$orderby=LineNo", "LineNo") == [.integer(1), .integer(3)])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch(Self.items) == ["1|product 1|9", "3|new|NULL"])
    }

    @Test("Two steps about one entity are one request, and undone they leave the service's version")
    func combined() async throws {
        let device = try await device()
        let nested = EntityPayload.Nested(
            navigation: "Orders",
            entities: [EntityPayload(["OrderID": .integer(4), "Note": .string("moved")])], isDelta: true)
        try await update(device, "Customers('A')", EntityPayload(nested: [nested]))
        #expect(try await requests(device) == [#"PATCH Orders(4) {"Note":"moved","CustomerID":"A"}"#])
        #expect(try await device.values("Orders(4)", "CustomerID") == [.string("A")])
        try await device.store.undo(.everything)
        #expect(try await device.values("Orders(4)", "CustomerID") == [.string("B")])
        #expect(try await device.values("Orders(4)", "Note") == [.string("note 4")])
    }

    @Test("Values of one entity that are given twice are refused, and so is the removal of what its key holds")
    func refused() async throws {
        let device = try await device()
        let item = EntityPayload(["LineNo": .integer(1), "Quantity": .integer(9)])
        let nested = EntityPayload.Nested(navigation: "Items", entities: [item, item])
        let reference = EntityReference.path(try device.store.path("Items(OrderID=3,LineNo=1)"))
        for (url, operation, text) in [
            ("Orders(3)", .update(EntityPayload(nested: [nested])), "twice"),
            ("Orders(3)/Items", .removeReference(reference), "delete the entity instead"),
        ] as [(String, ChangeRequest.Operation, String)] {
            let error = await #expect(throws: ODataError.self) {
                try await device.store.change(ChangeRequest(try device.store.path(url), operation))
            }
            #expect(error?.code == .badRequest && error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        #expect(try await requests(device).isEmpty)
    }
}
