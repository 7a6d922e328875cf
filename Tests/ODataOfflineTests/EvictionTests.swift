import ByteStreams
import Foundation
import MediaFiles
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

/// The photos 1 to 4 have 10,000 to 40,000 bytes.
@Suite("Streams that make room for others")
struct EvictionTests {
    private func device(
        quota: Int64?, policy: (any NetworkPolicy)? = nil
    ) async throws -> (device: Device, remote: FaultyStore) {
        let device = try await Device(
            [StreamTests.photos], wrap: { FaultyStore($0) },
            configure: { configuration in
                configuration.mediaQuota = quota
                configuration.networkPolicy = policy
                configuration.parallelStreams = 1
                // Fewer than there are.
                configuration.transferBatch = 2
            })
        return (device, try #require(device.remote as? FaultyStore))
    }

    /// The service's photos whose streams are in the store.
    private func photos(_ device: Device) async throws -> [EdmValue] {
        try await device.values(
            "Photos?$filter=OfflineStore.mediaIsOffline() and PhotoID gt 0&$orderby=PhotoID", "PhotoID")
    }

    private func makePhoto(_ bytes: [UInt8], in store: OfflineStore) async throws {
        let content = MediaContent(ByteContent(bytes), contentType: "image/png")
        _ = try await store.createMedia(content, in: try store.path("Photos"))
    }

    private func isCached(_ path: String, in store: OfflineStore) async throws -> Bool {
        try await store.readStream(StreamRequest(try store.path(path))).isCached
    }

    @Test("What was not used for the longest time goes, and is fetched when it is read, not by a refresh")
    func quota() async throws {
        let (device, remote) = try await device(quota: 75_000)
        #expect(try await device.store.download().streams == 4)
        #expect(try await photos(device) == [.integer(3), .integer(4)])
        #expect(try await device.store.status.streamBytes == 70_000)
        remote.set(.init())
        #expect(try await device.store.download().streams == 0)
        #expect(remote.count.streams == 0)
        #expect(try await !isCached("Photos(1)", in: device.store))
        #expect(remote.count.streams == 1)
        #expect(try await photos(device) == [.integer(1), .integer(4)])
        #expect(try await device.bytes("Photos(1)") == Array(repeating: 1, count: 10_000))
        #expect(try await isCached("Photos(4)", in: device.store))
        #expect(remote.count.streams == 1)
        // A new version of one that is not here is not fetched either.
        try device.service.execute("UPDATE Photos SET Image = x'0102' WHERE PhotoID = 3")
        #expect(try await device.store.download().streams == 0)
        #expect(try await device.bytes("Photos(3)") == [1, 2])
        #expect(try await device.store.check().isSound)
        remote.set(.init(brokenStreams: ["Photos(2)"]))
        await #expect { try await device.bytes("Photos(2)") } throws: { ($0 as? ODataError)?.code == .mediaNotInStore }
        try device.store.close()
    }

    @Test("Without the service it is said that a stream made room, and what brings it")
    func withoutService() async throws {
        let (device, _) = try await device(quota: 0)
        try await device.store.download()
        try device.store.close()
        let store = try OfflineStore(folder: device.folder.path + "/store", remote: nil)
        let error = await #expect(throws: ODataError.self) {
            try await store.readStream(StreamRequest(try store.path("Photos(1)")))
        }
        #expect(error?.code == .mediaNotInStore && error?.message.contains("or pin it and download.") == true)
        try store.close()
    }

    @Test("What is pinned or not sent stays beyond any quota; a download fetches no more than fits")
    func kept() async throws {
        let (device, remote) = try await device(quota: 0)
        let store = device.store
        #expect(try await store.download().streams == 0)
        #expect(remote.count.streams == 0)
        let second = try store.path("Photos(2)")
        try await store.pin(second)
        #expect(try await store.isPinned(second))
        #expect(try await store.download().streams == 1)
        try await makePhoto([7], in: store)
        #expect(try await store.status.streams == 2)
        #expect(try await device.bytes("Photos(3)").count == 30_000)
        #expect(try await photos(device) == [.integer(2), .integer(3)])
        #expect(try await device.bytes("Photos(1)").count == 10_000)
        #expect(try await photos(device) == [.integer(1), .integer(2)])
        #expect(try await store.rebuild().keptStreams == 2)
        #expect(try await store.isPinned(second))
        #expect(try await isCached("Photos(2)", in: store))
        #expect(try await store.status.streams == 2)
        try await store.unpin(second)
        #expect(try await !store.isPinned(second))
        #expect(try await store.upload().isComplete)
        try await store.download()
        #expect(try await store.status.streams == 0)
        #expect(try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 5") == ["07"])
        await #expect(throws: ODataError.self) { try await store.pin(try store.path("Photos(99)")) }
        try store.close()
    }

