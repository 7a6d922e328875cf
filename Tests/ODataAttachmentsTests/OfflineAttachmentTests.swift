import ByteStreams
import GRDB
import ODataAttachments
import ODataOffline
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Attachments of an offline store")
struct OfflineAttachmentTests {
    private static func photos(of store: OfflineStore) -> AttachmentOwner {
        AttachmentOwner(store: store, backEnd: InspectionSite.photos(of: store))
    }

    private static func names(_ manager: AttachmentManager) -> [String] { manager.attachments.map(\.name) }

    @Test("Edits made without network outlive the process and a rebuild, are posted into the queue, and uploaded once")
    func wholeWay() async throws {
        try await InspectionSite.open { site in
            let first = try await site.device()
            let manager = try await Self.photos(of: first).manager(for: "Inspections(1)")
            try await manager.fetchAttachments()
            #expect(Self.names(manager) == ["gauge", "valve"])
            let added = try await manager.add(ByteContent([7, 7]), .png("new"))
            try await manager.update(manager.attachments[0].id, content: ByteContent([9]))
            try await manager.markForDeletion(manager.attachments[1].id)
            #expect(try await first.queueEntries().isEmpty)
            #expect(try await first.status.attachmentEdits == 3)
            try site.copy("device", to: "next")

            let store = try await site.device("next")
            try await store.rebuild()
            let photos = try await Self.photos(of: store).manager(for: "Inspections(1)")
            #expect(photos.attachments.map(\.editState) == [.updated, .markedForDeletion, .added])
            #expect(try await photos.content(of: added.id).collect(upTo: 10) == [7, 7])
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(!photos.hasLocalEdits)
            #expect(try await store.status.attachmentEdits == 0, "one is deleted and not listed again yet")
            #expect(try site.served() == ["1|gauge|01", "2|valve|0202"])
            try await photos.fetchAttachments()
            #expect(photos.attachments.map(\.editState) == [.original, .original])

            #expect(try await store.upload().isComplete)
            #expect(try site.served() == ["1|gauge|09", "4|new|0707"])
            try await store.download()
            try await photos.fetchAttachments()
            #expect(photos.attachments.map(\.remoteID) == ["Photos(1)", "Photos(4)"])
            #expect(photos.attachments.last?.id == added.id, "it is the same under the id that the service has given")
            #expect(try await photos.content(of: added.id).collect(upTo: 10) == [7, 7])
            try await photos.clear()
            #expect(photos.attachments.isEmpty)
            try store.close()
            try first.close()
        }
    }

