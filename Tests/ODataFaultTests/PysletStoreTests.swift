import AsyncHTTPTransport
import HTTPTypes
import OData
import ODataTesting
import Synchronization
import Testing
import ToolSupport

/// An offline store over a service of V2 that is not ours. pyslet has no delta links, no batches, and its Photos' streams
/// have no ETags of their own.
@Suite(
    "pyslet serves, an offline store downloads and uploads",
    .enabled(if: PythonPeer.isWanted, Comment(rawValue: PythonPeer.absence)))
struct PysletStoreTests {
    private func device(
        _ root: String, _ transport: any HTTPTransport, format: OnlineStore.LegacyOptions.Format,
        _ folder: TemporaryFolder
    ) async throws -> OfflineStore {
        var online = OnlineStore.Configuration()
        online.legacy.format = format
        let remote = try OnlineStore(serviceRoot: root, transport: transport, configuration: online)
        var configuration = OfflineStore.Configuration()
        configuration.pause = { _ in }
        let store = try OfflineStore(folder: folder.path + "/store", remote: remote, configuration: configuration)
        try await store.open()
        return store
    }

    private func lines(_ store: OfflineStore, _ url: String, _ names: [String]) async throws -> [String] {
        try await store.entities(try await store.query(url)).map { entity in
            names.map { entity[$0]?.lexical ?? "-" }.joined(separator: " ")
        }
    }

    private func change(_ store: OfflineStore, _ path: String, _ json: String, creates: Bool = false) async throws {
        let path = try store.path(path)
        let payload = try await store.payload(json, for: path)
        _ = try await store.change(ChangeRequest(path, creates ? .create(payload) : .update(payload)))
    }

    private static let formats = [OnlineStore.LegacyOptions.Format.atom, .json]

    private func serving(_ body: (String, AsyncHTTPTransport) async throws -> Void) async throws {
        let transport = AsyncHTTPTransport()
        do {
            let peer = try #require(PythonPeer.pyslet, Comment(rawValue: PythonPeer.absence))
            try await peer.serving { try await body($0, transport) }
        } catch {
            try await transport.shutdown()
            throw error
        }
        try await transport.shutdown()
    }

    @Test("Downloaded, changed, uploaded and downloaded again: both sides have the same", arguments: formats)
    func roundTrip(format: OnlineStore.LegacyOptions.Format) async throws {
        try await serving { try await roundTrip($0, $1, format) }
    }

