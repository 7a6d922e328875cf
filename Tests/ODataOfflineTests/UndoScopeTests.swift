import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Undo of more than one request")
struct UndoScopeTests {
    private func device(wrap: (any ODataStore) -> any ODataStore = { $0 }) async throws -> Device {
        let device = try await Device(
            [
                .init(name: "orders", query: "Orders?$expand=Items"), .init(name: "customers", query: "Customers"),
                .init(name: "photos", query: "Photos", retrievesStreams: true),
            ], wrap: wrap)
        try await device.store.download()
        return device
    }

    private func change(_ device: Device, _ entity: String, _ note: String, _ options: RequestOptions) async throws {
        let request = ChangeRequest(
            try device.store.path(entity), .update(EntityPayload(["Note": .string(note)])))
        _ = try await device.store.change(request, options: options)
    }

    @Test("Of one entity: all its requests, and nothing else")
    func entity() async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"a"}"#)
        try await device.update("Orders(3)", #"{"Customer@odata.bind":"Customers('B')"}"#)
        try await device.update("Orders(4)", #"{"Note":"b"}"#)
        let scope = UndoScope.entity(try device.store.path("Orders(3)"))
        let plan = try await device.store.undoPlan(scope)
        #expect(plan.restoredEntities == ["Orders(3)"] && plan.removedEntities.isEmpty && plan.streams.isEmpty)
        #expect(try await device.store.undo(scope) == plan)
        #expect(try await device.values("Orders(3)", "Note") == [.string("note 3")])
        #expect(try await device.values("Orders(3)", "CustomerID") == [.string("A")])
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(4)"])
    }

    @Test("Of an entity that was deleted here")
    func deleted() async throws {
        let device = try await device()
        let path = try device.store.path("Items(OrderID=3,LineNo=1)")
        try await device.delete("Items(OrderID=3,LineNo=1)")
        #expect(try await device.store.undoPlan(.entity(path)).requests.map(\.method) == ["DELETE"])
        try await device.store.undo(.entity(path))
        #expect(try await device.count("Items") == 50)
        await #expect { try await device.store.undo(.entity(try device.store.path("Orders(999)"))) } throws: {
            ($0 as? ODataError)?.code == .notFound
        }
    }

    @Test("Of a local creation: what depends on it goes, the update of another that names it too")
    func creation() async throws {
        let device = try await device()
        try await device.create("Customers", #"{"CustomerID":"X","Name":"New"}"#)
        try await device.update("Orders(3)", #"{"Note":"kept"}"#)
        try await device.update("Orders(4)", #"{"Customer@odata.bind":"Customers('X')"}"#)
        try await device.create("Orders", #"{"Note":"of x","CustomerID":"X","Items":[{"LineNo":1}]}"#)
        let plan = try await device.store.undo(.entity(try device.store.path("Customers('X')")))
        #expect(plan.requests.count == 4 && plan.removedEntities.count == 3)
        #expect(plan.restoredEntities == ["Orders(4)"])
        #expect(try await device.values("Orders(4)", "CustomerID") == [.string("B")])
        #expect(try await device.count("Orders") == 25)
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(3)"])
    }

    @Test("An update of what was made here leaves the creation as it was made")
    func updateOfCreation() async throws {
        let device = try await device()
        let id = try #require(try await device.create("Orders", #"{"Note":"made"}"#).entity?.id)
        let request = ChangeRequest(
            try device.store.path(id), .update(EntityPayload(["Amount": .integer(7), "Note": .string("later")])))
        _ = try await device.store.change(request, options: RequestOptions(tag: "later", combines: false))
        let last = try #require(try await device.store.queueEntries().last)
        try await device.store.undo(.request(last.id))
        let entity = try #require(try await device.entities(id).first)
        #expect(entity["Note"] == .string("made") && entity["Amount"] == .null)
    }

    @Test("Of one change set, of one category, of everything")
    func scopes() async throws {
        let device = try await device()
        let changes = try [5, 6].map { number in
            ChangeRequest(
                try device.store.path("Orders(\(number))"), .update(EntityPayload(["Note": .string("set")])))
        }
        try await change(device, "Orders(1)", "a", RequestOptions(category: "field"))
        try await change(device, "Orders(2)", "b", RequestOptions(category: "office"))
        _ = try await device.store.changeSet(changes)
        try await change(device, "Orders(7)", "c", RequestOptions())
        let set = try #require(try await device.store.queueEntries().first { $0.url == "Orders(5)" }?.changeSet)
        #expect(try await device.store.undo(.changeSet(set)).restoredEntities == ["Orders(5)", "Orders(6)"])
        #expect(try await device.store.undo(.category("field")).restoredEntities == ["Orders(1)"])
        #expect(try await device.store.queueEntries().map(\.url) == ["Orders(2)", "Orders(7)"])
        let plan = try await device.store.undo(.everything)
        #expect(plan.requests.count == 2 && plan.restoredEntities == ["Orders(2)", "Orders(7)"])
        #expect(try await device.store.queueEntries().isEmpty)
        for number in 1...7 {
            #expect(try await device.values("Orders(\(number))", "Note") == [.string("note \(number)")])
        }
    }

    @Test("A request of a change set takes the others along, and what depends on them")
    func changeSet() async throws {
        let device = try await device()
        let set = device.store.beginChangeSet()
        let made = try set.change(
            ChangeRequest(
                try device.store.path("Customers"),
                .create(EntityPayload(["CustomerID": .string("X"), "Name": .string("new")]))))
        try set.change(
            ChangeRequest(
                try device.store.path("Orders(3)"),
                .update(EntityPayload(bindings: [.init(navigation: "Customer", references: [made])]))))
        try await set.commit()
        try await device.update("Orders(4)", #"{"CustomerID":"X"}"#)
        let entries = try await device.store.queueEntries()
        let scope = UndoScope.request(entries[1].id)
        let plan = try await device.store.undoPlan(scope)
        #expect(plan.requests.map(\.id) == entries.map(\.id))
        #expect(plan.removedEntities == ["Customers('X')"])
        #expect(plan.restoredEntities == ["Orders(3)", "Orders(4)"])
        #expect(try await device.store.undo(scope) == plan)
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(
            try await device.values("Orders?$filter=OrderID in (3,4)", "CustomerID") == [.string("A"), .string("B")])
    }

    @Test("Media: the content made here goes, the downloaded one is back")
    func media() async throws {
        let device = try await device()
        let before = try await device.bytes("Photos(1)")
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(try device.store.path("Photos(1)"), .replaceStream(content)))
        let made = try await device.store.createMedia(
            MediaContent(ByteContent([4, 5]), contentType: "image/png"), in: try device.store.path("Photos"),
            properties: EntityPayload(["Title": .string("new")]))
        let streams = try await device.store.status.streams
        let id = try #require(made.path?.url)
        let plan = try await device.store.undoPlan(.everything)
        #expect(Set(plan.streams) == ["Photos(1)/$value", "\(id)/$value"] && plan.removedEntities == [id])
        try await device.store.undo(.everything)
        #expect(try await device.bytes("Photos(1)") == before)
        #expect(try await device.count("Photos") == 4)
        #expect(try await device.store.status.streams == streams - 2)
    }

    @Test("Undo gives the newer version that came meanwhile")
    func newer() async throws {
        let device = try await device()
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        try await device.store.download()
        try await device.store.undo(.everything)
        #expect(try await device.values("Orders(3)", "Note") == [.string("theirs")])
        try await device.update("Orders(3)", #"{"Note":"again"}"#)
        #expect(try await device.store.upload().isComplete)
    }

    @Test("A request that may have been executed is refused by name, unless forced")
    func unconfirmed() async throws {
        var plan = FaultyStore.Plan()
        plan.lostResponses = [1]
        let device = try await device { FaultyStore($0, plan) }
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        #expect(try await device.store.undoPlan(.everything).unconfirmed.count == 1)
        await #expect { try await device.store.undo(.everything) } throws: {
            let error = $0 as? ODataError
            return error?.code == .conflict && error?.message.contains("PATCH Orders(3)") == true
        }
        #expect(try await device.store.queueEntries().count == 1)
        try await device.store.undo(.everything, force: true)
        #expect(try await device.store.queueEntries().isEmpty)
        try await device.store.download()
        #expect(try await device.values("Orders(3)", "Note") == [.string("mine")])
    }

    @Test("Links: what was added goes, what was taken away shows again, what the service has stays")
    func links() async throws {
        let device = try await KeyDevice(.int32)
        let tags = { try await device.names("Parents(101)/Tags?$orderby=Name") }
        let own = try await device.create("Tags", #"{"Name":"made"}"#)
        try await device.refer("Parents(101)/Tags/$ref", to: "Tags(101)")
        try await device.refer("Parents(101)/Tags/$ref", to: own)
        #expect(try await tags() == ["first", "made"])
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().dropFirst().first).id))
        #expect(try await tags() == ["made"])
        let plan = try await device.store.undo(.entity(try device.store.path(own)))
        #expect(plan.removedEntities == [own] && plan.restoredEntities == ["Parents(101)"])
        #expect(try await tags().isEmpty)

        try await device.refer("Parents(101)/Tags/$ref", to: "Tags(101)")
        #expect(try await device.store.upload().isComplete)
        try await device.store.download()
        try await device.refer("Parents(101)/Tags/$ref", to: "Tags(101)")
        try await device.store.undo(.everything)
        #expect(try await tags() == ["first"])
        let reference = EntityReference.path(try device.store.path("Tags(101)"))
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Parents(101)/Tags/$ref"), .removeReference(reference)))
        #expect(try await tags().isEmpty)
        try await device.store.undo(.everything)
        #expect(try await tags() == ["first"])
    }

    @Test("A reference in a column, and the changes that are left when one before it is undone")
    func columns() async throws {
        let device = try await device()
        let reference = EntityReference.path(try device.store.path("Customers('B')"))
        try await device.update("Orders(3)", #"{"Note":"a"}"#)
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Orders(3)/Customer/$ref"), .addReference(reference)))
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
        #expect(try await device.values("Orders(3)", "Note") == [.string("note 3")])
        #expect(try await device.values("Orders(3)/Customer", "Name") == [.string("Beta")])
        try await device.store.undo(.everything)
        #expect(try await device.values("Orders(3)/Customer", "Name") == [.string("Alpha")])
    }
}
