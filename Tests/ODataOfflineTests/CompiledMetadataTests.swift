import Foundation
import GRDB
import ODataModel
import ODataSQLite
import ODataStores
import Testing

@testable import ODataOffline

@Suite("Compiled metadata")
struct CompiledMetadataTests {
    /// What of the metadata kept in a closed store can be read: nil if nothing, else whether it comes from the compiled
    /// form.
    private func isCompiled(_ path: String) async throws -> Bool? {
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        defer { try? queue.close() }
        return try await queue.read { try StoredMetadata(db: $0).model()?.isCompiled }
    }

    private func execute(_ sql: String, in path: String) async throws {
        let queue = try DatabaseQueue(path: path + "/store.sqlite")
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test("A store keeps its metadata compiled; whatever does not fit is passed over and made again")
    func fallsBack() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        let model = try device.store.offlineModel().service
        try device.store.close()
        let path = device.folder.path + "/store"
        #expect(try await isCompiled(path) == true)
        let value = #""value" = "#
        let changes = [
            #"DELETE FROM "$store" WHERE "name" = 'compiledMetadata'"#,
            "UPDATE \"$store\" SET \(value) x'00' WHERE \"name\" = 'compiledMetadata'",
            // Another version of the form, changed bytes in the contents and in their digest, contents that end too early,
            // and documents that it was not made of.
            "UPDATE \"$store\" SET \(value) x'FF' || substr(\"value\", 2) WHERE \"name\" = 'compiledMetadata'",
            "UPDATE \"$store\" SET \(value) substr(\"value\", 1, 99) || x'77' || substr(\"value\", 101) "
                + "WHERE \"name\" = 'compiledMetadata'",
            "UPDATE \"$store\" SET \(value) substr(\"value\", 1, 19) || x'77' || substr(\"value\", 21) "
                + "WHERE \"name\" = 'compiledMetadata'",
            "UPDATE \"$store\" SET \(value) substr(\"value\", 1, length(\"value\") - 1) "
                + "WHERE \"name\" = 'compiledMetadata'",
            "UPDATE \"$store\" SET \(value) NULL WHERE \"name\" = 'compiledMetadata'",
            "UPDATE \"$store\" SET \(value) \"value\" || x'20' WHERE \"name\" = 'metadata'",
            "UPDATE \"$store\" SET \(value) CAST(\"value\" || x'2020' AS BLOB) WHERE \"name\" = 'metadata'",
        ]
        for change in changes {
            try await execute(change, in: path)
            #expect(try await isCompiled(path) == false, "\(change)")
            let store = try OfflineStore(folder: path, remote: nil)
            #expect(try store.offlineModel().service == model)
            #expect(try await store.entities(try await store.query("Orders")).count == SampleService.orders)
            try store.close()
            #expect(try await isCompiled(path) == true, "\(change)")
        }
    }

    @Test("A rebuilt store and one with new metadata keep them compiled")
    func isMadeAgain() async throws {
        let service = try await ChangingService([.init(name: "orders", query: "Orders")])
        let store = service.device.store
        try service.change("ALTER TABLE Orders ADD COLUMN Urgent INTEGER")
        try await store.download()
        let taken = try await store.database.reading { try StoredMetadata(db: $0).model() }
        #expect(taken?.isCompiled == true)
        #expect(taken?.offline.service.entitySet(named: "Orders")?.type.property(named: "Urgent") != nil)
        try await store.rebuild()
        #expect(try await store.database.reading { try StoredMetadata(db: $0).model() }?.isCompiled == true)
    }
}
