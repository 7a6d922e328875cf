import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Undo")
struct UndoTests {
    private func device() async throws -> Device {
        let device = try await Device([.init(name: "orders", query: "Orders?$expand=Items")], combines: false)
        try await device.store.download()
        return device
    }

    @Test("An update that is undone leaves what the service said, and later changes")
    func update() async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"a","Amount":1}"#)
        try await device.update("Orders(3)", #"{"Note":"b"}"#)
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
        #expect(try await device.values("Orders(3)", "Note") == [.string("b")])
        #expect(try await device.count("Orders(3)/Items") == 2)
        #expect(try await device.count("Orders?$filter=OrderID eq 3 and Amount eq 30") == 1)
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
        #expect(try await device.values("Orders(3)", "Note") == [.string("note 3")])
    }

    @Test("A delete that is undone shows the entity again; a creation takes along what belongs to it")
    func deleteAndCreate() async throws {
        let device = try await device()
        try await device.delete("Items(OrderID=3,LineNo=1)")
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
        #expect(try await device.count("Orders(3)/Items") == 2)
        try await device.create("Orders", #"{"Note":"new","Items":[{"LineNo":1},{"LineNo":2}]}"#)
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.count("Orders") == 25)
        #expect(try await device.count("Items") == 50)
    }

    @Test("After a conflict the app can give way or overwrite", arguments: [true, false])
    func conflict(overwrites: Bool) async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        #expect(try await device.store.upload().failed.map(\.status) == [412])
        try await device.store.download()
        let request = try #require(try await device.store.errorEntries().first).requestID
        if overwrites {
            try await device.store.resolve(requestID: request, as: .mine)
        } else {
            try await device.store.undo(.request(request))
        }
        #expect(try await device.store.upload().isComplete)
        let expected = overwrites ? "mine" : "theirs"
        #expect(try await device.values("Orders(3)", "Note") == [.string(expected)])
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == [expected])
        #expect(try await device.store.errorEntries().isEmpty)
    }
}
