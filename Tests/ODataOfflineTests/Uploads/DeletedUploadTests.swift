import ByteStreams
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("Streams that are deleted while they are sent")
struct DeletedUploadTests {
    @Test("A new entity that is deleted while its stream goes up is given up on both sides")
    func created() async throws {
        let conflicts = try UploadDesk(partSize: 100_000)
        let store = try await conflicts.device()
        let id = try #require(try await conflicts.create(in: store).entity?.id)
        conflicts.server.meanwhile { _ = try await store.change(ChangeRequest(try store.path(id), .delete)) }
        let report = try await store.upload()
        #expect(report.givenUp.map(\.method) == ["POST"] && report.failed.isEmpty)
        #expect(try await store.queueEntries().isEmpty)
        #expect(try await store.status.streams == 0)
        #expect(conflicts.server.removed == 1 && conflicts.server.executed == 0 && conflicts.server.open == 0)
        #expect(conflicts.server.received < UploadDesk.size)
        #expect(try conflicts.count() == ["4"])
        #expect(try await store.entities(try await store.query("Photos")).count == 4)
        try store.close()
    }

    @Test("A stream that is deleted with its entity while it goes up is not sent to its end")
    func replaced() async throws {
        let conflicts = try UploadDesk()
        let store = try await conflicts.device()
        try await conflicts.replace(in: store)
        conflicts.server.meanwhile { _ = try await store.change(ChangeRequest(try store.path("Photos(1)"), .delete)) }
        #expect(try await store.upload().givenUp.map(\.method) == ["PUT"])
        #expect(try await store.queueEntries().map(\.method) == ["DELETE"])
        #expect(conflicts.server.removed == 1 && conflicts.server.executed == 0)
        #expect(try await store.upload().isComplete)
        #expect(try conflicts.service.fetch("SELECT PhotoID FROM Photos") == ["2", "3", "4"])
        try store.close()
    }

    @Test(
        "What is sent whole is ended too; of a new entity it is found out whether it was made",
        arguments: [true, false]
    )
    func whole(isMade: Bool) async throws {
        let hook = Mutex<(@Sendable () async throws -> Void)?>(nil)
        let remote: (any ODataStore) -> any ODataStore = { base in
            TappedStore(
                base: base,
                changing: { request in
                    guard case .createMedia = request.operation, let body = hook.withLock({ $0.take() }) else {
                        return request
                    }
                    if isMade { _ = try await base.change(request) }
                    try await body()
                    try Task.checkCancellation()
                    return request
                })
        }
        let device = try await Device([.init(name: "photos", query: "Photos")], wrap: remote)
        let store = device.store
        try await store.download()
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        let made = try await store.createMedia(content, in: try store.path("Photos"))
        let id = try #require(made.entity?.id)
        hook.withLock { $0 = { _ = try await store.change(ChangeRequest(try store.path(id), .delete)) } }
        let report = try await store.upload()
        #expect(report.givenUp.count == (isMade ? 0 : 1))
        #expect(try await store.upload().isComplete)
        #expect(try await store.queueEntries().isEmpty)
        #expect(try device.service.fetch("SELECT count(*) FROM Photos") == ["4"])
        #expect(try await device.count("Photos") == 4)
    }

    @Test("Another change of the entity ends nothing")
    func changed() async throws {
        let conflicts = try UploadDesk()
        let store = try await conflicts.device()
        try await conflicts.replace(in: store)
        conflicts.server.meanwhile {
            let update = EntityPayload(["Title": .string("later")])
            _ = try await store.change(ChangeRequest(try store.path("Photos(1)"), .update(update)))
        }
        #expect(try await store.upload().succeeded.map(\.method) == ["PUT"])
        #expect(try await store.upload().isComplete)
        #expect(try await conflicts.hasBytes(1))
        #expect(try conflicts.service.fetch("SELECT Title FROM Photos WHERE PhotoID = 1") == ["later"])
        try store.close()
    }
}
