import OData
import Testing

@Suite("The article on the life of a store")
struct LifeSnippets {
    @Test("A store is opened, kept, read beside, and closed")
    func life() async throws {
        let site = try FieldSite()
        let (folder, service) = (site.folder + "/store", try site.online())
        // snippet: opening
        let store = try OfflineStore(folder: folder, remote: service)
        try await store.open()
        // end
        try await site.fill(store)
        // snippet: cancelling
        let syncing = Task {
            try await store.upload()
            try await store.download()
        }
        // When the time in the background is over:
        syncing.cancel()
        // end
        _ = await syncing.result
        // snippet: what is left
        let status = try await store.status
        show(status.waitingRequests, status.errors, status.attachmentEdits)
        // end
        #expect { try OfflineStore(folder: folder, remote: nil) } throws: {
            ($0 as? ODataError)?.code == .unusableStore && "\($0)".contains("open already")
        }
        // snippet: reading beside
        let reader = try OfflineStore(folder: folder, remote: nil, isReadOnly: true)
        try await reader.open()
        let open = try await reader.entities(reader.query("WorkOrders?$filter=State eq 'open'"))
        try reader.close()
        // end
        #expect(!open.isEmpty)
        // snippet: closing
        try store.close()
        // end
        await #expect { try await store.download() } throws: { ($0 as? ODataError)?.code == .cancelled }
    }
}
