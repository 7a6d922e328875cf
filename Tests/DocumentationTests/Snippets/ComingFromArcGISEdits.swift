import ArcGISTesting
import OData
import Testing

#if canImport(UIKit)
    import Photos
    import UIKit
#endif

extension ComingFromArcGIS {
    @Test("Edits are made, taken back and posted")
    func edits() async throws {
        try await Self.open { server, owner, site in
            let manager = try await owner.manager(for: "1")
            let path = try site.write([7, 8], to: "leak.jpg")
            try await manager.fetchAttachments()
            let (gauge, valve) = (manager.attachments[0], manager.attachments[1])
            // snippet: edits of attachments
            let content = ByteContent(try FileSource(path: path))
            let leak = AttachmentDetails(name: "leak.jpg", contentType: "image/jpeg")
            let added = try await manager.add(content, leak)
            try await manager.update(gauge.id, content: ByteContent([9]), details: gauge.details)
            try await manager.markForDeletion(valve.id)
            show(manager.hasLocalEdits)
            // end
            // snippet: edit states
            for attachment in manager.attachments {
                switch attachment.editState {
                case .original: show("as at the service")
                case .added: show("not at the service yet")
                case .updated: show("has other content or details at the service")
                case .markedForDeletion: show("still at the service")
                case .deletedFromServer: show("gone")
                }
                show(attachment.remoteID != nil)
            }
            // end
            #expect(manager.attachments.map(\.editState) == [.updated, .markedForDeletion, .added])
            // snippet: edits that are taken back
            try await manager.unmarkForDeletion(valve.id)
            let unknown = try await manager.cancelLocalEdits()
            show(unknown.count)
            // end
            #expect(manager.attachments.map(\.editState) == [.original, .original] && added.remoteID == nil)
            try await manager.markForDeletion(valve.id)
            // snippet: edits that are posted
            let posting = Task { try await manager.postLocalEdits() }
            for result in try await posting.value {
                if let error = result.error { show(result.attachment.name, error.status, error.service?.message) }
            }
            // end
            #expect(server.attachments(of: 1).map(\.name) == ["gauge.jpg"])
        }
    }

    @Test("An edit is sent at once")
    func atOnce() async throws {
        try await Self.open { server, owner, _ in
            // snippet: edits that are sent at once
            let manager = try await owner.manager(for: "1")
            let (gauge, valve) = (try await manager.fetchAttachments()[0], manager.attachments[1])
            try await manager.fetchContent(of: gauge.id)
            let content = try await manager.content(of: gauge.id)
            try await manager.add(content, AttachmentDetails(name: "copy.jpg", contentType: "image/jpeg"))
            try await manager.update(gauge.id, content: ByteContent([9]))
            try await manager.markForDeletion(valve.id)
            let results = try await manager.postLocalEdits()
            // end
            #expect(results.allSatisfy { $0.error == nil })
            #expect(server.attachments(of: 1).map(\.name) == ["gauge.jpg", "copy.jpg"])
        }
    }

    @Test("What a manager does is followed until the task is cancelled")
    func following() async throws {
        try await Self.open { _, owner, _ in
            let manager = try await owner.manager(for: "1")
            let (shown, list) = AsyncStream.makeStream(of: Int.self)
            @Sendable func show(_ values: Any?...) {
                if let names = values.last as? [String] { list.yield(names.count) }
            }
            let task = Task {
                // snippet: what a manager does
                for await status in manager.statuses {
                    show(status.isFetchingList, status.listError, status.attachments.map(\.name))
                    show(status.fetching, status.posting.isEmpty, status.errors)
                }
                // end
            }
            var counts = shown.makeAsyncIterator()
            #expect(await counts.next() == 0)
            try await manager.fetchAttachments()
            while let count = await counts.next(), count < 2 {}
            task.cancel()
            await task.value
        }
    }

    @Test("An error of the service is that of one attachment")
    func errors() async throws {
        try await Self.open { server, owner, _ in
            let manager = try await owner.manager(for: "1")
            try await manager.fetchAttachments()
            try await manager.markForDeletion(manager.attachments[0].id)
            server.removeAttachments(of: 1)
            // snippet: errors of one attachment
            let failed = try await manager.postLocalEdits().first { $0.error != nil }
            if let error = failed?.error {
                show(error.code == .unreachable ? "no network" : error.service?.message, error.isOutcomeUnknown)
            }
            // end
            #expect(server.attachments(of: 1).isEmpty)
        }
    }

    #if canImport(UIKit)
        /// Not run: there are no images of UIKit where the tests run.
        @MainActor
        func images(_ image: UIImage, _ asset: PHAsset, _ manager: AttachmentManager) async throws {
            // snippet: images as attachments
            try await manager.add(JPEGImage(image), named: "leak")
            let original = ByteContent(try PhotoAssetSource(asset))
            try await manager.add(original, AttachmentDetails(name: "leak.heic", contentType: "image/heic"))
            // end
        }
    #endif
}
