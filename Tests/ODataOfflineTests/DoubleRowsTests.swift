import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

/// The response to a creation was lost, and a download brings the entity before the upload finds out that it is the
/// same.
@Suite("Two rows that turn out to be one entity")
struct DoubleRowsTests {
    private func device() async throws -> (Device, FaultyStore) {
        let device = try await Device(
            [.init(name: "orders", query: "Orders?$expand=Items")], combines: false, wrap: { FaultyStore($0) })
        try await device.store.download()
        return (device, try #require(device.remote as? FaultyStore))
    }

    /// The service executes what waits, but does not recognise it again.
    private func loseResponse(_ device: Device, _ remote: FaultyStore) async throws {
        await remote.loseResponse(to: device.store)
        try await device.store.download()
    }

    @Test("What a change set made below the entity came too: it is one row as well")
    func dependents() async throws {
        let (device, remote) = try await device()
        let orders = try device.store.path("Orders")
        let items = try device.store.path("Items")
        let set = device.store.beginChangeSet()
        let made = try set.change(ChangeRequest(orders, .create(EntityPayload(["Note": .string("once")]))))
        var item = EntityPayload(["LineNo": .integer(1), "Product": .string("new")])
        item.bindings = [.init(navigation: "Order", references: [made])]
        try set.change(ChangeRequest(items, .create(item)))
        try await set.commit()
        try await loseResponse(device, remote)
        try await device.update("Items(OrderID=26,LineNo=1)", #"{"Quantity":5}"#)
        let report = try await device.store.upload()
        #expect(report.isComplete, "\(report)")
        #expect(try await device.store.queueEntries().isEmpty)
        let rows = try device.service.fetch("SELECT OrderID, Product, Quantity FROM Items WHERE OrderID > 25")
        #expect(rows == ["26|new|5"])
        #expect(try await device.count("Orders?$filter=Note eq 'once'") == 1)
        #expect(try await device.values("Items?$filter=OrderID eq 26", "Quantity") == [.integer(5)])
        try await device.store.download()
        #expect(try await device.count("Items") == 51)
    }

    @Test(
        "Changes of either row follow each other, so that none meets the other as a conflict", arguments: [true, false])
    func order(isDoubleFirst: Bool) async throws {
        let (device, remote) = try await device()
        let made = try #require(try await device.create("Orders", #"{"Note":"once"}"#).path?.url)
        try await loseResponse(device, remote)
        let paths = isDoubleFirst ? ["Orders(26)", made] : [made, "Orders(26)"]
        for (path, amount) in zip(paths, [1, 2]) { try await device.update(path, #"{"Amount":\#(amount)}"#) }
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID > 25") == ["once|2"])
        #expect(try await device.values(made, "Amount").map(\.lexical) == ["2"])
        #expect(try await device.count("Orders") == 26)
    }
}
