import AsyncHTTPTransport
import Foundation
import OData
import Testing
import ToolSupport

/// Stores that an app has made: nobody has told the tool of their service.
@Suite struct AppStoreCommandTests {
    /// What an app leaves in a folder: entities, streams, a change that waits.
    private func prepare(_ scratch: borrowing Scratch, key: EncryptionKey? = nil) async throws {
        let served = try ServedSample(try scratch.sample())
        let transport = AsyncHTTPTransport()
        do {
            let service = try OnlineStore(serviceRoot: served.root, transport: transport)
            let store = try OfflineStore(folder: scratch.store, remote: service, key: key)
            try await store.open()
            try store.addQuery(DefiningQuery(name: "products", query: "Products"))
            try store.addQuery(DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true))
            try await store.download()
            _ = try await store.change(ChangeRequest(store.path("Products('P-0001')"), .delete))
            try store.close()
        } catch {
            try? await transport.shutdown()
            throw error
        }
        try await transport.shutdown()
        #expect(await served.stop().status == 0)
    }

    @Test func aStoreThatAnAppMadeIsReadAndShown() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        let store = scratch.store
        #expect(try await Tool.run("store", "read", store, "Products").rows.count == 19)
        #expect(try await Tool.run("store", "queue", store).rows.map { $0["method"] as? String } == ["DELETE"])
        #expect(try await Tool.run("store", "query", "list", store).rows.count == 2)
        #expect(try await Tool.run("store", "media", "list", store).rows.count == 6)
        #expect(try await Tool.run("store", "errors", "list", store).rows.isEmpty)
        let status = try await Tool.run("store", "status", store).json
        #expect((status["service"] as? String)?.hasPrefix("http://127.0.0.1:") == true, "\(status)")
        for command in ["status", "events", "check"] {
            let output = try await Tool.run("store", command, store)
            #expect(output.status == 0, "\(command): \(output.standardError)")
        }
        let photo = scratch.folder + "/photo.png"
        #expect(try await Tool.run("store", "media", "get", store, "Photos(9000)", "--output", photo).status == 0)
        #expect(FileManager.default.contents(atPath: photo)?.isEmpty == false)
        let copy = scratch.folder + "/copy"
        #expect(try await Tool.run("store", "send", store, copy).status == 0)
        #expect(try await Tool.run("store", "read", copy, "Products/$count").standardOutput == "19\n")
        #expect(!FileManager.default.fileExists(atPath: store + "/odata.json"))
    }

    @Test(arguments: [["download"], ["upload"], ["sync"], ["rebuild"], ["undo", "--all"], ["clear"]])
    func itIsNotChanged(command: [String]) async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        let output = try await Tool.run(["store", command[0], scratch.store] + command.dropFirst())
        #expect(output.status == 1)
        #expect(output.standardError.contains("was created by an app") && output.standardError.contains("odata.json"))
        let store = try OfflineStore(folder: scratch.store, remote: nil)
        #expect(try await store.queueEntries().count == 1)
        try store.close()
    }

    @Test func itIsReadWhileTheAppHasItOpen() async throws {
        let scratch = try Scratch()
        try await prepare(scratch)
        let store = try OfflineStore(folder: scratch.store, remote: nil)
        try await store.open()
        #expect(try await Tool.run("store", "queue", scratch.store).rows.count == 1)
        try store.close()
    }

    @Test func anEncryptedOneNeedsItsKey() async throws {
        let scratch = try Scratch()
        let key = Data(repeating: 7, count: 32)
        try await prepare(scratch, key: try EncryptionKey(key))
        let file = scratch.folder + "/key"
        try key.write(to: URL(fileURLWithPath: file))
        #expect(try await Tool.run("store", "read", scratch.store, "Products").status == 1)
        #expect(try await Tool.run("store", "read", scratch.store, "Products", "--key-file", file).rows.count == 19)
    }

    @Test func aFolderWithoutAStoreIsNone() async throws {
        let scratch = try Scratch()
        let output = try await Tool.run("store", "status", scratch.folder)
        #expect(output.status == 1 && output.standardError.contains("is not a store. Create one with"))
    }
}
