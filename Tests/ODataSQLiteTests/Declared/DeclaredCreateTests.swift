import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Tables of a declared model: create")
struct DeclaredCreateTests {
    @Test("A new entity gets its key, defaults and version")
    func defaults() async throws {
        let store = try await DeclaredShop.store()
        let created = try await store.create("Products", ["Name": .string("Oolong")])
        let entity = try #require(created.entity)
        #expect(entity["ID"] == .integer(4))
        #expect(entity["Rating"] == .integer(3))
        #expect(entity["Color"]?.lexical == "Red")
        #expect(entity["Tags"] == .collection([]))
        #expect(entity["Version"] == .integer(1))
        #expect(created.entityID == "Products(4)")
    }

    @Test(
        "What does not fit is refused, naming the property",
        arguments: [
            (["Name": .null], "Name must not be null"), ([:], "Name must have a value"),
            (["Name": .string("123456789012345678901")], "Name takes at most 20 characters"),
            (["Name": .string("a"), "Rating": .integer(256)], "Rating takes values of Edm.Byte"),
            (["Name": .string("a"), "Color": .string("Pink")], "Color takes members"),
            (["Name": .string("a"), "Color": .integer(8)], "Color takes members"),
            (
                ["Name": .string("a"), "Price": .decimal(EdmDecimal("1.23456") ?? .zero)],
                "Price takes at most 4 digits"
            ),
            (
                ["Name": .string("a"), "Price": .decimal(EdmDecimal("12345678901234567") ?? .zero)],
                "Price takes at most 16 digits before"
            ),
            (["Name": .string("a"), "Tags": .string("x")], "Tags takes a collection"),
            (["Name": .string("a"), "Tags": .collection([.null])], "Tags/0 must not be null"),
            (["Name": .string("a"), "Origin": .complex(["Zip": .string("1")])], "Origin/City must have a value"),
            (
                ["Name": .string("a"), "Origin": .complex(["City": .string("12345678901")])],
                "Origin/City takes at most 10 characters"
            ),
            (["Name": .string("a"), "Seen": .integer(1)], "Seen takes values of Edm.DateTimeOffset"),
        ] as [(EdmComplexValue, String)])
    func refused(properties: EdmComplexValue, expected: String) async throws {
        let store = try await DeclaredShop.store()
        #expect(await message { _ = try await store.create("Products", properties) }.contains(expected))
        #expect(await code { _ = try await store.create("Products", properties) } == .badRequest)
    }

    @Test("Keys are unique, and foreign keys lead somewhere")
    func conflicts() async throws {
        let store = try await DeclaredShop.store()
        let twice: EdmComplexValue = ["ID": .integer(1), "Name": .string("a")]
        #expect(await code { _ = try await store.create("Products", twice) } == .conflict)
        let lost: EdmComplexValue = ["Name": .string("a"), "CategoryID": .guid(EdmGuid(high: 9, low: 9))]
        #expect(await code { _ = try await store.create("Products", lost) } == .conflict)
    }

    @Test("Derived types are told by the payload, and have their own required properties")
    func derived() async throws {
        let store = try await DeclaredShop.store()
        var payload = EntityPayload(["Name": .string("Gyokuro"), "Extra": .string("shaded")])
        payload.type = DeclaredShop.name("Special")
        _ = try await store.change("Products", .create(payload))
        payload.properties["Extra"] = nil
        let missing = payload
        #expect(await message { _ = try await store.change("Products", .create(missing)) }.contains("Extra"))
        payload.type = DeclaredShop.name("Order")
        let wrong = payload
        #expect(await code { _ = try await store.change("Products", .create(wrong)) } == .badRequest)
    }

    @Test("A deep insert goes any depth, through contained entities and bindings")
    func deep() async throws {
        let store = try await DeclaredShop.store()
        let note = EntityPayload(["ID": .integer(1), "Text": .string("urgent")])
        let item = EntityPayload(
            ["Line": .string("x"), "Quantity": .integer(1)],
            bindings: [.init(navigation: "Product", references: [.url("Products(2)")])],
            nested: [.init(navigation: "Notes", entities: [note])])
        let order = EntityPayload(["ID": .integer(7)], nested: [.init(navigation: "Items", entities: [item])])
        let result = try await store.change("Orders", .create(order))
        #expect(result.entityID == "Orders(7)")
        let items = try await store.entities("Orders(7)/Items")
        #expect(items.map { $0["ProductID"] } == [.integer(2)])
        #expect(items.first?.id == "Orders(7)/Items('x')")
        #expect(try await store.entities("Orders(7)/Items('x')/Notes").map { $0["Text"] } == [.string("urgent")])
    }
}
