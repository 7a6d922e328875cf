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
        #expect(try store.queries.map(\.name) == ["orders", "photos", "customers"])
        #expect(
            try store.queueEntries().map { "\($0.id) \($0.method) \($0.url) \($0.state)" } == [
                "3 POST Orders failed", "5 PATCH Orders(2) waiting", "6 POST Orders waiting",
                "7 DELETE Orders(3) waiting",
            ])
        #expect(try store.errorEntries().map(\.requestID) == [3])
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
        let store = try OfflineStore(folder: path, remote: device.remote, configuration: Device.configuration())
        try await store.download(["Orders"])
        try store.close()
        #expect(try seenTables(in: file) == ["$seen$1"])
        let again = try OfflineStore(folder: path, remote: nil)
        try again.removeQuery("Customers")
        try again.close()
        #expect(try seenTables(in: file).isEmpty)
    }

    @Test("Metadata that cannot be read any more keep no store of version 1 from being opened")
    func unreadableMetadata() async throws {
        let folder = try TemporaryFolder()
        let path = try await thaw("version1", into: folder)
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        try await queue.write { try $0.execute(sql: #"UPDATE "$store" SET "value" = x'3c' WHERE "name" = 'metadata'"#) }
        try queue.close()
        let store = try OfflineStore(folder: path, remote: nil)
        #expect(try store.queueEntries().count == 4)
        let error = await #expect(throws: ODataError.self) { try await store.open() }
        #expect(error?.code == .unreachable)
        try store.close()
    }
}
