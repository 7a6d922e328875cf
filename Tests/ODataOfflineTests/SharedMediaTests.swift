import ByteStreams
import EncryptionKeys
import Foundation
import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Synchronization
import Testing

@Suite("Stores that share a media folder")
struct SharedMediaTests {
    private static let photos = DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true)
    private let temporary: TemporaryFolder
    private let service: SampleService
    private var media: String { temporary.path + "/media" }

    init() throws {
        temporary = try TemporaryFolder()
        service = try SampleService()
    }

    private func open(
        _ name: String, key: EncryptionKey? = nil, mediaKey: EncryptionKey? = nil, media: String? = nil,
        isShared: Bool = true, replaces: Bool = false
    ) throws -> OfflineStore {
        var configuration = Device.configuration()
        configuration.mediaFolder = isShared ? media ?? self.media : nil
        configuration.replacesMediaFolder = replaces
        configuration.mediaKey = mediaKey
        // Files are counted.
        configuration.smallStreams = 0
        return try OfflineStore(
            folder: "\(temporary.path)/\(name)", remote: service.store, configuration: configuration, key: key)
    }

    /// With the photos of the service.
    private func fill(_ store: OfflineStore) async throws -> OfflineStore {
        try await store.open()
        try store.addQuery(Self.photos)
        try await store.download()
        return store
    }

    private func makePhoto(_ bytes: [UInt8], in store: OfflineStore) async throws {
        let content = MediaContent(ByteContent(bytes), contentType: "image/png")
        _ = try await store.createMedia(content, in: try store.path("Photos"))
    }

    private func bytes(_ path: String, of store: OfflineStore) async throws -> [UInt8] {
        try await store.readStream(StreamRequest(try store.path(path))).content.collect(upTo: 1 << 20)
    }

    private func error(_ body: () throws -> Void) -> ODataError? {
        do {
            try body()
            return nil
        } catch { return error as? ODataError }
    }

    private func code(_ body: () throws -> Void) -> ODataError.Code? { error(body)?.code }

    /// The files of complete streams.
    private var streams: Int {
        let all = FileManager.default.enumerator(atPath: media)?.compactMap { $0 as? String } ?? []
        return all.count { ($0 as NSString).lastPathComponent.utf8.count == 64 }
    }

    @Test("The same content is there once, until no store needs it")
    func once() async throws {
        let a = try await fill(try open("a"))
        let b = try await fill(try open("b"))
        #expect(streams == 4)
        let counts = try await [a.status.streams, b.status.streams]
        #expect(counts == [4, 4])
        try await makePhoto([1, 2, 3], in: a)
        try a.removeQuery("photos")
        #expect(streams == 5)
        #expect(try await bytes("Photos(2)", of: b) == Array(repeating: 2, count: 20_000))
        try b.clear()
        #expect(streams == 1)
        #expect(try await a.upload().isComplete)
        #expect(try service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 5") == ["010203"])
        try a.clear()
        #expect(streams == 0)
        try a.close()
        try b.close()
    }

    @Test("What one store has not sent is safe from another that is opened after a kill")
    func unsent() async throws {
        let a = try await fill(try open("a"))
        try await makePhoto([7, 8], in: a)
        let rebuilt = try await a.rebuild()
        #expect(rebuilt.keptStreams == 4)
        let killed = temporary.path + "/killed"
        try FileManager.default.copyItem(atPath: temporary.path + "/a", toPath: killed)
        try a.close()
        try FileManager.default.removeItem(atPath: temporary.path + "/a")
        let b = try await fill(try open("b"))
        try b.clear()
        try b.close()
        #expect(streams == 5)
        let again = try open("killed")
        #expect(try await again.errorEntries().isEmpty)
        #expect(try await again.upload().isComplete)
        #expect(try service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 5") == ["0708"])
        #expect(try await again.check().isSound)
        try again.close()
    }

    @Test("What a kill leaves between the reference and the row goes when the store is opened, and nothing else does")
    func killed() async throws {
        let a = try await fill(try open("a"))
        try a.close()
        try FileManager.default.copyItem(atPath: temporary.path + "/a", toPath: temporary.path + "/before")
        let later = try open("a")
        try await makePhoto([9], in: later)
        try later.close()
        #expect(streams == 5)
        // The store's own part as if the row had not been written.
        try FileManager.default.removeItem(atPath: temporary.path + "/a")
        try FileManager.default.moveItem(atPath: temporary.path + "/before", toPath: temporary.path + "/a")
        let again = try open("a")
        #expect(streams == 4)
        #expect(try await again.check().isSound)
        #expect(try await bytes("Photos(1)", of: again).count == 10_000)
        try again.close()
    }

    @Test("A store is refused with another folder than it has, also if nothing is unsent; nothing is made there")
    func otherFolder() async throws {
        let files = FileManager.default
        let other = temporary.path + "/other"
        let filled = try await fill(try open("a"))
        try filled.close()
        for _ in 1...2 {
            let none = try #require(error { _ = try open("a", media: other) })
            #expect(none.code == .unusableStore)
            #expect(none.message.contains("is \(media), and not \(other), which is none"), "\(none.message)")
            #expect(!files.fileExists(atPath: other))
            // Without streams too: they would be looked for elsewhere by the next opening.
            let cleared = try open("a")
            try cleared.clear()
            try cleared.close()
        }
        try open("b", media: other).close()
        let another = try #require(error { _ = try open("a", media: other) })
        #expect(another.code == .unusableStore && another.message.contains("which is another one"))
        #expect(try files.contentsOfDirectory(atPath: other).count { $0.hasPrefix("partial") } == 1)
        #expect(code { _ = try open("a", isShared: false) } == .unusableStore)
        try open("a").close()

        try await fill(try open("own", isShared: false)).close()
        #expect(code { _ = try open("own") } == .unusableStore)
        let own = try open("own", isShared: false)
        #expect(try await bytes("Photos(1)", of: own).count == 10_000)
        try own.clear()
        try own.close()
        try open("own").close()
    }

    @Test("A folder that was moved is known by the id in its index, and is at its new place from then on")
    func moved() async throws {
        let filled = try await fill(try open("a"))
        try await makePhoto([1], in: filled)
        try filled.close()
        let elsewhere = temporary.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: media, toPath: elsewhere)
        let gone = try #require(error { _ = try open("a") })
        #expect(gone.code == .unusableStore && gone.message.contains("\(media), which is not there any more"))
        #expect(!FileManager.default.fileExists(atPath: media))
        let store = try open("a", media: elsewhere)
        #expect(try await bytes("Photos(1)", of: store).count == 10_000)
        #expect(try await store.errorEntries().isEmpty)
        #expect(try await store.upload().isComplete)
        try store.close()
        #expect(error { _ = try open("a") }?.message.contains("is \(elsewhere), and not \(media)") == true)
    }

    @Test("A folder that is gone for good is replaced if that is said: unsent streams are told, all else comes again")
    func replaced() async throws {
        let other = temporary.path + "/other"
        let filled = try await fill(try open("a"))
        try await makePhoto([1], in: filled)
        try filled.close()
        try await fill(try open("b")).close()
        let there = try #require(error { _ = try open("a", media: other, replaces: true) })
        #expect(there.code == .unusableStore && there.message.contains("is not gone, it is \(media)"))
        try FileManager.default.removeItem(atPath: media)
        #expect(code { _ = try open("a") } == .unusableStore)
        let store = try open("a", replaces: true)
        #expect(try await store.status.streams == 0)
        #expect(try await store.errorEntries().map(\.code) == ["mediaNotInStore"])
        #expect(try await store.download().streams == 4)
        #expect(streams == 4)
        // Each of its stores is told; they find what others have fetched.
        #expect(code { _ = try open("b") } == .unusableStore)
        let second = try open("b", replaces: true)
        #expect(try await second.status.streams == 4)
        try second.close()
        try store.close()
        try open("b").close()
        try FileManager.default.removeItem(atPath: media)
        try open("b", media: other, replaces: true).close()
        let again = try open("b", media: other)
        #expect(try await again.download().streams == 4)
        try again.close()
    }

    @Test("An index that was removed because it was damaged is made anew over the files, for each of the stores")
    func removedIndex() async throws {
        for name in ["a", "b"] { try await fill(try open(name)).close() }
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: media + "/index.sqlite" + end) }
        for name in ["a", "b"] {
            let store = try open(name)
            #expect(try await store.status.streams == 4)
            #expect(try await store.check().isSound)
            try store.close()
        }
        #expect(streams == 4)
    }

    @Test("Encrypted stores share a folder under its own key only")
    func encrypted() async throws {
        let (a, b, shared) = (EncryptionKey.random(), EncryptionKey.random(), EncryptionKey.random())
        #expect(code { _ = try open("a", key: a) } == .keyNeeded)
        let first = try await fill(try open("a", key: a, mediaKey: shared))
        let second = try await fill(try open("b", key: b, mediaKey: shared))
        #expect(streams == 4)
        try await first.rekey(to: b)
        try first.close()
        let again = try open("a", key: b, mediaKey: shared)
        #expect(try await bytes("Photos(3)", of: again).count == 30_000)
        #expect(code { _ = try open("c", key: a, mediaKey: a) } == .wrongKey)
        #expect(code { _ = try open("d") } == .keyNeeded)
        try again.close()
        try second.close()
    }

    @Test("A copy for support has a media folder of its own")
    func export() async throws {
        let a = try await fill(try open("a"))
        try await a.export(to: temporary.path + "/copy")
        let copy = try OfflineStore(folder: temporary.path + "/copy", remote: nil)
        #expect(try await copy.status.streams == 0)
        try copy.close()
        #expect(try await bytes("Photos(4)", of: a).count == 40_000)
        try a.close()
    }

    @Test("A store that is cleared leaves nothing in the folder, of changes that were refused neither")
    func cleared() async throws {
        let a = try await fill(try open("a"))
        let content = MediaContent(ByteContent([4, 5]), contentType: "image/png")
        var change = ChangeRequest(try a.path("Photos(1)"), .replaceStream(content))
        change.ifMatch = "\"other\""
        let refused = change
        await #expect { _ = try await a.change(refused) } throws: {
            ($0 as? ODataError)?.code == .preconditionFailed
        }
        #expect(streams == 5)
        try a.clear()
        #expect(streams == 0)
        try a.close()
    }

    @Test("A store is not cleared while a stream is put into it")
    func clearedMeanwhile() async throws {
        let a = try await fill(try open("a"))
        let code = Mutex<ODataError.Code?>(nil)
        let piece = Mutex<[UInt8]?>([1, 2])
        let chunks = ByteChunks {
            do { try a.clear() } catch { code.withLock { $0 = (error as? ODataError)?.code } }
            return piece.withLock { $0.take() }
        }
        let content = MediaContent(ByteContent(chunks, length: nil), contentType: "image/png")
        _ = try await a.createMedia(content, in: try a.path("Photos"))
        #expect(code.withLock { $0 } == .conflict)
        #expect(try await a.status.streams == 5)
        try a.clear()
        #expect(streams == 0)
        try a.close()
    }
}