    @Test("An edit that was posted when the process ended is found in the store and not made twice")
    func killed() async throws {
        try await InspectionSite.open { site in
            let first = try await site.device()
            let manager = try await Self.photos(of: first).manager(for: "Inspections(1)")
            try await manager.fetchAttachments()
            let added = try await manager.add(ByteContent([7]), .png("new"))
            // The process had told the store and not the journal: the request waits, and the edit is on its way.
            try first.close()
            let queue = try DatabaseQueue(path: try OfflineStore.databasePath(in: site.path + "/device"))
            try await queue.write { db in
                try db.execute(
                    sql: """
                        UPDATE "$attachment" SET "body" = json_set("body", '$.sending', json(?)) WHERE "remote" IS NULL
                        """, arguments: [#"{"known":["Photos(1)","Photos(2)"]}"#])
            }
            try queue.close()
            let store = try await site.device()
            let content = MediaContent(ByteContent([7]), contentType: "image/png")
            _ = try await store.createMedia(content, in: try store.path("Inspections(1)/Photos"))

            let photos = try await Self.photos(of: store).manager(for: "Inspections(1)")
            #expect(photos.attachments.filter(\.isUnconfirmed).map(\.id) == [added.id])
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try await store.upload().isComplete)
            #expect(try site.served() == ["1|gauge|01", "2|valve|0202", "4|new|07"])
            try store.close()
        }
    }

    @Test("Attachments of an entity made here follow it to the key that the service gives")
    func newOwner() async throws {
        try await InspectionSite.open { site in
            let store = try await site.device()
            let inspections = try store.path("Inspections")
            let payload = try await store.payload(#"{"Title":"new"}"#, for: inspections)
            let made = try await store.change(ChangeRequest(inspections, .create(payload)))
            let id = try #require(made.entity?.id)
            let owner = Self.photos(of: store)
            let photos = try await owner.manager(for: id)
            try await photos.add(ByteContent([1]), .png("posted"))
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            try await photos.add(ByteContent([2]), .png("kept"))
            #expect(try await store.upload().isComplete)
            #expect(try site.served(3) == ["4|posted|01"])
            #expect(try await owner.manager(for: "Inspections(3)") === photos)
            #expect(try await owner.manager(for: id) === photos)
            #expect(photos.entity == "Inspections(3)")
            #expect(Self.names(photos) == ["posted", "kept"])
            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try await store.upload().isComplete)
            #expect(try site.served(3) == ["4|posted|01", "5|kept|02"])
            try store.close()
        }
    }

    @Test("A store of the release before gets the table; content that only an edit refers to is not garbage")
    func migration() async throws {
        try await InspectionSite.open { site in
            let path = site.path + "/device"
            try await site.device().close()
            let queue = try DatabaseQueue(path: try OfflineStore.databasePath(in: path))
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "DROP TABLE \"$attachment\"; PRAGMA user_version = 2")
            }
            try queue.close()
            let store = try await site.device()
            let owner = Self.photos(of: store)
            let photos = try await owner.manager(for: "Inspections(2)")
            let added = try await photos.add(ByteContent([5, 5, 5]), .png("new"))
            let streams = try await store.status.streams
            try store.removeQuery("Photos")
            #expect(try await store.status.streams == streams - 3)
            #expect(try await photos.content(of: added.id).collect(upTo: 10) == [5, 5, 5])
            try await photos.cancelLocalEdits()
            #expect(try await store.status.streams == streams - 4)
            #expect(try await !owner.hasLocalEdits)
            try store.close()
        }
    }

    @Test("Who has a copy of a store, or only reads it, posts no rest of an edit either", arguments: [true, false])
    func readOnly(isCopy: Bool) async throws {
        try await InspectionSite.open { site in
            let device = try await site.device()
            let losing = InspectionSite.photos(of: try site.online(.once(.responseLost) { $0.method == .put }))
            let photos = try await AttachmentOwner(store: device, backEnd: losing).manager(for: "Inspections(1)")
            try await photos.fetchAttachments()
            try await photos.update(photos.attachments[0].id, content: ByteContent([9]), details: .png("renamed"))
            #expect(try await photos.postLocalEdits().map { $0.error?.isOutcomeUnknown } == [true])

            let copy = site.path + "/copy"
            if isCopy { try await device.export(to: copy) }
            let store = try OfflineStore(
                folder: isCopy ? copy : site.path + "/device", remote: nil, isReadOnly: !isCopy)
            let sent = Mutex(0)
            let counted = FaultPlan { _ in
                sent.withLock { $0 += 1 }
                return nil
            }
            let owner = AttachmentOwner(store: store, backEnd: InspectionSite.photos(of: try site.online(counted)))
            let seen = try await owner.manager(for: "Inspections(1)")
            #expect(seen.attachments.filter(\.isUnconfirmed).count == 1)
            let before = sent.withLock { $0 }
            let error = await #expect(throws: ODataError.self) { try await seen.postLocalEdits() }
            #expect(error?.code == .methodNotAllowed)
            #expect(sent.withLock { $0 } == before)
            #expect(try site.served().first == "1|gauge|09")
            try store.close()

            #expect(try await photos.postLocalEdits().compactMap { $0.error?.message }.isEmpty)
            #expect(try site.served().first == "1|renamed|09")
            try device.close()
        }
    }
}
