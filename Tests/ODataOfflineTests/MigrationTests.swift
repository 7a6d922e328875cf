import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataOffline
import ODataStores
import Testing

/// Stores as earlier releases have left them: the text of their databases stands in `Frozen/`.
@Suite("Stores of earlier versions")
struct MigrationTests {
    private func thaw(_ name: String, into folder: TemporaryFolder) async throws -> String {
        let text = try #require(Bundle.module.url(forResource: "Frozen/\(name)", withExtension: "sql"))
        let path = folder.path + "/store"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var configuration = Configuration()
        // The text names the collation, but nothing is compared while it is read.
        let collation = DatabaseCollation("ODATA_DECIMAL") { $0.compare($1) }
        configuration.prepareDatabase { $0.add(collation: collation) }
        let queue = try DatabaseQueue(path: path + "/store.sqlite", configuration: configuration)
        let statements = try String(contentsOf: text, encoding: .utf8)
        try await queue.writeWithoutTransaction { try $0.execute(sql: statements) }
        try queue.close()
        return path
    }

    @Test(arguments: ["version1"])
    func areOpenedWithAllThatWaits(name: String) async throws {
        let folder = try TemporaryFolder()
        let path = try await thaw(name, into: folder)
        #expect(try OfflineStore.rescueQueue(folder: path).map(\.id) == [3, 5, 6, 7], "before it is migrated")
        let store = try OfflineStore(folder: path, remote: nil)
        #expect(try await store.queries.map(\.name) == ["orders", "photos", "customers"])
        #expect(
            try await store.queueEntries().map { "\($0.id) \($0.method) \($0.url) \($0.state)" } == [
                "3 POST Orders failed", "5 PATCH Orders(2) waiting", "6 POST Orders waiting",
                "7 DELETE Orders(3) waiting",
            ])
        #expect(try await store.errorEntries().map(\.requestID) == [3])
        let notes = try await store.entities(try await store.query("Orders?$orderby=Note")).map { $0["Note"] }
        #expect(
            notes == [
                .string("changed"), .string("changed too"), .string("made here"), .string("too dear"), .string("waits"),
            ])
        try await store.undo(.request(7))
        #expect(try await store.entities(try await store.query("Orders")).count == 6)
        try store.close()
        try OfflineStore(folder: path, remote: nil).close()
    }

    @Test("A store of version 4 gets room for edit links, keeps what waits, and reads nothing anew")
    func version4() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        try await device.update("Orders(2)", #"{"Note":"mine"}"#)
        let path = device.folder.path + "/store"
        try device.store.close()
        let queue = try DatabaseQueue(path: try OfflineStore.databasePath(in: path))
        let had = try await queue.writeWithoutTransaction { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND c.name = '$edit'
                    """)
            for table in tables { try db.execute(sql: #"ALTER TABLE "\#(table)" DROP COLUMN "$edit""#) }
            try db.execute(sql: "PRAGMA user_version = 4")
            return Set(tables)
        }
        try queue.close()
        #expect(had.isSuperset(of: ["Orders", "$base$Orders"]))
        let store = try OfflineStore(folder: path, remote: device.remote, configuration: Device.configuration())
        #expect(try await store.queueEntries().map(\.url) == ["Orders(2)"])
        #expect(try await store.upload().isComplete)
        #expect(try await store.download().queries.first?.mode == .delta)
        #expect(try device.service.fetch("SELECT Note FROM Orders WHERE OrderID = 2") == ["mine"])
    }

    @Test("A store of version 3 keeps its streams and what was not sent of them")
    func version3() async throws {
        let device = try await Device([StreamTests.photos], configure: { $0.smallStreams = 0 })
        try await device.store.download()
        _ = try await device.store.createMedia(
            MediaContent(ByteContent([1, 2, 3]), contentType: "image/png"), in: try device.store.path("Photos"))
        let path = device.folder.path + "/store"
        try device.store.close()
        let queue = try DatabaseQueue(path: try OfflineStore.databasePath(in: path))
        try await queue.writeWithoutTransaction { db in
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND c.name = '$media$evicted'
                    """)
            #expect(tables.contains("Photos"))
            for table in tables { try db.execute(sql: #"ALTER TABLE "\#(table)" DROP COLUMN "$media$evicted""#) }
            try db.execute(
                sql: #"DROP TABLE "$pin"; DELETE FROM "$store" WHERE name LIKE 'media%'; PRAGMA user_version = 3"#)
        }
        try queue.close()
        try FileManager.default.removeItem(atPath: path + "/media/index.sqlite")
        var configuration = Device.configuration()
        configuration.mediaQuota = 0
        let store = try OfflineStore(folder: path, remote: device.remote, configuration: configuration)
        #expect(try await store.status.streams == 5)
        #expect(try await store.check().isSound)
        #expect(try await store.download().streams == 0)
        #expect(try await store.status.streams == 1, "what was not sent")
        #expect(try await store.upload().isComplete)
        #expect(try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 5") == ["010203"])
        try store.close()
    }

    /// The content of the streams in `version3.sql`, by its SHA-256.
    private static let frozenStreams: [String: [UInt8]] = [
        "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81": [1, 2, 3],
        "2fa1b377bf67309f65e5e7bc9d924345ca648dec4e601a398a9cb497dcba3765": [4, 5],
        "67586e98fad27da0b9968bc039a1ef34c939b9b8e523a8bef89d478608c5ecf6": [6],
    ]

    @Test("A frozen store of version 3 is opened with its streams, uploads, attachments and events")
    func frozenVersion3() async throws {
        let folder = try TemporaryFolder()
        let path = try await thaw("version3", into: folder)
        for (digest, bytes) in Self.frozenStreams {
            let place = "\(path)/media/\(digest.prefix(2))/\(digest.dropFirst(2).prefix(2))"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: "\(place)/\(digest)"))
        }
        #expect(try OfflineStore.rescueQueue(folder: path).map(\.id) == [3, 5, 6, 7, 8], "before it is migrated")
        let store = try OfflineStore(folder: path, remote: nil)
        #expect(try await store.queueEntries().last?.url == "Photos(2)/$value")
        #expect(
            try await store.queueEntries().map(\.state) == [.failed, .waiting, .waiting, .waiting, .unconfirmed],
            "what was being sent may have been executed")
        #expect(try await store.status.streams == 3)
        #expect(try await store.status.attachmentEdits == 1)
        #expect(try await store.events().map(\.kind) == [.download])
        #expect(try await store.check().isSound)
        let streams = try await store.streamEntries()
        #expect(streams.map(\.path) == ["Photos(1)", "Photos(2)"])
        #expect(streams.map(\.state) == [.inStore, .unsent] && streams.allSatisfy { !$0.isPinned })
        let photo = try store.path("Photos(1)")
        #expect(try await store.readStream(StreamRequest(photo)).content.collect(upTo: 10) == [1, 2, 3])
        try await store.pin(photo)
        try store.close()
        var configuration = OfflineStore.Configuration()
        configuration.mediaQuota = 0
        let again = try OfflineStore(folder: path, remote: nil, configuration: configuration)
        #expect(try await again.isPinned(photo))
        #expect(try await again.streamEntries().map(\.state) == [.inStore, .unsent])
        try again.close()
    }

    private func seenTables(in file: String, after statements: [String] = []) throws -> [String] {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction { db in
            for statement in statements { try db.execute(sql: statement) }
            return try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE name GLOB '$seen$*' ORDER BY name")
        }
    }

    @Test("Tables of what was seen, as earlier releases made them, go with the next download or the query")
    func seenTables() async throws {
        let queries = ["Orders", "Customers"].map { DefiningQuery(name: $0, query: $0) }
        let device = try await Device(queries)
        try await device.store.download()
        let path = device.folder.path + "/store"
        try device.store.close()
        let file = try OfflineStore.databasePath(in: path)
        let made = [0, 1].map { #"CREATE TABLE "$seen$\#($0)" ("row" INTEGER PRIMARY KEY)"# }
        #expect(try seenTables(in: file, after: made) == ["$seen$0", "$seen$1"])
        // Downloads begin side by side: either of them may have the first slot.
        let customers = try await DatabaseQueue(path: file).read {
            try Int.fetchOne(
                $0, sql: #"SELECT "slot" FROM "$node" JOIN "$query" q ON "query" = q."id" WHERE q."name" = 'Customers'"#
            )
        }
        let store = try OfflineStore(folder: path, remote: device.remote, configuration: Device.configuration())
        try await store.download(["Orders"])
        try store.close()
        #expect(try seenTables(in: file) == ["$seen$\(try #require(customers))"])
        let again = try OfflineStore(folder: path, remote: nil)
        try again.removeQuery("Customers")
        try again.close()
        #expect(try seenTables(in: file).isEmpty)
    }

    @Test("A store of version 3 gets the table of uploads; what was being sent may have been executed")
    func uploads() async throws {
        let device = try await Device([.init(name: "photos", query: "Photos")])
        try await device.store.download()
        let content = MediaContent(ByteContent([1, 2, 3]), contentType: "image/png")
        let target = try device.store.path("Photos(1)")
        _ = try await device.store.change(ChangeRequest(target, .replaceStream(content)))
        let path = device.folder.path + "/store"
        try device.store.close()
        let queue = try DatabaseQueue(path: try OfflineStore.databasePath(in: path))
        try await queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    DROP TABLE "$transfer"; PRAGMA user_version = 3; UPDATE "$queue" SET "state" = 'sending'
                    """)
        }
        try queue.close()
        let store = try OfflineStore(folder: path, remote: device.remote, configuration: Device.configuration())
        #expect(try await store.queueEntries().map(\.state) == [.unconfirmed])
        #expect(try await store.upload().isComplete)
        #expect(try device.service.fetch("SELECT hex(Image) FROM Photos WHERE PhotoID = 1") == ["010203"])
        try store.close()
    }

    @Test("Metadata that cannot be read any more keep no store of version 1 from being opened")
    func unreadableMetadata() async throws {
        let folder = try TemporaryFolder()
        let path = try await thaw("version1", into: folder)
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        try await queue.write { try $0.execute(sql: #"UPDATE "$store" SET "value" = x'3c' WHERE "name" = 'metadata'"#) }
        try queue.close()
        let store = try OfflineStore(folder: path, remote: nil)
        #expect(try await store.queueEntries().count == 4)
        let error = await #expect(throws: ODataError.self) { try await store.open() }
        #expect(error?.code == .unreachable)
        try store.close()
    }
}
