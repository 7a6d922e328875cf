import OData
import ODataTesting
import Testing

@Suite("The article on media")
struct MediaSnippets {
    @Test("A photo is made, read with events, replaced and deleted")
    func photos() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let file = try site.write([1, 2, 3, 4], to: "valve.png")
        // snippet: making a media entity
        let picture = MediaContent(ByteContent(try FileSource(path: file)), contentType: "image/png")
        let photo = try await store.createMedia(
            picture, in: store.path("Inspections(7000)/Photos"), slug: "valve.png",
            properties: EntityPayload(["Caption": .string("Valve")]))
        // end
        let copy = site.folder + "/copy.png"
        // snippet: reading a stream
        let path = try store.path(photo.entity?.id ?? "")
        let stream = store.stream(StreamRequest(path))
        let watching = Task {
            for await event in stream.events {
                if case .progress(let bytes, let total) = event { show(bytes, total) }
            }
        }
        try await stream.file(at: copy)
        await watching.value
        // end
        #expect(try await ByteContent(try FileSource(path: copy)).collect(upTo: 10) == [1, 2, 3, 4])
        // snippet: reading a part
        var request = StreamRequest(path)
        (request.offset, request.count) = (1, 2)
        let bytes = try await store.readStream(request).content.collect(upTo: 1_000)
        // end
        #expect(bytes == [2, 3])
        // snippet: changing a stream
        let other = MediaContent(ByteContent([5, 6]), contentType: "image/png")
        _ = try await store.change(ChangeRequest(store.path("Photos(9000)"), .replaceStream(other)))
        _ = try await store.change(ChangeRequest(store.path("Photos(9001)"), .delete))
        // end
        #expect(try await store.upload().isComplete)
        let parser = QueryParser(model: try await site.file.model())
        let sent = try await site.file.readStream(StreamRequest(parser.path("Photos(9000)"))).content
        #expect(try await sent.collect(upTo: 10) == [5, 6])
        let made = try await store.entities(store.query("Photos?$filter=Caption eq 'Valve'"))
        #expect(made.count == 1)
    }

    // snippet: a network policy
    struct SavingPolicy: NetworkPolicy {
        let isExpensive: @Sendable () -> Bool

        func allows(_ bytes: Int64?, priority: Int) async -> Bool {
            // What somebody wants to see now comes over any network, small things too.
            priority == 2 || (bytes ?? .max) < 100_000 || !isExpensive()
        }
    }
    // end

    @Test("A store keeps to a quota and a policy, and tells of its streams")
    func room() async throws {
        let site = try FieldSite()
        let (folder, service) = (site.folder + "/device", try site.online())
        // snippet: room for streams
        var configuration = OfflineStore.Configuration()
        configuration.mediaQuota = 500 * 1024 * 1024
        configuration.networkPolicy = SavingPolicy(isExpensive: { true })
        let store = try OfflineStore(folder: folder, remote: service, configuration: configuration)
        // end
        try await site.fill(store)
        // snippet: asking about streams
        try await store.pin(store.path("Photos(9000)"))
        for stream in try await store.streamEntries() { show(stream.path, stream.state, stream.length) }
        let missing = try await store.query("Photos?$filter=not OfflineStore.mediaIsOffline()")
        show(try await store.entities(missing).count, try await store.mediaUse.total)
        // end
        #expect(try await store.isPinned(store.path("Photos(9000)")))
        #expect(try await store.entities(missing).count == 6, "the service does not report the lengths before")
    }

    @Test("Transfers are told until the store is closed")
    func transfers() async throws {
        let site = try FieldSite()
        let store = try await site.device()
        let (shown, paths) = AsyncStream.makeStream(of: String.self)
        @Sendable func show(_ values: Any?...) { paths.yield(values.first as? String ?? "") }
        let task = Task {
            // snippet: following transfers
            for await transfer in store.transferChanges {
                show(transfer.path, transfer.transferred, transfer.total, transfer.state)
                if transfer.total ?? 0 > 100_000_000 { store.pauseTransfer(transfer.id) }
            }
            // end
        }
        // Those of the last download come first.
        #expect(await shown.first { _ in true }?.hasPrefix("Photos(") == true)
        try store.close()
        await task.value
    }

    /// The first bytes of an image, which no app would show.
    private struct Beginning: ThumbnailMaker {
        func thumbnail(of content: ByteContent, fitting pixels: Int) async throws -> ThumbnailImage {
            ThumbnailImage(
                bytes: Array(try await content.collect(upTo: 1 << 20).prefix(pixels)), contentType: "image/png")
        }
    }

    @Test("A thumbnail is made by the store's thumbnailer")
    func thumbnails() async throws {
        let site = try FieldSite()
        var configuration = OfflineStore.Configuration()
        configuration.thumbnailer = Beginning()
        let store = try await site.device(configuration: configuration)
        // snippet: a thumbnail
        let image = try await store.thumbnail(of: store.path("Photos(9000)"), fitting: 200)
        show(image.contentType, try await image.content.collect(upTo: 1_000_000))
        // end
        #expect(try await image.content.collect(upTo: 1_000).count == 200)
    }

    @Test("A large stream is uploaded in pieces")
    func methods() async throws {
        let site = try FieldSite()
        let (serviceRoot, transport) = ("http://service.test/", InProcessTransport(service: site.service))
        // snippet: uploads in pieces
        var configuration = OnlineStore.Configuration()
        configuration.uploadMethods["Photos"] = .resumable
        let service = try OnlineStore(
            serviceRoot: serviceRoot, transport: transport, configuration: configuration)
        // end
        let store = try OfflineStore(folder: site.folder + "/device", remote: service)
        try await store.open()
        let bytes = [UInt8](repeating: 7, count: Int(configuration.resumableSize) + 1)
        let picture = MediaContent(ByteContent(bytes), contentType: "image/png")
        _ = try await store.createMedia(picture, in: store.path("Photos"))
        #expect(try await store.upload().isComplete)
        let query = try QueryParser(model: try await service.model()).query("Photos?$orderby=PhotoID desc&$top=1")
        let photo = try #require(try await service.entities(query).first?["PhotoID"]?.lexical)
        let path = try QueryParser(model: try await service.model()).path("Photos(\(photo))")
        #expect(try await service.readStream(StreamRequest(path)).content.collect(upTo: 1 << 24) == bytes)
        try store.close()
    }
}
