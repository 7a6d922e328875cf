import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Tables of a declared model: update")
struct DeclaredUpdateTests {
    private func city(_ store: SQLiteStore) async throws -> [String] {
        guard case .complex(let origin)? = try await store.entity("Products(1)")?["Origin"] else { return [] }
        return origin.members.map { "\($0.name)=\($0.value.lexical)" }
    }

    @Test("PATCH merges complex values, PUT replaces them; versions count, keys and computed values stay")
    func merge() async throws {
        let store = try await DeclaredShop.store()
        let etag = try await store.entity("Products(1)")?.etag
        _ = try await store.update(
            "Products(1)",
            ["ID": .integer(99), "Version": .integer(50), "Origin": .complex(["City": .string("Kyoto")])])
        #expect(try await city(store) == ["City=Kyoto", "Zip=611"])
        let entity = try await store.entity("Products(1)")
        #expect(entity?["Version"] == .integer(2))
        #expect(entity?.etag != etag)
        _ = try await store.change(
            "Products(1)",
            .replace(EntityPayload(["Name": .string("a"), "Origin": .complex(["City": .string("Nara")])])))
        #expect(try await city(store) == ["City=Nara", "Zip=null"])
        #expect(try await store.entity("Products(1)")?["CategoryID"] == .null)
        #expect(await code { _ = try await store.change("Products(1)", .replace(EntityPayload())) } == .badRequest)
    }

    @Test("Immutable values are set once")
    func immutable() async throws {
        let store = try await DeclaredShop.store()
        _ = try await store.create("Products", ["ID": .integer(9), "Name": .string("a"), "Code": .string("c")])
        _ = try await store.update("Products(9)", ["Code": .string("d")])
        _ = try await store.change("Products(9)", .replace(EntityPayload(["Name": .string("b")])))
        #expect(try await store.entity("Products(9)")?["Code"] == .string("c"))
    }

    @Test("An update of what is not there creates it, where that is allowed")
    func upsert() async throws {
        let store = try await DeclaredShop.store()
        let payload = EntityPayload(["Name": .string("new")])
        let made = try await store.change("Products(77)", .update(payload)) { $0.allowsCreate = true }
        #expect(made.entityID == "Products(77)")
        let item = EntityPayload(["Quantity": .integer(1), "ProductID": .integer(1)])
        let contained = try await store.change("Orders(1)/Items('z')", .replace(item)) { $0.allowsCreate = true }
        #expect(contained.entityID == "Orders(1)/Items('z')")
        let settings = try await store.change("Settings", .update(EntityPayload(["Volume": .integer(3)]))) {
            $0.allowsCreate = true
        }
        #expect(settings.entity?["Theme"] == .string("light"))
        _ = try await store.change("Settings", .update(EntityPayload(["Theme": .string("dark")])))
        #expect(try await store.entity("Settings")?["Volume"] == .integer(3))
    }

