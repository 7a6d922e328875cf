import Foundation
import GRDB
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Closing a published file, and sharing it")
struct ClosingTests {
    @Test("After reads and writes the file alone has everything: no log stays behind")
    func closing() async throws {
        let file = try Shop.file()
        let store = try file.store { $0.tracksChanges = true }
        _ = try await store.create("Order", ["Customer": .string("Bo")])
        _ = try await store.entities("Order")
        async let one = store.entities("Product")
        async let two = store.entities("Category")
        _ = try await (one, two)
        try store.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
        #expect(names.sorted() == ["shop.db"])
        #expect(try file.value("SELECT count(*) FROM \"Order\"") == "2")
    }

    @Test("Where another program has the file open, closing leaves its log alone")
    func closingWhileOpen() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let other = try DatabaseQueue(path: file.path)
        _ = try other.read { try Row.fetchAll($0, sql: "SELECT * FROM \"Order\"") }
        _ = try await store.create("Order", ["Customer": .string("Bo")])
        try store.close()
        #expect(try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \"Order\"") } == 2)
    }

    @Test("A database that stays busy is told as busy, with the time to wait")
    func busy() {
        let error = DatabaseError(resultCode: .SQLITE_BUSY, message: "database is locked")
        for told in [ODataError.storage(error), ODataError(reading: error)] {
            #expect(told.code == .busy && told.retryAfter == 1)
        }
    }
}