    private func roundTrip(
        _ root: String, _ transport: any HTTPTransport, _ format: OnlineStore.LegacyOptions.Format
    ) async throws {
        let folders = (try TemporaryFolder(), try TemporaryFolder())
        let store = try await device(root, transport, format: format, folders.0)
        try store.addQuery(.init(name: "products", query: "Products?$expand=Category"))
        try store.addQuery(.init(name: "photos", query: "Photos", retrievesStreams: true))
        try await store.download()
        #expect(try await lines(store, "Products?$orderby=ID", ["ID"]) == (1...250).map { "\($0)" })
        #expect(try await lines(store, "Products(3)/Category", ["Name"]) == ["Tea & Coffee"])

        try await change(
            store, "Products", #"{"ID":1000,"Name":"Tè <1>","Discontinued":false,"Version":1}"#, creates: true)
        // In JSON pyslet takes what is not given for null, the key too.
        if format == .atom {
            let changes = #"{"Name":"changed & sent","Price":7.77,"Discontinued":true,"Version":2}"#
            try await change(store, "Products(7)", changes)
        }
        _ = try await store.change(ChangeRequest(try store.path("Products(9)"), .delete))
        let picture = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        _ = try await store.createMedia(
            MediaContent(ByteContent(picture), contentType: "image/png"), in: try store.path("Photos"), slug: "first")
        let report = try await store.upload()
        #expect(report.isComplete, "\(report.failed)")
        try await store.download()

        // A second device sees what the first one has.
        let other = try await device(root, transport, format: format, folders.1)
        for query in try await store.queries { try other.addQuery(query) }
        try await other.download()
        let names = ["ID", "Name", "Price", "Discontinued", "Version"]
        let products = try await lines(store, "Products?$orderby=ID", names)
        #expect(products.count == 250)
        #expect(products.contains(format == .atom ? "7 changed & sent 7.77 true 2" : "7 Product 7 <&> 7.5 false 1"))
        #expect(products.contains("1000 Tè <1> null false 1"))
        #expect(try await lines(other, "Products?$orderby=ID", names) == products)
        for device in [store, other] {
            #expect(try await lines(device, "Photos", ["ID"]) == ["first"])
            let stream = try await device.readStream(StreamRequest(try device.path("Photos('first')")))
            #expect(try await stream.content.collect(upTo: 1 << 20) == picture)
            #expect(try await device.queueEntries().isEmpty)
            try device.close()
        }
    }

    @Test("A media entity is not made of properties, which pyslet would take for its stream", arguments: formats)
    func properties(format: OnlineStore.LegacyOptions.Format) async throws {
        try await serving { root, transport in
            let folder = try TemporaryFolder()
            let store = try await device(root, transport, format: format, folder)
            try store.addQuery(.init(name: "photos", query: "Photos"))
            try await store.download()
            await #expect {
                try await change(store, "Photos", #"{"ID":"made","Title":"a title"}"#, creates: true)
            } throws: {
                ($0 as? ODataError)?.message.contains("createMedia") == true
            }
            #expect(try await store.queueEntries().isEmpty)
            try store.close()
        }
    }

    @Test("A stream is replaced, comes anew after a cut, and goes with its entity", arguments: formats)
    func media(format: OnlineStore.LegacyOptions.Format) async throws {
        try await serving { try await media($0, $1, format) }
    }

    private func media(
        _ root: String, _ transport: any HTTPTransport, _ format: OnlineStore.LegacyOptions.Format
    ) async throws {
        let folders = (try TemporaryFolder(), try TemporaryFolder())
        let store = try await device(root, transport, format: format, folders.0)
        try store.addQuery(.init(name: "photos", query: "Photos", retrievesStreams: true))
        try await store.download()
        let text = MediaContent(ByteContent(Array("text".utf8)), contentType: "text/plain")
        _ = try await store.createMedia(text, in: try store.path("Photos"), slug: "first")
        #expect(try await store.upload().isComplete)
        try await store.download()
        let picture = SiteFile.picture(seed: 1, length: 50_000)
        let content = MediaContent(ByteContent(picture), contentType: "image/png")
        _ = try await store.change(ChangeRequest(try store.path("Photos('first')"), .replaceStream(content)))
        #expect(try await store.upload().isComplete)

        let ranges = Mutex<[String?]>([])
        let plan = FaultPlan { attempt in
            guard attempt.request.path?.hasSuffix("/$value") == true else { return nil }
            return ranges.withLock { ranges in
                ranges.append(attempt.request.headerFields[.range])
                return ranges.count == 1 ? .cut(after: 20_000) : nil
            }
        }
        let other = try await device(root, FaultTransport(next: transport, plan: plan), format: format, folders.1)
        for query in try await store.queries { try other.addQuery(query) }
        #expect(try await other.download().failedStreams.isEmpty)
        // Without a tag nobody knows whether the rest belongs to what came.
        let asked = ranges.withLock { $0 }
        #expect(asked == [nil, nil])
        let photo = try other.path("Photos('first')")
        let stream = try await other.readStream(StreamRequest(photo))
        #expect(stream.contentType == "image/png")
        #expect(try await stream.content.collect(upTo: 1 << 20) == picture)

        _ = try await other.change(ChangeRequest(photo, .delete))
        #expect(try await other.upload().isComplete)
        for device in [other, store] {
            try await device.download()
            #expect(try await lines(device, "Photos", ["ID"]).isEmpty)
            #expect(try await device.queueEntries().isEmpty)
            try device.close()
        }
    }
}
