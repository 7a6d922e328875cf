import ByteStreams
import Foundation
import HTTPTypes
import OData
import ODataTesting
import Testing

@Suite("The part on media and the online store of the page for those who come from the SMP SDK")
struct ComingFromSMPMedia {
    @Test("A stream is read with its events")
    func reading() async throws {
        let site = try FieldSite()
        let (store, copy) = (try await site.device(), site.folder + "/photo.png")
        // snippet: SMP media download
        let stream = store.stream(StreamRequest(try store.path("Photos(9000)")))
        let watching = Task {
            for await event in stream.events {
                switch event {
                case .started: show("started")
                case .cacheResponse(let response): show("here", response.contentType, response.totalLength)
                case .serverResponse(let response): show("from the service", response.etag)
                case .progress(let bytes, let total): show(bytes, total)
                case .finished: show("finished")
                case .failed(let error): show(error.code)
                }
            }
        }
        try await stream.file(at: copy)
        stream.cancel()
        await watching.value
        // end
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count > 0)
        // snippet: SMP media input stream
        let handle = store.stream(StreamRequest(try store.path("Photos(9000)")))
        let input = SourceInputStream(ByteContent(try handle.chunks(), length: nil))
        // end
        #expect(input.streamStatus == .notOpen)
        let isHere = try await store.entities(store.query("Photos?$filter=OfflineStore.mediaIsOffline()"))
        #expect(isHere.count == 6)
    }

    @Test("Streams are made, replaced and deleted")
    func writing() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let file = try site.write([1, 2, 3], to: "valve.png")
        // snippet: SMP media upload
        let picture = MediaContent(ByteContent(try FileSource(path: file)), contentType: "image/png")
        let made = try await store.createMedia(
            picture, in: store.path("Photos"), slug: "valve.png",
            properties: EntityPayload(["Caption": .string("Valve")]))
        let bytes = MediaContent(ByteContent([4, 5, 6]), contentType: "image/png")
        _ = try await store.change(ChangeRequest(store.path("Photos(9000)"), .replaceStream(bytes)))
        _ = try await store.change(ChangeRequest(store.path("Photos(9001)"), .delete))
        // end
        #expect(made.entity != nil)
        #expect(try await store.upload().isComplete)
    }

    @Test("An online store speaks Atom and has a cache")
    func online() async throws {
        let site = try FieldSite()
        let (serviceRoot, folder) = ("http://service.test/v2/", site.folder + "/cache")
        let transport = InProcessTransport(service: site.service)
        let token: BearerAuthentication.Provider = { _ in "token" }
        // snippet: SMP online store
        var configuration = OnlineStore.Configuration()
        configuration.middleware = [
            BearerAuthentication(provider: token), HeaderMiddleware([.acceptLanguage: "de"]),
        ]
        configuration.headers = [HeaderField(name: "X-SMP-APPID", value: "com.example.field")]
        configuration.legacy.format = .atom
        configuration.responseCache = try ResponseCache(folder: folder, maxBytes: 16 * 1024 * 1024)
        let service = try OnlineStore(
            serviceRoot: serviceRoot, transport: transport, configuration: configuration)
        show(try await service.model().schemas.count)
        // end
        // snippet: SMP response cache
        let request = ReadRequest(try await QueryParser(model: service.model()).query("SalesOrders"))
        for try await response in service.results(of: request, mode: .active) {
            guard case .entities(let reader) = response.result.body else { continue }
            while let block = try await reader.next() {
                show(response.source == .cache, response.isConfirmed, block.rows.count)
            }
        }
        for try await response in service.results(of: request, mode: .passive) { show(response.result) }
        configuration.responseCache?.removeAll()
        show(try await service.currentModel().schemas.count)
        // end
        await #expect(throws: ODataError.self) {
            for try await response in service.results(of: request, mode: .passive) { show(response.result) }
        }
    }
}
