import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Changes that are refused here")
struct RefusedChangeTests {
    private func device() async throws -> Device {
        let device = try await Device([
            DefiningQuery(name: "orders", query: "Orders?$expand=Items"),
            DefiningQuery(name: "customers", query: "Customers"),
        ])
        try await device.store.download()
        return device
    }

    @Test(
        "A value of another type is a bad request that names the property",
        arguments: [
            ("Customers", ["CustomerID": .integer(5), "Name": .string("x")], "CustomerID"),
            ("Customers", ["CustomerID": .string("X"), "Name": .boolean(true)], "Name"),
            ("Orders", ["OrderDate": .string("2024-01-02T03:04:05Z")], "OrderDate"),
            ("Orders", ["Amount": .string("1")], "Amount"),
            ("Items", ["OrderID": .integer(1), "LineNo": .string("9")], "LineNo"),
        ] as [(String, ComplexValue, String)])
    func type(set: String, properties: ComplexValue, property: String) async throws {
        let device = try await device()
        let request = ChangeRequest(try device.store.path(set), .create(EntityPayload(properties)))
        await #expect {
            try await device.store.change(request)
        } throws: { error in
            let error = error as? ODataError
            return error?.code == .badRequest && error?.message.contains(property) == true
        }
        #expect(try device.store.queueEntries().isEmpty)
    }

    @Test("A relation that must be is not taken away")
    func mandatoryRelation() async throws {
        let device = try await device()
        let path = try device.store.path("Items(OrderID=4,LineNo=1)/Order/$ref")
        await #expect {
            try await device.store.change(ChangeRequest(path, .removeReference(nil)))
        } throws: {
            ($0 as? ODataError)?.code == .badRequest
        }
        #expect(try await device.count("Orders(4)/Items") == 2)
        #expect(try device.store.queueEntries().isEmpty)
    }

    @Test("A relation leads to entities of its own set only", arguments: ["Orders(2)", "Items(OrderID=4,LineNo=1)"])
    func otherSet(target: String) async throws {
        let device = try await device()
        let reference = EntityReference.path(try device.store.path(target))
        let ref = ChangeRequest(try device.store.path("Orders(3)/Customer/$ref"), .addReference(reference))
        let binding = EntityPayload([:], bindings: [.init(navigation: "Customer", references: [reference])])
        let update = ChangeRequest(try device.store.path("Orders(3)"), .update(binding))
        let create = ChangeRequest(try device.store.path("Orders"), .create(binding))
        for request in [ref, update, create] {
            await #expect {
                try await device.store.change(request)
            } throws: {
                ($0 as? ODataError)?.code == .badRequest
            }
        }
        #expect(try device.store.queueEntries().isEmpty)
    }
}
