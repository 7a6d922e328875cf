import OData
import Testing
import ToolSupport

@Suite struct ReadmeTests {
    /// The code at the top of the README, with another service and folder.
    @Test func theFirstLinesWork() async throws {
        let scratch = try Scratch()
        let served = try ServedSample(try scratch.sample())
        let transport = AsyncHTTPTransport()

        let service = try OnlineStore(serviceRoot: served.root, transport: transport)
        let store = try OfflineStore(folder: scratch.store, remote: service)
        try await store.open()
        try store.addQuery(
            DefiningQuery(name: "photos", query: "Photos?$filter=PhotoID lt 9003", retrievesStreams: true))
        _ = try await store.download()
        let photos = try await store.entities(store.query("Photos?$orderby=TakenAt desc&$expand=Inspection"))
        let caption = EntityPayload(["Caption": .string("Valve")])
        _ = try await store.change(ChangeRequest(store.path("Photos(9000)"), .update(caption)))
        let report = try await store.upload()

        #expect(photos.count == 3)
        #expect(report.isComplete)
        try store.close()
        try await transport.shutdown()
    }
}
