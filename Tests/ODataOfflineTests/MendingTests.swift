import ODataModel
import ODataOffline
import ODataQuery
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
        #expect(try await device.store.queueEntries().map(\.method) == ["POST"])
        #expect(try await device.store.upload().isComplete)
        let rows = try device.service.fetch("SELECT CustomerID, Amount, Note FROM Orders WHERE OrderID > 25")
        #expect(rows == ["A|7|mended"])
        #expect(try await device.store.errorEntries().isEmpty)
    }

    @Test("What an update brings into an earlier request is waited for, and taken back with it")
    func ties() async throws {
        let device = try await Device(ChangeTests.queries)
        try await device.store.download()
        try await device.create("Customers", #"{"CustomerID":"X","Name":"new"}"#)
        try await device.update("Orders(3)", #"{"Note":"a"}"#)
        #expect(try await device.store.queueEntries().map(\.dependsOn) == [[], []])
        try await device.update("Orders(3)", #"{"CustomerID":"X"}"#)
        let entries = try await device.store.queueEntries()
        #expect(entries.map(\.method) == ["POST", "PATCH"] && entries[1].dependsOn == [entries[0].id])
        #expect(try await device.store.undoPlan(.request(entries[0].id)).requests.count == 2)
        // Back to a customer that is there: nothing is waited for any more.
        try await device.update("Orders(3)", #"{"Customer@odata.bind":"Customers('B')"}"#)
        #expect(try await device.store.queueEntries().map(\.dependsOn) == [[], []])
        #expect(try await device.store.queueEntries()[1].body?.contains("CustomerID") == false)
        try await device.update("Orders(3)", #"{"CustomerID":"C"}"#)
        #expect(try await device.store.queueEntries()[1].body?.contains("Customer@") == false)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT CustomerID FROM Orders WHERE OrderID = 3") == ["C"])
    }

    @Test("A refused request that is mended with what was made since comes behind that")
    func laterCreation() async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"refused"}"#)
        #expect(try await device.store.upload().failed.count == 1)
        try await device.create("Customers", #"{"CustomerID":"X","Name":"new"}"#)
        try await device.update("Orders(3)", #"{"Note":"mended","CustomerID":"X"}"#)
        let entries = try await device.store.queueEntries()
        #expect(entries.map(\.url) == ["Customers", "Orders(3)"] && entries[1].dependsOn == [entries[0].id])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, CustomerID FROM Orders WHERE OrderID = 3") == ["mended|X"])
    }

    @Test("What the app says of an update is not lost in a request that failed", arguments: [true, false])
    func options(isSet: Bool) async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"refused"}"#)
        #expect(try await device.store.upload().failed.count == 1)
        let changes = try [3, 4].map { number in
            ChangeRequest(
                try device.store.path("Orders(\(number))"), .update(EntityPayload(["Note": .string("new")])))
        }
        if isSet {
            _ = try await device.store.changeSet(changes)
            #expect(try await device.store.queueEntries().compactMap(\.changeSet).count == 2)
        } else {
            _ = try await device.store.change(changes[0], options: RequestOptions(tag: "mine"))
            #expect(try await device.store.queueEntries().map(\.tag) == [nil, "mine"])
        }
        #expect(try await device.store.queueEntries().first?.state == .failed)
    }

    @Test("Bindings of a relation to many add up")
    func bindings() async throws {
        let device = try await KeyDevice(.int32)
        let made = try await device.create("Tags", #"{"Name":"made"}"#)
        for tag in ["Tags(101)", made] {
            let path = try device.store.path("Parents(101)")
            let payload = EntityPayload(bindings: [.init(navigation: "Tags", references: [.url(tag)])])
            _ = try await device.store.change(ChangeRequest(path, .update(payload)))
        }
        #expect(try await device.store.queueEntries().count == 2)
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.served("Parents(101)/Tags?$orderby=Name") == ["first", "made"])
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
