import OData
import Testing

@Suite("The article on attachments")
struct AttachmentSnippets {
    @Test("Attachments are listed, edited, posted and uploaded")
    func attachments() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let file = try site.write([1, 2, 3], to: "valve.png")
        let photos = try await store.entities(store.query("Photos?$orderby=PhotoID&$top=1"))
        let inspection = "Inspections(\(try #require(photos.first?["InspectionID"]?.lexical)))"
        let before = try await store.entities(store.query("\(inspection)/Photos")).count
        // snippet: an owner and its managers
        let backEnd = MediaEntityBackEnd(store: store, navigation: "Photos", names: .init(name: "Caption"))
        let owner = AttachmentOwner(store: store, backEnd: backEnd)
        let manager = try await owner.manager(for: inspection)
        for attachment in try await manager.fetchAttachments() { show(attachment.name, attachment.size) }
        // end
        // snippet: editing attachments
        let content = ByteContent(try FileSource(path: file))
        let details = AttachmentDetails(name: "valve.png", contentType: "image/png")
        let added = try await manager.add(content, details)
        if let first = manager.attachments.first, first.id != added.id {
            try await manager.update(first.id, details: AttachmentDetails(name: "gauge", contentType: "image/png"))
        }
        show(manager.hasLocalEdits, manager.attachments.map(\.editState))
        // end
        #expect(manager.attachments.last?.editState == .added)
        #expect(manager.attachments.first?.editState == .updated)
        // snippet: posting edits
        for result in try await manager.postLocalEdits() {
            if let error = result.error { show(result.attachment.name, error.message) }
        }
        try await store.upload()
        // end
        #expect(!manager.hasLocalEdits)
        #expect(try await store.queueEntries().isEmpty)
        #expect(try await store.entities(store.query("\(inspection)/Photos")).count == before + 1)
        #expect(try await site.text("Caption", of: "Photos(9000)") == "gauge")
        // snippet: giving edits up
        try await manager.markForDeletion(added.id)
        try await manager.unmarkForDeletion(added.id)
        try await manager.cancelLocalEdits()
        // end
        #expect(!manager.hasLocalEdits)
    }

    @Test("Without an offline store edits are in a folder")
    func online() async throws {
        let site = try FieldSite()
        let (service, folder) = (try site.online(), site.folder + "/edits")
        // snippet: attachments without an offline store
        let backEnd = MediaEntityBackEnd(store: service, navigation: "Photos", names: .init(name: "Caption"))
        let owner = try AttachmentOwner(folder: folder, backEnd: backEnd)
        let manager = try await owner.manager(for: "Inspections(7000)")
        // end
        try await manager.add(ByteContent([1]), AttachmentDetails(name: "valve.png", contentType: "image/png"))
        #expect(try await owner.hasLocalEdits)
        #expect(try await manager.postLocalEdits().allSatisfy { $0.error == nil })
    }

    @Test("A manager tells what it does, and fetches content")
    func following() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let photo = try await store.entities(store.query("Photos?$orderby=PhotoID&$top=1")).first
        let backEnd = MediaEntityBackEnd(store: store, navigation: "Photos")
        let owner = AttachmentOwner(store: store, backEnd: backEnd)
        let manager = try await owner.manager(for: "Inspections(\(photo?["InspectionID"]?.lexical ?? ""))")
        _ = try await manager.fetchAttachments()
        let (shown, counts) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
            @Sendable func show(_ values: Any?...) { counts.yield(values.first as? Int ?? -1) }
            // snippet: following a manager
            for await status in manager.statuses {
                show(status.attachments.count, status.posting.count, status.listError, status.errors.count)
            }
            // end
        }
        #expect(await shown.first { _ in true } == manager.attachments.count)
        // snippet: the content of attachments
        for result in await manager.fetchContents() where result.error == nil {
            let content = try await manager.content(of: result.attachment.id)
            show(result.attachment.name, content.length)
        }
        // end
        #expect(!manager.attachments.isEmpty && manager.attachments.allSatisfy { $0.hasContent })
        task.cancel()
        await task.value
    }
}
