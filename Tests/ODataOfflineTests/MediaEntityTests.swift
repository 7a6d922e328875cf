import ByteStreams
import Foundation
import HTTPTypes
import ODataModel
import ODataOffline
import ODataOnline
import ODataQuery
import ODataService
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Media entities")
struct MediaEntityTests {
    private static let second = Array(repeating: UInt8(2), count: 20_000)

    @Test(
        "A query of one entity that is added later brings its stream, though nothing has changed",
        arguments: [true, false])
    func addedLater(tracksChanges: Bool) async throws {
        let device = try await Device([.init(name: "all", query: "Photos")], tracksChanges: tracksChanges)
        #expect(try await device.store.download().streams == 0)
        try device.store.addQuery(.init(name: "one", query: "Photos(2)", retrievesStreams: true))
        #expect(try await device.store.download().streams == 1)
        #expect(try await device.bytes("Photos(2)") == Self.second)
        #expect(try await device.store.download().streams == 0)
        #expect(try await device.store.status.streams == 1)
    }

    @Test("A deletion that is undone leaves the entity and its stream", arguments: [false, true])
    func undoneDeletion(isCollected: Bool) async throws {
        let device = try await Device([StreamTests.photos])
        try await device.store.download()
        try await device.delete("Photos(2)")
        #expect(try await device.count("Photos") == 3)
        await #expect { try await device.bytes("Photos(2)") } throws: { ($0 as? ODataError)?.code == .notFound }
        if isCollected { try await device.store.collectStreams() }
        try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.values("Photos(2)", "Title") == [.string("photo 2")])
        #expect(try await device.bytes("Photos(2)") == Self.second)
        #expect(try await device.store.download().streams == 0)
        #expect(try device.service.fetch("SELECT length(Image) FROM Photos WHERE PhotoID = 2") == ["20000"])
    }

    @Test("A media entity is deleted by its stream too; undone, both are there again", arguments: [false, true])
    func deletedStream(isUndone: Bool) async throws {
        let device = try await Device([StreamTests.photos])
        try await device.store.download()
        _ = try await device.store.change(ChangeRequest(try device.store.path("Photos(2)/$value"), .deleteStream))
        #expect(try await device.store.queueEntries().map { "\($0.method) \($0.url)" } == ["DELETE Photos(2)"])
        #expect(try await device.count("Photos") == 3)
        await #expect { try await device.bytes("Photos(2)") } throws: { ($0 as? ODataError)?.code == .notFound }
        if isUndone {
            try await device.store.undo(.request(try #require(try await device.store.queueEntries().first).id))
            #expect(try await device.bytes("Photos(2)") == Self.second)
        }
        #expect(try await device.store.upload().isComplete)
        let left = try device.service.fetch("SELECT count(*), count(Image) FROM Photos")
        #expect(left == [isUndone ? "4|4" : "3|3"])
        #expect(try await device.store.download().streams == 0)
        #expect(try await device.count("Photos") == (isUndone ? 4 : 3))
    }

    /// A service that demands ETags; in entities it does not tell those of streams while `isSecretive`.
    private func demanding(_ service: SampleService, isSecretive: @escaping @Sendable () -> Bool) async throws
        -> OnlineStore
    {
        var configuration = ODataService.Configuration()
        configuration.requiresETags = true
        let direct = InProcessTransport(service: ODataService(store: service.store, configuration: configuration))
        let query = try QueryParser(model: try await service.store.model()).query("Photos(1)")
        let etag = try #require(try await service.store.entities(query).first?.etag).replacing("\"", with: "\\\"")
        let row = #""@odata.etag":"\#(etag)","PhotoID":1,"Title":"photo 1","OrderID":1"#
        let plan = FaultPlan { attempt in
            guard isSecretive(), attempt.request.method == .get else { return nil }
            let path = (attempt.request.path ?? "").removingPercentEncoding ?? ""
            guard path.hasPrefix("/Photos"), !path.contains("$value") else { return nil }
            let body = path.hasPrefix("/Photos(1)") ? "{\(row)}" : "{\"value\":[{\(row)}]}"
            return .body(Array(body.utf8), contentType: "application/json")
        }
        return try OnlineStore(
            serviceRoot: "http://service.test/", transport: FaultTransport(next: direct, plan: plan))
    }

    @Test("A service that demands an ETag nobody has told refuses a replacement: it waits in the error archive")
    func unknownETag() async throws {
        let service = try SampleService()
        let isSecretive = Mutex(true)
        let remote = try await demanding(service) { isSecretive.withLock { $0 } }
        let device = try await ShopDevice([.init(name: "photos", query: "Photos")], remote: remote) { _ in }
        try await device.store.download()
        let stream = StreamRequest(try device.store.path("Photos(1)/$value"))
        let content = MediaContent(ByteContent([5, 6]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(stream.path, .replaceStream(content)))
        #expect(try await device.store.upload().failed.map(\.status) == [428])
        let entry = try #require(try await device.store.errorEntries().first)
        #expect(entry.code == "preconditionRequired" && entry.message.contains("If-Match"))
        #expect(try await device.store.readStream(stream).content.collect(upTo: 10) == [5, 6])
        #expect(try service.fetch("SELECT length(Image) FROM Photos WHERE PhotoID = 1") == ["10000"])
        // Tried again it is refused again, until the next version of the entity tells the ETag.
        try await device.store.retry(errorID: entry.id)
        #expect(try await device.store.upload().failed.map(\.status) == [428])
        isSecretive.withLock { $0 = false }
        try service.execute("UPDATE Photos SET Title = 'renamed' WHERE PhotoID = 1")
        try await device.store.download()
        try await device.store.retry(errorID: try #require(try await device.store.errorEntries().first).id)
        #expect(try await device.store.upload().isComplete)
        #expect(try service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 1") == ["0506"])
        #expect(try await device.store.errorEntries().isEmpty)
    }
}