    @Test("What has come of a stream that only comes when it is asked for takes no room of others")
    func partial() async throws {
        let (device, _) = try await device(quota: 0)
        try await device.store.download()
        do {
            let folder = try MediaFolder(path: device.folder.path + "/store/media")
            let partial = try folder.partial(named: "Photos(4)")
            try partial.restart(origin: PartialOrigin(etag: "\"1\""))
            try partial.append(Array(repeating: 4, count: 1_000))
        }
        #expect(try await device.store.mediaUse == MediaUse(partialStreams: 1_000))
        #expect(try await device.store.mediaUse.total == 1_000)
        #expect(try await device.store.streamEntries().map(\.partialBytes) == [0, 0, 0, 1_000])
        try await device.store.download()
        #expect(try await device.store.mediaUse == MediaUse())
        try device.store.close()
    }

    @Test("What comes of a stream that is read while a download ends is not dropped")
    func partialOfReader() async throws {
        let pieces = Pieces()
        let device = try await Device(
            [StreamTests.photos], wrap: { TappedStore(base: $0, streaming: pieces.tapped) },
            configure: { configuration in
                configuration.mediaQuota = 0
                configuration.smallStreams = 0
            })
        let store = device.store
        try await store.download()
        pieces.meanwhile {
            #expect(try await store.mediaUse.partialStreams > 0)
            try await store.download()
            #expect(try await store.mediaUse.partialStreams > 0)
        }
        #expect(try await device.bytes("Photos(1)") == Array(repeating: 1, count: 10_000))
        #expect(pieces.isOver)
        #expect(try await store.mediaUse == MediaUse(streams: 10_000))
        try store.close()
    }

    @Test("What made room comes with the next download only while it is pinned")
    func pinnedBriefly() async throws {
        let (device, remote) = try await device(quota: 1)
        let store = device.store
        #expect(try await store.download().streams == 1)
        #expect(try await store.status.streams == 0)
        remote.set(.init())
        let first = try store.path("Photos(1)")
        try await store.pin(first)
        try await store.unpin(first)
        #expect(try await store.download().streams == 0)
        #expect(remote.count.streams == 0)
        try await store.pin(first)
        #expect(try await store.download().streams == 1)
        #expect(try await store.download().streams == 0)
        #expect(try await isCached("Photos(1)", in: store))
        try device.store.close()
    }

    /// All photos have changed at the service, and the third is pinned. One stream is known at a time.
    private func changed(_ pieces: Pieces) async throws -> (device: Device, remote: FaultyStore) {
        let device = try await Device(
            [StreamTests.photos], wrap: { FaultyStore(TappedStore(base: $0, streaming: pieces.tapped)) },
            configure: { configuration in
                configuration.parallelStreams = 1
                configuration.transferBatch = 1
            })
        let remote = try #require(device.remote as? FaultyStore)
        #expect(try await device.store.download().streams == 4)
        try device.service.execute("UPDATE Photos SET Image = x'0102'")
        try await device.store.pin(try device.store.path("Photos(3)"))
        remote.set(.init())
        return (device, remote)
    }

    @Test("What is pinned while a download runs comes with it, after what was pinned before")
    func pinnedMeanwhile() async throws {
        let pieces = Pieces()
        let (device, remote) = try await changed(pieces)
        let store = device.store
        pieces.meanwhile { try await store.pin(try store.path("Photos(1)")) }
        #expect(try await store.download().streams == 4)
        #expect(remote.count.streamPaths == ["Photos(3)", "Photos(1)", "Photos(2)", "Photos(4)"])
        try store.close()
    }

    @Test("What failed, and is not pinned any more, does not come again in the same download")
    func unpinnedMeanwhile() async throws {
        let pieces = Pieces()
        let (device, remote) = try await changed(pieces)
        let store = device.store
        pieces.meanwhile {
            try await store.unpin(try store.path("Photos(3)"))
            throw ODataError(.forbidden, "no")
        }
        let report = try await store.download()
        #expect(report.streams == 3 && report.failedStreams.map(\.path) == ["Photos(3)"])
        #expect(remote.count.streamPaths == ["Photos(3)", "Photos(1)", "Photos(2)", "Photos(4)"])
        try store.close()
    }

