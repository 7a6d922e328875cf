import ByteStreams
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataOffline

@Suite("The streams of the queue as transfers")
struct UploadTransfersTests {
    private func paths(in store: OfflineStore) async throws -> [String] {
        try await store.database.reading { [media = store.media] db in
            try UploadTransfers(db: db, media: media).all().map(\.path)
        }
    }

    @Test("A stream of a change set is none of them, until it is left alone of it")
    func leftAlone() async throws {
        let device = try await Device(["Photos", "Orders"].map { DefiningQuery(name: $0, query: $0) })
        let store = device.store
        try await store.download()
        let content = MediaContent(ByteContent([7, 7]), contentType: "image/png")
        let note = EntityPayload(["Note": .string("mine")])
        _ = try await store.changeSet([
            ChangeRequest(try store.path("Photos(1)"), .replaceStream(content)),
            ChangeRequest(try store.path("Orders(3)"), .update(note)),
        ])
        #expect(try await paths(in: store).isEmpty)
        try device.service.execute("UPDATE Orders SET Note = 'theirs' WHERE OrderID = 3")
        #expect(try await store.upload().failed.count == 1)
        let refused = try #require(try await store.errorEntries().first { $0.status == 412 })
        try await store.resolve(requestID: refused.requestID, as: .theirs)
        #expect(try await store.queueEntries().map(\.url) == ["Photos(1)/$value"])
        #expect(try await store.queueEntries().allSatisfy { $0.changeSet != nil })
        #expect(try await paths(in: store) == ["Photos(1)"])
        #expect(try await store.upload().isComplete)
        #expect(try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 1") == ["0707"])
        try store.close()
    }
}
