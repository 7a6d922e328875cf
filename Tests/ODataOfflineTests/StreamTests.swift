import ByteStreams
import Foundation
import HTTPTypes
import MediaFiles
import ODataModel
import ODataOffline
import ODataOnline
import ODataQuery
import ODataService
import ODataStores
import ODataTesting
import Synchronization
import Testing

@Suite("Streams")
struct StreamTests {
    static let photos = DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true)

    @Test("Streams come with the first download, and again only after a change")
    func streams() async throws {
        let device = try await Device([Self.photos]) { FaultyStore($0) }
        let remote = try #require(device.remote as? FaultyStore)
        let first = try await device.store.download()
        #expect(first.streams == 4)
        #expect(first.failedStreams.isEmpty)
        #expect(try await device.bytes("Photos(2)") == Array(repeating: 2, count: 20_000))
        remote.set(.init())
        let second = try await device.store.download()
        #expect(second.streams == 0)
        #expect(remote.count.streams == 0)
        try device.service.execute("UPDATE Photos SET Image = x'0102' WHERE PhotoID = 2")
        let third = try await device.store.download()
        #expect(third.streams == 1)
        #expect(try await device.bytes("Photos(2)/$value") == [1, 2])
        let handle = device.store.stream(StreamRequest(try device.store.path("Photos(2)")))
        for try await _ in try handle.chunks() {}
        var fromCache: [Int64?] = []
        for await event in handle.events {
            if case .cacheResponse(let response) = event { fromCache.append(response.totalLength) }
        }
        #expect(fromCache == [2])
    }

    @Test(
        "Media entities are not made without streams, within others neither: nothing is kept of such a change",
        arguments: [
            ("Photos", #"{"Title":"made"}"#), ("Orders(1)/Photos", #"{"Title":"made"}"#),
            ("Orders", #"{"Note":"made","Photos":[{"Title":"made"}]}"#),
        ])
    func withoutStream(collection: String, json: String) async throws {
        let device = try await Device([Self.photos, .init(name: "orders", query: "Orders")])
        try await device.store.download()
        await #expect {
            try await device.create(collection, json)
        } throws: { error in
            let error = error as? ODataError
            return error?.code == .badRequest && error?.message.contains("createMedia") == true
        }
        #expect(try await device.store.queueEntries().isEmpty)
        #expect(try await device.count("Photos?$filter=Title eq 'made'") == 0)
        #expect(try await device.count("Orders?$filter=Note eq 'made'") == 0)
    }

    @Test("A broken stream fails alone and is tried again")
    func broken() async throws {
        var plan = FaultyStore.Plan()
        plan.brokenStreams = ["Photos(3)"]
        let device = try await Device([Self.photos]) { FaultyStore($0, plan) }
        let remote = try #require(device.remote as? FaultyStore)
        let report = try await device.store.download()
        #expect(report.streams == 3)
        #expect(report.failedStreams.map(\.path) == ["Photos(3)"])
        await #expect { try await device.bytes("Photos(3)") } throws: { ($0 as? ODataError)?.code == .mediaNotInStore }
        remote.set(.init())
        #expect(try await device.store.download().streams == 1)
        #expect(try await device.bytes("Photos(3)").count == 30_000)
    }

    @Test("One media entity by its read link; removing the query frees its content")
    func single() async throws {
        let device = try await Device([
            .init(name: "all", query: "Photos"), .init(name: "one", query: "Photos(4)", retrievesStreams: true),
        ])
        #expect(try await device.store.download().streams == 1)
        #expect(try await device.store.status.streams == 1)
        try device.store.removeQuery("one")
        #expect(try await device.store.status.streams == 0)
        #expect(try await device.count("Photos") == 4)
        await #expect { try await device.bytes("Photos(4)") } throws: { ($0 as? ODataError)?.code == .mediaNotInStore }
    }

    @Test("Any number of queries may hold one entity each with its stream")
    func manyQueries() async throws {
        let count = 1_010
        let fill = """
            WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO Photos (PhotoID, Title, Image) SELECT i, 'more', x'0102' FROM n
            """
        let queries = (1...count).map {
            DefiningQuery(name: "\($0)", query: "Photos(\($0))", retrievesStreams: true)
        }
        let device = try await Device(queries, service: SampleService(more: [fill])) {
            FaultyStore($0, .init(brokenStreams: ["Photos(7)"]))
        }
        let (store, remote) = (device.store, try #require(device.remote as? FaultyStore))
        let report = try await store.download()
        #expect(report.streams == count - 1 && report.failedStreams.map(\.path) == ["Photos(7)"])
        remote.set(.init())
        #expect(try await device.bytes("Photos(7)") == [1, 2])
        #expect(remote.count.streamPaths == ["Photos(7)"])
        try store.addQuery(.init(name: "all", query: "Photos"))
        try await store.download(["all"])
        try store.removeQuery("9")
        await #expect { try await device.bytes("Photos(9)") } throws: { ($0 as? ODataError)?.code == .mediaNotInStore }
        #expect(try await device.bytes("Photos(\(count))") == [1, 2])
        try store.close()
    }

    @Test("What nothing refers to is collected, but not while a stream is being put into the store")
    func collected() async throws {
        let device = try await Device([Self.photos])
        let store = device.store
        try await store.download()
        let piece = Mutex<[UInt8]?>([1, 2])
        let chunks = ByteChunks {
            guard let bytes = piece.withLock({ $0.take() }) else { return nil }
            try store.removeQuery("photos")
            let early = try await store.collectStreams()
            #expect(early.streams == 0 && early.bytes == 0)
            return bytes
        }
        let content = MediaContent(ByteContent(chunks, length: nil), contentType: "image/png")
        _ = try await store.createMedia(content, in: try store.path("Photos"))
        let collected = try await store.collectStreams()
        #expect(collected.streams == 4 && collected.bytes == 100_000)
        #expect(try await store.status.streams == 1)
        #expect(try await store.status.streamBytes == 2)
        try device.store.close()
    }

    @Test("A media entity made here is readable at once and reaches the service with its properties")
    func create() async throws {
        let device = try await Device([Self.photos])
        try await device.store.download()
        let path = try device.store.path("Photos")
        let made = try await device.store.createMedia(
            MediaContent(ByteContent([9, 8, 7]), contentType: "image/png"), in: path, slug: "new.png",
            properties: try await device.store.payload(#"{"Title":"made here"}"#, for: path))
        let id = try #require(made.entity?.id)
        #expect(made.entity?["PhotoID"] == nil)
        #expect(made.entity?["Title"] == .string("made here"))
        #expect(try await device.bytes(id) == [9, 8, 7])
        #expect(try await device.store.upload().succeeded.count == 2)
        #expect(
            try device.service.fetch("SELECT Title, hex(Image) FROM Photos WHERE PhotoID > 4") == ["made here|090807"])
        #expect(try await device.bytes(id) == [9, 8, 7])
        #expect(try await device.store.download().streams == 0)
        #expect(try await device.count("Photos") == 5)
    }

    @Test("A stream is replaced here, also one that is not in the store")
    func replace() async throws {
        let device = try await Device([.init(name: "photos", query: "Photos")])
        try await device.store.download()
        let content = MediaContent(ByteContent([5, 5]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(try device.store.path("Photos(1)"), .replaceStream(content)))
        #expect(try await device.bytes("Photos(1)") == [5, 5])
        #expect(try await device.store.queueEntries().map { "\($0.method) \($0.url)" } == ["PUT Photos(1)/$value"])
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 1") == ["0505"])
        // The ETag that came with it is the entity's now.
        try await device.update("Photos(1)", #"{"Title":"after"}"#)
        #expect(try await device.store.upload().isComplete)
    }

    @Test(
        "After a lost response a stream is read as a whole only where neither its digest nor its length tells",
        arguments: [
            (nil, nil, 3), ("039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81", nil, 0),
            (nil, "UPDATE Photos SET Image = x'01' WHERE PhotoID = 1", 0),
            (String(repeating: "0", count: 64), "UPDATE Photos SET Image = x'030201' WHERE PhotoID = 1", 0),
        ] as [(String?, String?, Int)])
    func told(digest: String?, sql: String?, bytes: Int) async throws {
        let device = try await Device([.init(name: "photos", query: "Photos")]) { FaultyStore($0) }
        let remote = try #require(device.remote as? FaultyStore)
        try await device.store.download()
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(try device.store.path("Photos(1)"), .replaceStream(content)))
        await remote.loseResponse(to: device.store)
        if let sql { try device.service.execute(sql) }
        var plan = FaultyStore.Plan()
        plan.isForgetful = true
        plan.digest = digest
        remote.set(plan)
        let report = try await device.store.upload()
        if sql == nil { #expect(report.isComplete) }
        #expect(remote.count.streams > 0)
        #expect(remote.count.streamBytes == bytes)
    }

    /// A device with streams in files.
    private func filingDevice() async throws -> Device {
        let device = try await Device([Self.photos], configure: { $0.smallStreams = 0 })
        try await device.store.download()
        return device
    }

    private func put(_ bytes: [UInt8], _ path: String, in store: OfflineStore, tag: String? = nil) async throws {
        let content = MediaContent(ByteContent(bytes), contentType: "image/png")
        let request = ChangeRequest(try store.path(path), .replaceStream(content))
        _ = try await store.change(request, options: RequestOptions(tag: tag))
    }

    /// The store of the device, opened again without the files of these bytes, which were not sent.
    private func reopened(_ device: Device, without contents: [UInt8]...) async throws -> OfflineStore {
        try device.store.close()
        let folder = device.folder.path + "/store"
        for digest in contents.map({ StoredMedia($0).digest }) {
            try FileManager.default.removeItem(atPath: "\(folder)/media/\(digest.prefix(2))/\(digest)")
        }
        let store = try OfflineStore(folder: folder, remote: device.remote, configuration: Device.configuration())
        try await store.open()
        #expect(try await store.errorEntries().map(\.code) == contents.map { _ in "mediaNotInStore" })
        #expect(try await store.status.lostStreams == contents.count)
        return store
    }

    @Test(
        "What is set where content was lost before it was sent is sent in its place, the same or other",
        arguments: [[1, 2, 3], [4, 5]] as [[UInt8]])
    func lostCreation(bytes: [UInt8]) async throws {
        let device = try await filingDevice()
        let photos = try device.store.path("Photos")
        let made = try await device.store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: photos,
            properties: try await device.store.payload(#"{"Title":"made here"}"#, for: photos))
        let id = try #require(made.entity?.id)
        let store = try await reopened(device, without: [1, 2, 3])
        let first = try await store.upload()
        #expect(first.failed.count == 1 && first.held.count == 1)
        try await put(bytes, id, in: store)
        #expect(try await store.errorEntries().isEmpty)
        #expect(try await store.status.lostStreams == 0)
        #expect(try await store.queueEntries().map(\.state) == [.waiting, .waiting])
        let read = try await store.readStream(StreamRequest(try store.path(id))).content.collect(upTo: 10)
        #expect(read == bytes)
        #expect(try await store.upload().isComplete)
        let hex = bytes.map { "0\($0)" }.joined()
        #expect(
            try device.service.fetch("SELECT Title, hex(Image) FROM Photos WHERE PhotoID > 4") == ["made here|\(hex)"])
        try store.close()
    }

    @Test("Lost content that is set for another stream is sent for its own too, before what was set later")
    func lostElsewhere() async throws {
        let device = try await filingDevice()
        try await put([1, 2, 3], "Photos(1)", in: device.store)
        try await put([4], "Photos(1)", in: device.store)
        let store = try await reopened(device, without: [1, 2, 3])
        try await put([1, 2, 3], "Photos(2)", in: store)
        #expect(try await store.errorEntries().isEmpty)
        #expect(try await store.status.lostStreams == 0)
        #expect(try await store.upload().isComplete)
        #expect(
            try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID < 3 ORDER BY PhotoID")
                == ["04", "010203"])
        try store.close()
    }

    @Test("A change set of which two contents are lost waits until both are set")
    func lostTogether() async throws {
        let device = try await filingDevice()
        let change: (String, [UInt8]) throws -> ChangeRequest = { path, bytes in
            let content = MediaContent(ByteContent(bytes), contentType: "image/png")
            return ChangeRequest(try device.store.path(path), .replaceStream(content))
        }
        _ = try await device.store.changeSet([try change("Photos(1)", [1, 2, 3]), try change("Photos(2)", [4, 5])])
        let store = try await reopened(device, without: [1, 2, 3], [4, 5])
        try await put([6], "Photos(1)", in: store)
        #expect(try await store.errorEntries().map(\.code) == ["failedDependency", "mediaNotInStore"])
        #expect(try await store.status.lostStreams == 1)
        #expect(try await store.queueEntries().map(\.state) == [.failed, .failed])
        try await put([7], "Photos(2)", in: store)
        #expect(try await store.errorEntries().isEmpty)
        #expect(try await store.queueEntries().map(\.state) == [.waiting, .waiting])
        #expect(try await store.upload().isComplete)
        let images = try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID < 3 ORDER BY PhotoID")
        #expect(images == ["06", "07"])
        try store.close()
    }

    @Test(
        "What takes the place of lost content has a request of its own too if others came between, or if it is named",
        arguments: [true, false])
    func lostAndLater(isNamed: Bool) async throws {
        let device = try await filingDevice()
        try await put([1, 2, 3], "Photos(1)", in: device.store)
        if !isNamed { try await put([4], "Photos(1)", in: device.store) }
        let store = try await reopened(device, without: [1, 2, 3])
        try await put([5], "Photos(1)", in: store, tag: isNamed ? "mine" : nil)
        let tags: [String?] = isNamed ? [nil, "mine"] : [nil, nil, nil]
        #expect(try await store.queueEntries().map(\.tag) == tags)
        #expect(try await store.queueEntries().allSatisfy { $0.state == .waiting })
        #expect(try await store.upload().isComplete)
        #expect(try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 1") == ["05"])
        try store.close()
    }

    enum Content: CaseIterable { case fetched, older, missing, evicted }

    @Test(
        "Where only the stream's own response tells its ETag, a replacement of what was fetched with it is conditional",
        arguments: Content.allCases)
    func condition(_ content: Content) async throws {
        let service = try SampleService()
        let responses = FixedResponses()
        let photos: (Int) -> String = { version in
            #"{"value":[{"@odata.etag":"W/\"\#(version)\"","PhotoID":1,"Title":"photo 1","OrderID":1}]}"#
        }
        responses.set("/Photos?", photos(1))
        let sent = Mutex<[String]>([])
        let remote = TappedStore(
            base: try responses.remote(over: service.store),
            changing: { request in
                sent.withLock { $0.append(request.ifMatch ?? "none") }
                return request
            })
        let query = DefiningQuery(
            name: "photos", query: "Photos?$filter=PhotoID ge 1", retrievesStreams: content != .missing)
        let device = try await ShopDevice([query], remote: remote) {
            if content == .evicted { $0.mediaQuota = 1 }
        }
        try await device.store.download()
        let stream = try device.store.path("Photos(1)/$value")
        if content == .evicted {
            #expect(try await device.store.status.streams == 0)
            try await device.store.pin(stream)
        }
        let tag = try #require(try await remote.readStream(StreamRequest(stream)).etag)
        if content == .older {
            responses.set("/Photos?", photos(2))
            responses.set("/Photos(1)/$value", .status(503))
            #expect(try await device.store.download().failedStreams.count == 1)
        }
        let replacement = MediaContent(ByteContent([5]), contentType: "image/png")
        _ = try await device.store.change(ChangeRequest(stream, .replaceStream(replacement)))
        _ = try? await device.store.upload()
        let condition = sent.withLock { $0.first }
        let isKnown = content == .fetched || content == .evicted
        #expect(condition == (isKnown ? tag : "none"))
        guard isKnown else { return }
        #expect(try service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 1") == ["05"])
        let left = try await device.store.queueEntries().count
        #expect(left == 0)
    }

    @Test(
        "A stream property that was deleted is null, before the upload and after it, until it comes again",
        arguments: [ChangeRequest.Operation.deleteStream, .delete])
    func deletedProperty(operation: ChangeRequest.Operation) async throws {
        let service = try SampleService(more: [
            "ALTER TABLE Customers ADD COLUMN Logo BLOB", "UPDATE Customers SET Logo = x'0102'",
        ])
        let customers = DefiningQuery(name: "customers", query: "Customers", retrievesStreams: true)
        let device = try await Device([customers], service: service)
        try await device.store.download()
        let request = StreamRequest(try device.store.path("Customers('A')/Logo"))
        #expect(try await device.store.readStream(request).content.collect(upTo: 10) == [1, 2])
        _ = try await device.store.change(ChangeRequest(request.path, operation))
        #expect(try await device.count("Customers") == 3)
        #expect(try await device.store.readStream(request).isNull)
        #expect(try await device.store.upload().isComplete)
        #expect(try device.service.fetch("SELECT count(*) FROM Customers WHERE Logo IS NULL") == ["1"])
        #expect(try await device.store.readStream(request).isNull)
        try device.service.execute("UPDATE Customers SET Logo = x'03' WHERE CustomerID = 'A'")
        try await device.store.download()
        #expect(try await device.store.readStream(request).content.collect(upTo: 10) == [3])
    }

    @Test("Published, a store responds to streams that are null as a service does: of properties there is no content")
    func publishedNulls() async throws {
        let service = try SampleService(more: [
            "ALTER TABLE Customers ADD COLUMN Logo BLOB", "UPDATE Customers SET Logo = x'0102'",
            "UPDATE Photos SET Image = NULL WHERE PhotoID = 3", "UPDATE Orders SET Note = NULL WHERE OrderID = 1",
        ])
        let customers = DefiningQuery(name: "customers", query: "Customers", retrievesStreams: true)
        let device = try await Device(
            [customers, Self.photos, .init(name: "orders", query: "Orders")], service: service)
        try await device.store.download()
        let logo = try device.store.path("Customers('A')/Logo")
        _ = try await device.store.change(ChangeRequest(logo, .deleteStream))
        let published = ODataService(store: device.store)
        for (path, status) in [
            ("Customers('A')/Logo", 204), ("Customers('B')/Logo", 200), ("Customers('Z')/Logo", 404),
            ("Photos(2)/$value", 200), ("Photos(3)/$value", 404),
        ] {
            let request = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/\(path)")
            let response = await published.respond(to: request, body: .empty, root: "http://h/")
            #expect(response.head.status.code == status, "\(path)")
        }
        let note = StreamRequest(try device.store.path("Orders(1)/Note/$value"))
        #expect(try await device.store.readStream(note).isNull)
    }

    @Test("Media entities that come by $expand bring their streams")
    func expanded() async throws {
        let device = try await Device([
            .init(name: "orders", query: "Orders?$filter=OrderID le 2&$expand=Photos", retrievesStreams: true)
        ])
        #expect(try await device.store.download().streams == 2)
        #expect(try await device.bytes("Photos(2)") == Array(repeating: 2, count: 20_000))
        #expect(try await device.store.download().streams == 0)
    }

    @Test(
        "The bytes of a handle are an input stream, of a service and of what is on the device",
        arguments: [true, false])
    func inputStream(isOffline: Bool) async throws {
        let device = try await Device([Self.photos])
        try await device.store.download()
        let direct = InProcessTransport(service: ODataService(store: device.service.store))
        let online = try OnlineStore(serviceRoot: "http://service.test/", transport: direct)
        let store: any ODataStore = isOffline ? device.store : online
        let handle = store.stream(StreamRequest(try device.store.path("Photos(2)")))
        let content = ByteContent(try handle.chunks(), length: nil)
        // Its reads wait, which they must not do inside a task.
        let bytes = await withCheckedContinuation { (continuation: CheckedContinuation<[UInt8], Never>) in
            Thread.detachNewThread {
                let stream = SourceInputStream(content)
                stream.open()
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 3000)
                while true {
                    let count = stream.read(&buffer, maxLength: buffer.count)
                    guard count > 0 else { break }
                    bytes += buffer[..<count]
                }
                stream.close()
                continuation.resume(returning: bytes)
            }
        }
        #expect(bytes == Array(repeating: 2, count: 20_000))
        try device.store.close()
    }
}
