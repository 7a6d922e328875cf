import ArcGISTesting
import OData
import Testing

extension ComingFromArcGIS {
    @Test("A list that is cancelled leaves what was known")
    func cancellingList() async throws {
        let hold = RequestHold()
        try await Self.open(hold) { _, owner, _ in
            let manager = try await owner.manager(for: "1")
            try await manager.fetchAttachments()
            hold.begin()
            let listing = Task { try await manager.fetchAttachments() }
            await hold.arrival()
            // snippet: cancelling a list
            listing.cancel()
            // end
            let error = await #expect(throws: ODataError.self) { try await listing.value }
            #expect(error?.code == .cancelled && manager.status.listError?.code == .cancelled)
            #expect(manager.attachments.map(\.name) == ["gauge.jpg", "valve.jpg"])
        }
    }

    @Test("Content that is cancelled is not there, and comes when it is fetched again")
    func cancellingContent() async throws {
        let hold = RequestHold()
        try await Self.open(hold) { _, owner, _ in
            let manager = try await owner.manager(for: "1")
            let attachment = try #require(try await manager.fetchAttachments().first)
            hold.begin()
            let fetching = Task { try await manager.fetchContent(of: attachment.id) }
            await hold.arrival()
            // snippet: cancelling the content of one attachment
            fetching.cancel()
            // end
            await #expect(throws: ODataError.self) { try await fetching.value }
            let all = Task { await manager.fetchContents() }
            await hold.arrival()
            // snippet: cancelling all content
            all.cancel()
            // end
            #expect(await all.value.map { $0.error?.code } == [.cancelled, .cancelled])
            #expect(manager.attachments.allSatisfy { !$0.hasContent } && manager.status.fetching.isEmpty)
            hold.end()
            #expect(await manager.fetchContents().allSatisfy { $0.attachment.hasContent })
        }
    }

    @Test("Edits wait after a posting that was cancelled")
    func cancellingPosting() async throws {
        let hold = RequestHold()
        try await Self.open(hold) { server, owner, _ in
            let manager = try await owner.manager(for: "1")
            let valve = try await manager.fetchAttachments()[1]
            try await manager.markForDeletion(valve.id)
            hold.begin()
            let posting = Task { try await manager.postLocalEdits() }
            await hold.arrival()
            // snippet: cancelling a posting
            posting.cancel()
            // end
            #expect(try await posting.value.map { $0.error?.code } == [.cancelled])
            #expect(manager.hasLocalEdits && server.attachments(of: 1).count == 2)
            hold.end()
            #expect(try await manager.postLocalEdits().allSatisfy { $0.error == nil })
            #expect(server.attachments(of: 1).map(\.name) == ["gauge.jpg"])
        }
    }
}
