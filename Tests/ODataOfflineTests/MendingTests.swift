import ODataModel
import ODataOffline
import ODataStores
import Testing

@Suite("Mending what was refused")
struct MendingTests {
    private func device() async throws -> Device {
        let queries = [
            DefiningQuery(name: "orders", query: "Orders?$expand=Items"),
            DefiningQuery(name: "customers", query: "Customers"),
        ]
        let device = try await Device(queries, combines: false)
        try await device.store.download()
        return device
    }

    @Test("An update mends a refused creation that other updates wait behind")
    func creation() async throws {
        let device = try await device()
        let id = try #require(try await device.create("Orders", #"{"Note":"refused","CustomerID":"A"}"#).entity?.id)
        try await device.update(id, #"{"Amount":7}"#)
        #expect(try await device.store.upload().held.count == 1)
        try await device.update(id, #"{"Note":"mended"}"#)
        #expect(try device.store.queueEntries().map(\.method) == ["POST"])
        #expect(try await device.store.upload().isComplete)
        let rows = try device.service.fetch("SELECT CustomerID, Amount, Note FROM Orders WHERE OrderID > 25")
        #expect(rows == ["A|7|mended"])
        #expect(try device.store.errorEntries().isEmpty)
    }

    @Test("A foreign key given by the temporary key of an uploaded entity is that of the service")
    func temporaryKey() async throws {
        let device = try await device()
        let made = try await device.create("Orders", #"{"Note":"new"}"#)
        let key = try #require(made.entity?.id?.dropFirst("Orders(".count).dropLast())
        #expect(try await device.store.upload().isComplete)
        let item = try await device.create("Items", #"{"OrderID":\#(key),"LineNo":1}"#)
        #expect(item.entity?["OrderID"] == .integer(26))
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT LineNo FROM Items WHERE OrderID = 26") == ["1"])
    }
}