    @Test("Pins of what is not sent outlive a rebuild, and hold when it was sent")
    func unsentPins() async throws {
        let (device, _) = try await device(quota: 0)
        let store = device.store
        try await store.download()
        let content = MediaContent(ByteContent([8, 9]), contentType: "image/png")
        let changed = try store.path("Photos(2)")
        _ = try await store.change(ChangeRequest(changed, .replaceStream(content)))
        let made = try await store.createMedia(
            MediaContent(ByteContent([7]), contentType: "image/png"), in: try store.path("Photos"))
        let new = try store.path(try #require(made.entity?.id))
        for path in [changed, new] { try await store.pin(path) }
        try await store.rebuild()
        for path in [changed, new] { #expect(try await store.isPinned(path)) }
        #expect(try await store.upload().isComplete)
        try await store.download()
        #expect(try await store.status.streams == 2)
        #expect(try await device.bytes("Photos(2)") == [8, 9])
        #expect(try await photos(device) == [.integer(2), .integer(5)])
        try store.close()
    }

    @Test("A stream that did not come yet is fetched when it is read, if a query wants it")
    func onDemand() async throws {
        let (device, remote) = try await device(quota: nil)
        remote.set(.init(brokenStreams: ["Photos(1)"]))
        #expect(try await device.store.download().failedStreams.count == 1)
        remote.set(.init())
        #expect(try await device.bytes("Photos(1)").count == 10_000)
        #expect(try await device.store.download().streams == 0)
        try device.store.removeQuery("photos")
        try device.store.addQuery(.init(name: "all", query: "Photos"))
        try await device.store.download()
        await #expect { try await device.bytes("Photos(1)") } throws: { ($0 as? ODataError)?.code == .mediaNotInStore }
        try device.store.close()
    }

    @Test("Streams that the network policy does not allow wait")
    func policy() async throws {
        let policy = SwitchedPolicy()
        let (device, remote) = try await device(quota: nil, policy: policy)
        let report = try await device.store.download()
        #expect(report.streams == 0 && report.waitingStreams == 4 && report.failedStreams.isEmpty)
        await #expect { try await device.bytes("Photos(1)") } throws: { ($0 as? ODataError)?.code == .mediaNotInStore }
        #expect(remote.count.streams == 0)
        try await device.store.pin(try device.store.path("Photos(3)"))
        policy.allow(from: 1)
        #expect(try await device.store.download().streams == 1)
        #expect(try await photos(device) == [.integer(3)])
        policy.allow(from: 0)
        #expect(try await device.store.download().streams == 3)
        #expect(policy.asked == [0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0])
        try device.store.close()
    }

    @Test("A store learns what another one let go in their folder, also after a kill in between")
    func otherStore() async throws {
        let folder = try TemporaryFolder()
        let media = folder.path + "/media"
        let service = try SampleService()
        let configure = { (quota: Int64?) in
            var configuration = Device.configuration()
            configuration.mediaFolder = media
            configuration.mediaQuota = quota
            return configuration
        }
        let path = folder.path + "/a"
        let a = try OfflineStore(folder: path, remote: service.store, configuration: configure(nil))
        try await a.open()
        try a.addQuery(StreamTests.photos)
        #expect(try await a.download().streams == 4)
        let b = try OfflineStore(folder: folder.path + "/b", remote: service.store, configuration: configure(0))
        try await b.open()
        try b.addQuery(StreamTests.photos)
        try await b.download()
        #expect(try await b.status.streams == 0)
        // Its rows are not marked yet.
        #expect(try await a.status.streams == 4)
        #expect(try await a.check().isSound)
        #expect(try await !isCached("Photos(1)", in: a))
        #expect(try await a.status.streams == 1)
        try await b.download()
        #expect(try await a.status.streams == 1)
        try FileManager.default.copyItem(atPath: path, toPath: path + "-killed")
        try a.close()
        try FileManager.default.removeItem(atPath: path)
        let again = try OfflineStore(folder: path + "-killed", remote: service.store, configuration: configure(nil))
        #expect(try await again.status.streams == 0)
        #expect(try await again.download().streams == 0)
        #expect(try await !isCached("Photos(1)", in: again))
        #expect(try await isCached("Photos(1)", in: again))
        // What is pinned before its row is marked comes again.
        try await b.download()
        try await again.pin(try again.path("Photos(1)"))
        for _ in 0..<2 { try await again.download() }
        #expect(try await isCached("Photos(1)", in: again))
        try again.close()
        try b.close()
    }
}

/// Does something once, when the first piece of a stream has come.
private final class Pieces: Sendable {
    private struct State {
        var pulls = 0
        var body: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.body == nil } }

    func meanwhile(_ body: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0 = State(body: body) }
    }

    @Sendable func tapped(_ result: StreamResult) throws -> StreamResult {
        var result = result
        let chunks = try result.content.chunks().makeAsyncIterator()
        let pieces = ByteChunks { [self] in
            let body = state.withLock { state in
                state.pulls += 1
                return state.pulls == 2 ? state.body.take() : nil
            }
            try await body?()
            return try await chunks.next()
        }
        result.content = ByteContent(pieces, length: result.content.length)
        return result
    }
}

/// Allows streams from a priority on.
private final class SwitchedPolicy: NetworkPolicy {
    private let state = Mutex<(least: Int, asked: [Int])>((3, []))

    var asked: [Int] { state.withLock { $0.asked } }

    func allow(from least: Int) { state.withLock { $0.least = least } }

    func allows(_ bytes: Int64?, priority: Int) async -> Bool {
        state.withLock { state in
            state.asked.append(priority)
            return priority >= state.least
        }
    }
}