    @Test("Nested collections replace a relation, deltas change it")
    func deepUpdate() async throws {
        let store = try await DeclaredShop.store()
        let category = "Categories(00000000-0000-0001-0000-000000000002)"
        var nested = EntityPayload.Nested(
            navigation: "Products",
            entities: [
                EntityPayload(["ID": .integer(2), "Name": .string("Blacker")]),
                EntityPayload(["ID": .integer(30), "Name": .string("New")]),
            ])
        _ = try await store.change(category, .update(EntityPayload(nested: [nested])))
        #expect(
            try await store.entities("\(category)/Products").map { $0["Name"] } == [.string("Blacker"), .string("New")])
        #expect(try await store.entity("Products(1)")?["CategoryID"] == .null)
        nested = EntityPayload.Nested(
            navigation: "Products", entities: [EntityPayload(["ID": .integer(1)])], isDelta: true,
            removed: [.init(.url("Products(2)"), isDeleted: false), .init(.url("Products(30)"), isDeleted: true)])
        _ = try await store.change(category, .update(EntityPayload(nested: [nested])))
        #expect(try await store.entities("\(category)/Products").map { $0["ID"] } == [.integer(1)])
        #expect(try await store.entities("Products").map { $0["ID"] } == [.integer(1), .integer(2), .integer(3)])
        let items = EntityPayload.Nested(
            navigation: "Items",
            entities: [EntityPayload(["Line": .string("b"), "Quantity": .integer(5), "ProductID": .integer(3)])])
        _ = try await store.change("Orders(1)", .update(EntityPayload(nested: [items])))
        #expect(try await store.entities("Orders(1)/Items").map { $0["Line"] } == [.string("b")])
    }

    @Test("Parts of properties are set alone")
    func values() async throws {
        let store = try await DeclaredShop.store()
        _ = try await store.change("Products(1)/Origin/City", .setValue(.string("Otsu")))
        #expect(try await city(store) == ["City=Otsu", "Zip=611"])
        #expect(await code { _ = try await store.change("Products(1)/Origin/City", .setValue(.null)) } == .badRequest)
        _ = try await store.change("Products(1)/Tags", .insertValue(.string("b"), at: nil))
        _ = try await store.change("Products(1)/Tags", .insertValue(.string("c"), at: -1))
        _ = try await store.change("Products(1)/Tags", .insertValue(.string("a"), at: 0))
        #expect(
            try await store.entity("Products(1)")?["Tags"] == .collection([.string("a"), .string("b"), .string("c")]))
        _ = try await store.change("Products(1)/Origin", .setValue(.null))
        #expect(try await store.entity("Products(1)")?["Origin"] == .null)
    }

    @Test("References come and go in link tables and foreign keys")
    func references() async throws {
        let store = try await DeclaredShop.store()
        for _ in 0..<2 { _ = try await store.change("Products(1)/Related", .addReference(.url("Products(2)"))) }
        #expect(try await store.entities("Products(1)/Related").map { $0["ID"] } == [.integer(2)])
        #expect(try await store.entities("Products(2)/Related").isEmpty)
        _ = try await store.change("Products(1)/Related", .removeReference(.url("Products(2)")))
        #expect(try await store.entities("Products(1)/Related").isEmpty)
        _ = try await store.change(
            "Products(3)/Category", .addReference(.url("Categories(00000000-0000-0001-0000-000000000002)")))
        #expect(try await store.entity("Products(3)/Category")?["Name"] == .string("Tea"))
        #expect(
            await code { _ = try await store.change("Orders(1)/Items('a')/Product", .removeReference(nil)) }
                == .badRequest)
    }

    @Test("Deleting an entity takes what it contains, and unsets what refers to it")
    func delete() async throws {
        let store = try await DeclaredShop.store()
        #expect(await code { _ = try await store.change("Products(1)", .delete) } == .conflict)
        _ = try await store.change("Orders(1)", .delete)
        _ = try await store.change("Products(1)", .delete)
        _ = try await store.change("Categories(00000000-0000-0001-0000-000000000002)", .delete)
        #expect(try await store.entity("Products(2)")?["CategoryID"] == .null)
    }

    @Test("Dynamic properties are kept")
    func dynamic() async throws {
        let store = try await DeclaredShop.store()
        _ = try await store.update("Products(1)", ["Taste": .string("grassy"), "Caffeine": .integer(30)])
        _ = try await store.update("Products(1)", ["Taste": .null])
        let sql = "SELECT \"$dynamic\" FROM Products WHERE ID = 1"
        #expect(try await store.pool.read { try String.fetchOne($0, sql: sql) } == #"{"Caffeine":30}"#)
        // By its URL each alone.
        _ = try await store.change("Products(1)/Taste", .setValue(.string("sweet")))
        _ = try await store.change("Products(1)/Caffeine", .setValue(.integer(31)))
        #expect(
            try await store.pool.read { try String.fetchOne($0, sql: sql) } == #"{"Caffeine":31,"Taste":"sweet"}"#)
        _ = try await store.change("Products(1)/Taste", .setValue(.null))
        #expect(try await store.pool.read { try String.fetchOne($0, sql: sql) } == #"{"Caffeine":31}"#)
        // What somebody else has damaged is not written over.
        try await store.pool.write { try $0.execute(sql: "UPDATE Products SET \"$dynamic\" = '[1]' WHERE ID = 1") }
        #expect(
            await code { _ = try await store.update("Products(1)", ["Taste": .string("sweet")]) } == .internalError)
        #expect(
            await code { _ = try await store.change("Products(1)/Taste", .setValue(.string("sweet"))) }
                == .internalError)
        #expect(try await store.pool.read { try String.fetchOne($0, sql: sql) } == "[1]")
    }
}
