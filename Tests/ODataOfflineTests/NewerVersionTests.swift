import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

/// What a download brings of an entity becomes the base of the changes that wait, unless both sides changed the same.
@Suite("A newer version beside changes that wait")
struct NewerVersionTests {
    private static let beside = "UPDATE Orders SET Amount = 1 WHERE OrderID = 3"
    private static let theirs = "UPDATE Orders SET Note = 'theirs', Amount = 1 WHERE OrderID = 3"

    private func order(_ device: Device) throws -> [String] {
        try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3")
    }

    @Test("What changed there only shows here at once, and its ETag is sent; no resolver is asked")
    func otherProperties() async throws {
        let recorder = ConflictRecorder { _ in .theirs }
        let device = try await Device(resolver: recorder.resolver)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute(Self.beside)
        try await device.store.download()
        #expect(try await device.count("Orders?$filter=OrderID eq 3 and Amount eq 1 and Note eq 'mine'") == 1)
        #expect(try await device.store.upload().isComplete)
        #expect(try order(device) == ["mine|1"])
        #expect(recorder.conflicts.isEmpty)
    }

    @Test("Taken back, the change leaves the newer version")
    func undone() async throws {
        let device = try await Device(resolver: .hold)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute(Self.beside)
        try await device.store.download()
        try await device.store.undo(.everything)
        #expect(try await device.count("Orders?$filter=OrderID eq 3 and Amount eq 1 and Note eq 'note 3'") == 1)
    }

    @Test("The same value on both sides is not a conflict; another one is, and nothing is overwritten")
    func sameProperty() async throws {
        for (there, expected) in [("mine", []), ("theirs", [412])] {
            let device = try await Device(resolver: .hold)
            try await device.update("Orders(3)", #"{"Note":"mine"}"#)
            try device.service.execute("UPDATE Orders SET Note = '\(there)' WHERE OrderID = 3")
            try await device.store.download()
            #expect(try await device.store.upload().failed.map(\.status) == expected)
            #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 3") == [there])
            #expect(try await device.values("Orders(3)", "Note") == [.string("mine")])
        }
    }

    @Test(
        "A replacement changes all properties, a deletion the whole entity: they meet any newer version as a conflict")
    func wholeEntity() async throws {
        let device = try await Device(resolver: .hold)
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Orders(3)"), .replace(EntityPayload(["Note": .string("mine")]))))
        try await device.delete("Items(OrderID=4,LineNo=1)")
        try device.service.execute(Self.beside)
        try device.service.execute("UPDATE Items SET Quantity = 77 WHERE OrderID = 4 AND LineNo = 1")
        try await device.store.download()
        #expect(try await device.store.upload().failed.map(\.status) == [412, 412])
        #expect(try device.service.fetch("SELECT Quantity FROM Items WHERE OrderID = 4 AND LineNo = 1") == ["77"])
    }

    @Test("References count as changes of the properties that tell the relation", arguments: [true, false])
    func references(isSame: Bool) async throws {
        let recorder = ConflictRecorder { _ in .hold }
        let device = try await Device(resolver: recorder.resolver)
        let customer = EntityReference.path(try device.store.path("Customers('C')"))
        _ = try await device.store.change(
            ChangeRequest(try device.store.path("Orders(3)/Customer"), .addReference(customer)))
        try device.service.execute(
            isSame ? "UPDATE Orders SET CustomerID = 'B' WHERE OrderID = 3" : Self.beside)
        try await device.store.download()
        #expect(recorder.conflicts.count == (isSame ? 1 : 0))
        #expect(try await device.values("Orders(3)/Customer", "Name") == [.string("Gamma")])
    }

    @Test("A stream that waits keeps its content beside properties that changed there")
    func stream() async throws {
        let device = try await Device([.init(name: "photos", query: "Photos", retrievesStreams: true)])
        try await device.store.download()
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(try device.store.path("Photos(1)"), .replaceStream(content)))
        try device.service.execute("UPDATE Photos SET Title = 'theirs' WHERE PhotoID = 1")
        try await device.store.download()
        #expect(try await device.values("Photos(1)", "Title") == [.string("theirs")])
        #expect(try await device.bytes("Photos(1)/$value") == [1, 2, 3])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Title, hex(Image) FROM Photos WHERE PhotoID = 1") == ["theirs|010203"])
    }

    @Test(
        "A property that the service adds, which makes all ETags others, is not a conflict", arguments: [true, false])
    func addedProperty(rebuilds: Bool) async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let store = service.device.store
        try await service.device.update("Orders(3)", #"{"Note":"mine"}"#)
        try service.change("ALTER TABLE Orders ADD COLUMN Urgent INTEGER NOT NULL DEFAULT 1")
        if rebuilds { try await store.rebuild() } else { try await store.download() }
        #expect(try await store.upload().isComplete)
        #expect(try service.device.service.fetch("SELECT Note, Urgent FROM Orders WHERE OrderID = 3") == ["mine|1"])
    }

    @Test(
        "A conflict that was seen is sent with the fresh ETag when it is retried or edited", arguments: [true, false])
    func retried(edits: Bool) async throws {
        let device = try await Device(resolver: .hold)
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute(Self.theirs)
        #expect(try await device.store.upload().failed.map(\.status) == [412])
        // Nobody has decided yet.
        #expect(try await device.store.upload().failed.map(\.status) == [412])
        let error = try #require(try await device.store.errorEntries().first)
        if edits {
            try await device.store.edit(errorID: error.id, json: #"{"Note":"edited"}"#)
        } else {
            try await device.store.retry(errorID: error.id)
        }
        #expect(try await device.store.upload().isComplete)
        #expect(try order(device) == [edits ? "edited|1" : "mine|1"])
    }

    @Test("Where the newer version cannot be read, the error says what to do: a download, then the retry")
    func unreadable() async throws {
        let service = try SampleService()
        let remote = SwitchingStore(service.store)
        let device = try await Device([.init(name: "orders", query: "Orders")], service: service) { _ in remote }
        try await device.store.download()
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try service.execute(Self.theirs)
        remote.use(
            TappedStore(base: service.store, reading: { _ in throw ODataError(.forbidden, "Not for you.") }))
        #expect(try await device.store.upload().failed.map(\.status) == [412])
        let error = try #require(try await device.store.errorEntries().first)
        #expect(error.message.contains("Not for you.") && error.message.contains("download"))
        try await device.store.retry(errorID: error.id)
        #expect(try await device.store.upload().failed.map(\.status) == [412])
        remote.use(service.store)
        try await device.store.download()
        try await device.store.retry(errorID: try #require(try await device.store.errorEntries().first).id)
        #expect(try await device.store.upload().isComplete)
        #expect(try order(device) == ["mine|1"])
    }
}
