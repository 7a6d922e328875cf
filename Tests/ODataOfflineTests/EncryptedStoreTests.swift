import ByteStreams
import EncryptionKeys
import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores
import SQLiteEncryption
import Testing

@Suite("Encrypted stores")
struct EncryptedStoreTests {
    private static let queries = [
        DefiningQuery(name: "orders", query: "Orders?$expand=Items"),
        DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true),
        DefiningQuery(name: "customers", query: "Customers"),
    ]

    private let service: SampleService
    private let folder: TemporaryFolder
    private let key = EncryptionKey.random()
    private var path: String { folder.path + "/store" }

    init() throws {
        service = try SampleService()
        folder = try TemporaryFolder()
    }

    private func open(_ path: String? = nil, key: EncryptionKey?, isReadOnly: Bool = false) throws -> OfflineStore {
        try OfflineStore(
            folder: path ?? self.path, remote: service.store, configuration: Device.configuration(), key: key,
            isReadOnly: isReadOnly)
    }

    /// A store with all data, a changed order and a new photo.
    private func makeStore() async throws -> OfflineStore {
        let store = try open(key: key)
        try await store.open()
        for query in Self.queries { try store.addQuery(query) }
        try await store.download()
        try await change(store, "Orders(2)", #"{"Note":"secret words"}"#)
        let photo = MediaContent(ByteContent([UInt8](repeating: 7, count: 5_000)), contentType: "image/png")
        _ = try await store.createMedia(photo, in: try store.path("Photos"))
        return store
    }

    private func change(_ store: OfflineStore, _ entity: String, _ json: String) async throws {
        let path = try store.path(entity)
        _ = try await store.change(ChangeRequest(path, .update(try await store.payload(json, for: path))))
    }

    @Test("A process that ended while the store was made does not lock the folder")
    func interruptedMaking() async throws {
        try open(key: key).close()
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: path)
        where name.hasPrefix("store.sqlite") || name == "media" {
            try manager.removeItem(atPath: "\(path)/\(name)")
        }
        try Data("half".utf8).write(to: URL(fileURLWithPath: path + "/store.sqlite.new"))
        let store = try open(key: key)
        #expect(try manager.contentsOfDirectory(atPath: path).allSatisfy { !$0.hasSuffix(".new") })
        try store.close()
    }

    private func count(_ store: OfflineStore, _ url: String) async throws -> Int {
        try await store.entities(try await store.query(url)).count
    }

    private func code(_ body: () throws -> Void) -> ODataError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? ODataError)?.code }
    }

    /// Fails where a file of the folder has what the service or the app has written, or a name that tells a digest.
    private func expectNothingReadable(in path: String) throws {
        let words = [
            "secret words", "note 7", "Alpha", "product 1", "OrderID", "Orders(2)", "https://", "CREATE TABLE",
        ]
        let texts = words.map { Data($0.utf8) } + [1, 2, 3, 4, 7].map { Data(repeating: $0, count: 64) }
        for case let name as String in try #require(FileManager.default.enumerator(atPath: path)) {
            #expect(!name.contains(Self.digest))
            guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
            for text in texts { #expect(bytes.range(of: text) == nil, "\(name)") }
        }
    }

    /// SHA-256 of the stream of photo 1: 10,000 bytes of value 1.
    private static let digest = "684ad25fdc2bbb80"

    @Test("All that the store keeps is encrypted, and can be used with the key")
    func everything() async throws {
        let store = try await makeStore()
        #expect(store.isEncrypted)
        try expectNothingReadable(in: path)
        let reader = try open(key: key, isReadOnly: true)
        #expect(try await count(reader, "Orders?$filter=Note eq 'secret words'") == 1)
        try reader.close()
        try store.close()
        try expectNothingReadable(in: path)
        let again = try open(key: key)
        #expect(try await count(again, "Orders?$expand=Items") == SampleService.orders)
        #expect(try await again.check().isSound)
        let photo = try await again.readStream(StreamRequest(try again.path("Photos(2)/$value"))).content
        #expect(try await photo.collect(upTo: 1 << 20) == [UInt8](repeating: 2, count: 20_000))
        #expect(try await again.upload().isComplete)
        #expect(try service.fetch("SELECT Note FROM Orders WHERE OrderID = 2") == ["secret words"])
        #expect(try service.fetch("SELECT length(Image) FROM Photos WHERE PhotoID > 4") == ["5000"])
        try again.close()
    }

    @Test("A wrong key, no key, and a key for a plain store are told apart, and nothing is changed")
    func wrongKeys() async throws {
        try await makeStore().close()
        let plain = folder.path + "/plain"
        try open(plain, key: nil).close()
        let files = try contents()
        for isReadOnly in [true, false] {
            #expect(code { _ = try open(key: .random(), isReadOnly: isReadOnly) } == .wrongKey)
            #expect(code { _ = try open(key: nil, isReadOnly: isReadOnly) } == .keyNeeded)
            #expect(code { _ = try open(plain, key: key, isReadOnly: isReadOnly) } == .unusableStore)
        }
        #expect(code { _ = try OfflineStore.rescueQueue(folder: path) } == .keyNeeded)
        #expect(code { _ = try OfflineStore.rescueQueue(folder: path, key: .random()) } == .wrongKey)
        #expect(try OfflineStore.rescueQueue(folder: path, key: key).map(\.url) == ["Orders(2)", "Photos"])
        try FileManager.default.moveItem(atPath: path + "/keys", toPath: folder.path + "/keys")
        for key in [nil, key] { #expect(code { _ = try open(key: key) } == .unusableStore) }
        try FileManager.default.moveItem(atPath: folder.path + "/keys", toPath: path + "/keys")
        #expect(try contents() == files)
        // Somebody's plain database is not taken for the store's.
        try FileManager.default.removeItem(atPath: path + "/store.sqlite")
        try FileManager.default.copyItem(atPath: plain + "/store.sqlite", toPath: path + "/store.sqlite")
        #expect(code { _ = try open(key: key) } == .unusableStore)
    }

    /// All files but the lock and what a reader makes beside the database.
    private func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for case let name as String in try #require(FileManager.default.enumerator(atPath: path))
        where name != "lock" && !name.contains(".sqlite-") {
            contents[name] = FileManager.default.contents(atPath: "\(path)/\(name)")
        }
        return contents
    }

    @Test("Damaged pages are told")
    func damage() async throws {
        try await makeStore().close()
        let file = path + "/store.sqlite"
        var bytes = try #require(FileManager.default.contents(atPath: file))
        // In every page but the first.
        for position in stride(from: 128 + 4_124 + 60, to: bytes.count, by: 4_124) { bytes[position] ^= 1 }
        try bytes.write(to: URL(fileURLWithPath: file))
        let error = await #expect(throws: ODataError.self) {
            let store = try open(key: key)
            _ = try await count(store, "Orders?$expand=Items")
        }
        #expect(error?.code == .unusableStore)
    }

    @Test("A rebuilt store has the key of the one before")
    func rebuild() async throws {
        let store = try await makeStore()
        let report = try await store.rebuild()
        #expect(report.keptStreams == 4)
        #expect(report.keptRequests == 2)
        #expect(try await count(store, "Orders?$filter=Note eq 'secret words'") == 1)
        try expectNothingReadable(in: path)
        try store.close()
        let database = try OfflineStore.databasePath(in: path)
        #expect(database.hasSuffix("/store-1.sqlite"))
        #expect(try EncryptedDatabase.isEncrypted(path: database))
        #expect(code { _ = try open(key: nil) } == .keyNeeded)
        let again = try open(key: key)
        #expect(try await again.upload().isComplete)
        try again.close()
    }

    @Test("A copy has the store's key, another, or none")
    func export() async throws {
        let store = try await makeStore()
        let other = EncryptionKey.random()
        let copies: [(String, OfflineStore.CopyProtection, EncryptionKey?)] = [
            ("same", .asStore, key), ("other", .key(other), other), ("none", .none, nil),
        ]
        for (name, protection, key) in copies {
            let path = "\(folder.path)/\(name)"
            try await store.export(to: path, omitting: ["Customers/Name"], protection: protection)
            if key != nil { try expectNothingReadable(in: path) }
            #expect(code { _ = try open(path, key: key == nil ? .random() : nil) } != nil)
            let copy = try open(path, key: key)
            #expect(try await count(copy, "Orders?$filter=Note eq 'secret words'") == 1)
            #expect(try await count(copy, "Customers?$filter=Name eq 'Alpha'") == 0)
            try copy.close()
        }
        try store.close()
        let plain = try open(folder.path + "/plain", key: nil)
        try await plain.open()
        try await plain.export(to: folder.path + "/sealed", protection: .key(other))
        #expect(code { _ = try open(folder.path + "/sealed", key: nil) } == .keyNeeded)
        try open(folder.path + "/sealed", key: other).close()
        try plain.close()
    }

    @Test("After a change of key the new one opens the store, and the old one does not")
    func rekey() async throws {
        let store = try await makeStore()
        let new = EncryptionKey.random()
        try await store.rekey(to: new)
        #expect(try await store.events().first?.kind == .keyChange)
        #expect(try await count(store, "Orders") == SampleService.orders)
        try store.close()
        #expect(code { _ = try open(key: key) } == .wrongKey)
        let again = try open(key: new)
        #expect(try await again.queueEntries().count == 2)
        #expect(try await again.upload().isComplete)
        try again.close()
        let plain = try open(folder.path + "/plain", key: nil)
        try await plain.open()
        let error = await #expect(throws: ODataError.self) { try await plain.rekey(to: new) }
        #expect(error?.code == .badRequest)
        try plain.close()
    }

    @Test("After a kill in the middle of changes of key exactly one of the keys opens the store", arguments: 1...3)
    func killedRekey(changes: Int) async throws {
        let (first, second) = (try Self.key(1), try Self.key(2))
        let store = try open(key: first)
        try await store.open()
        try store.addQuery(.init(name: "orders", query: "Orders"))
        try await store.download()
        try store.close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, changes = changes as Int] in
            let store = try OfflineStore(folder: path, remote: nil, key: EncryptedStoreTests.key(1))
            let (changed, signal) = AsyncStream<Void>.makeStream()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // If one fails, the process ends, and not by the signal.
                    defer { signal.finish() }
                    while (try? await store.rekey(to: EncryptedStoreTests.key(2))) != nil,
                        (try? await store.rekey(to: EncryptedStoreTests.key(1))) != nil
                    {
                        signal.yield()
                    }
                }
                group.addTask {
                    var seen = 0
                    for await _ in changed {
                        seen += 1
                        if seen == changes { kill(getpid(), SIGKILL) }
                    }
                }
            }
        }
        let codes = [first, second].map { key in code { try open(key: key).close() } }
        #expect(Set(codes) == [nil, .wrongKey])
        let again = try open(key: codes[0] == nil ? first : second)
        #expect(try await count(again, "Orders") == SampleService.orders)
        #expect(try await again.check().isSound)
        try again.close()
    }

    private static func key(_ byte: UInt8) throws -> EncryptionKey {
        try EncryptionKey([UInt8](repeating: byte, count: EncryptionKey.byteCount))
    }
}
