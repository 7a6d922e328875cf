import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Versions in conflicts")
struct ConflictVersionTests {
    @Test("A stream that changed on both sides", arguments: [true, false])
    func stream(mine: Bool) async throws {
        let device = try await Device(
            resolver: mine ? .clientWins : .serviceWins,
            queries: [.init(name: "photos", query: "Photos", retrievesStreams: true)])
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(try device.store.path("Photos(1)"), .replaceStream(content)))
        try device.service.execute("UPDATE Photos SET Image = x'0909' WHERE PhotoID = 1")
        #expect(try await device.store.upload().isComplete)
        #expect(
            try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 1") == [mine ? "010203" : "0909"])
        try await device.store.download()
        #expect(try await device.bytes("Photos(1)/$value") == (mine ? [1, 2, 3] : [9, 9]))
    }

    @Test("What was deleted there is created again though the service makes the keys; old links follow")
    func newKey() async throws {
        let device = try await Device(resolver: .clientWins, queries: [.init(name: "orders", query: "Orders")])
        try await device.update("Orders(25)", #"{"Note":"mine"}"#)
        for table in ["Items", "Photos", "Orders"] {
            try device.service.execute("DELETE FROM \(table) WHERE OrderID = 25")
        }
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE Note = 'mine'") == ["mine|250"])
        #expect(try await device.values("Orders(25)", "Note") == [.string("mine")])
        try await device.store.download()
        #expect(try await device.values("Orders(25)", "Note") == [.string("mine")])
        #expect(try await device.count("Orders") == 25)
    }

    @Test("What a query did not ask for is kept when the changes here win")
    func selected() async throws {
        let device = try await Device(
            resolver: .clientWins,
            queries: [
                .init(name: "notes", query: "Orders?$select=OrderID,Note"),
                .init(name: "amounts", query: "Orders?$select=OrderID,Amount"),
            ])
        try await device.update("Orders(3)", #"{"Note":"mine"}"#)
        try device.service.execute("UPDATE Orders SET Amount = 77 WHERE OrderID = 3")
        try await device.store.download()
        #expect(try await device.values("Orders(3)", "Amount").map(\.lexical) == ["77"])
        #expect(try await device.values("Orders(3)", "Note") == [.string("mine")])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3") == ["mine|77"])
    }

    @Test("A version that came before an upload is not a conflict after it")
    func older() async throws {
        let recorder = ConflictRecorder { $0.occasion == .download ? .hold : .mine }
        let device = try await Device(resolver: recorder.resolver, queries: [.init(name: "orders", query: "Orders")])
        for note in ["a", "b"] {
            _ = try await device.store.change(
                ChangeRequest(
                    try device.store.path("Orders(3)"), .update(EntityPayload(["Note": .string(note)]))),
                options: RequestOptions(combines: false))
        }
        try device.service.execute("UPDATE Orders SET Note = 'theirs', Amount = 1 WHERE OrderID = 3")
        try await device.store.download()
        let remote = try #require(device.remote as? FaultyStore)
        var plan = FaultyStore.Plan()
        // The first try, the one with the fresh ETag, and not the second request.
        plan.failingChange = 3
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        #expect(recorder.conflicts.map(\.occasion) == [.download, .upload])
        #expect(try device.service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3") == ["a|1"])
        remote.set(.init())
        try await device.store.download()
        #expect(recorder.conflicts.count == 2)
        #expect(try await device.values("Orders(3)", "Note") == [.string("b")])
        try await device.store.undo(.everything)
        #expect(try await device.values("Orders(3)", "Note") == [.string("a")])
    }

    @Test("A service without ETags: the values tell whether a version is another one")
    func withoutETags() async throws {
        let service = try SampleService(tracksChanges: false)
        let folder = try TemporaryFolder()
        let recorder = ConflictRecorder { _ in .mine }
        var configuration = Device.configuration()
        configuration.conflictResolver = recorder.resolver
        let store = try OfflineStore(
            folder: folder.path + "/store", remote: ETagless(service.store), configuration: configuration)
        try await store.open()
        try store.addQuery(.init(name: "orders", query: "Orders"))
        try await store.download()
        let path = try store.path("Orders(3)")
        _ = try await store.change(ChangeRequest(path, .update(EntityPayload(["Note": .string("mine")]))))
        try await store.download()
        #expect(recorder.conflicts.isEmpty)
        try service.execute("UPDATE Orders SET Note = 'theirs', Amount = 1 WHERE OrderID = 3")
        try await store.download()
        #expect(recorder.conflicts.count == 1 && recorder.conflicts.first?.theirs?["Amount"]?.lexical == "1")
        #expect(try await store.upload().isComplete)
        #expect(try service.fetch("SELECT Note, Amount FROM Orders WHERE OrderID = 3") == ["mine|1"])
    }

    @Test("Content that waits is not a part of the service's version: undone, what was sent is back")
    func waitingContent() async throws {
        let device = try await Device(
            resolver: .hold, queries: [.init(name: "photos", query: "Photos", retrievesStreams: true)])
        let made = try await device.store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try device.store.path("Photos"))
        let id = try #require(made.path?.url)
        let later = MediaContent(ByteContent([4, 5]), contentType: "image/gif")
        _ = try await device.store.change(ChangeRequest(try device.store.path(id), .replaceStream(later)))
        let remote = try #require(device.remote as? FaultyStore)
        var plan = FaultyStore.Plan()
        plan.failingChange = 2
        remote.set(plan)
        await #expect(throws: ODataError.self) { try await device.store.upload() }
        #expect(try await device.bytes("\(id)/$value") == [4, 5])
        try await device.store.undo(.everything)
        #expect(try await device.bytes("\(id)/$value") == [1, 2, 3])
        #expect(try await device.store.queueEntries().isEmpty)
    }

    @Test("A refused stream gets other content, of a new entity and of an old one")
    func editContent() async throws {
        let device = try await Device(
            resolver: .hold,
            more: [
                "CREATE TRIGGER Small BEFORE UPDATE ON Photos WHEN length(NEW.Image) > 5 BEGIN SELECT RAISE(ABORT, 'too large'); END",
                "CREATE TRIGGER SmallNew BEFORE INSERT ON Photos WHEN length(NEW.Image) > 5 BEGIN SELECT RAISE(ABORT, 'too large'); END",
            ],
            queries: [.init(name: "photos", query: "Photos?$filter=PhotoID gt 100")])
        let large = MediaContent(ByteContent([UInt8](repeating: 1, count: 10)), contentType: "image/png")
        let made = try await device.store.createMedia(
            large, in: try device.store.path("Photos"), properties: EntityPayload(["Title": .string("t")]))
        let id = try #require(made.path?.url)
        #expect(try await device.store.upload().failed.count == 1)
        let entry = try #require(try await device.store.errorEntries().first)
        try await device.store.edit(
            errorID: entry.id, content: MediaContent(ByteContent([7]), contentType: "image/gif"))
        #expect(try await device.bytes("\(id)/$value") == [7])
        #expect(try await device.values(id, "Title") == [.string("t")])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT Title, hex(Image) FROM Photos WHERE PhotoID > 4") == ["t|07"])
    }
}

/// A service that knows no ETags.
private final class ETagless: ODataStore {
    private let base: any ODataStore

    init(_ base: any ODataStore) { self.base = base }

    func model() async throws -> EdmModel { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        var result = try await base.read(request)
        result.etag = nil
        if case .entities(let reader) = result.body { result.body = .entities(Rows(reader)) }
        return result
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        var result = try await base.change(request)
        result.etag = nil
        result.entity?.etag = nil
        return result
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { try await base.changeSet(requests) }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }

    private final class Rows: EntityReader {
        private let base: any EntityReader
        var shape: RowShape { base.shape }

        init(_ base: any EntityReader) { self.base = base }

        func next() async throws -> RowBlock? {
            guard var block = try await base.next() else { return nil }
            for row in block.rows.indices { block.rows[row].etag = .none }
            return block
        }
    }
}
