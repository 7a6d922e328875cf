import Foundation
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

@Suite("Text search in an offline store")
struct SearchTests {
    private func keys(_ url: String, _ device: Device) async throws -> [String] {
        try await device.store.entities(try await device.store.query(url)).compactMap(\.id).sorted()
    }

    private func isIndexed(_ url: String, _ device: Device) async throws -> Bool {
        try await device.store.explain(try await device.store.query(url)).joined().contains(" MATCH ")
    }

    @Test("The full-text table is made with the first search, and follows changes, downloads and undoing")
    func index() async throws {
        let device = try await Device(LiveQueryTests.queries)
        #expect(try await keys("Orders?$search=seventh", device) == [], "nothing is here yet")
        try await device.store.download()
        #expect(try await keys("Orders?$search=note", device).count == 25, "the first load replaced the table")
        #expect(try await isIndexed("Orders?$search=note", device))

        try await device.update("Orders(3)", #"{"Note":"A Städter’s bike"}"#)
        try await device.delete("Orders(4)")
        #expect(try await keys("Orders?$search=stadter AND bik", device) == ["Orders(3)"])
        #expect(try await keys("Orders?$search=NOT note", device) == ["Orders(3)"])
        #expect(try await keys("Orders?$search=note", device).count == 23)
        try await device.store.undo(.everything)
        #expect(try await keys("Orders?$search=note", device).count == 25)
        #expect(try await keys("Orders?$search=stadter", device) == [])

        try device.service.execute("UPDATE Orders SET Note = 'mountain' WHERE OrderID = 9")
        try await device.store.download()
        #expect(try await keys("Orders?$search=mount", device) == ["Orders(9)"])
        let searched = "Customers?$expand=Orders($search=mountain)"
        #expect(try await isIndexed(searched, device))
        #expect(try await device.store.check().isSound)
    }

    @Test("A searched property may go with the service's metadata")
    func metadata() async throws {
        let service = try await ChangingService([.init(name: "dates", query: "Orders?$select=OrderID,OrderDate")])
        let device = service.device
        #expect(try await keys("Orders?$search=note", device) == [])
        #expect(try await isIndexed("Orders?$search=note", device))
        try service.change("ALTER TABLE Orders DROP COLUMN Note", "ALTER TABLE Orders ADD COLUMN Remark TEXT")
        try await device.store.download()
        try await device.update("Orders(7)", #"{"Remark":"fine"}"#)
        #expect(try await keys("Orders?$search=fine", device) == ["Orders(7)"])
        #expect(try await isIndexed("Orders?$search=fine", device))
    }

    @Test("A copy of a store has no words of what is omitted, and clearing takes the full-text table along")
    func export() async throws {
        let device = try await Device(LiveQueryTests.queries)
        try await device.store.download()
        try await device.update("Orders(2)", #"{"Note":"secretwords"}"#)
        #expect(try await keys("Orders?$search=secretwords", device) == ["Orders(2)"])
        let path = device.folder.path + "/copy"
        try await device.store.export(to: path, omitting: ["Orders/Note"])
        let bytes = try #require(FileManager.default.contents(atPath: path + "/store.sqlite"))
        #expect(bytes.range(of: Data("secretwords".utf8)) == nil)
        try device.store.clear()
        #expect(try await keys("Orders?$search=secretwords", device) == [])
    }
}
