import ByteStreams
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Tables of a declared model: the store")
struct DeclaredStoreTests {
    @Test("Delta links tell what changed, in sets with any type of key")
    func tracking() async throws {
        let store = try await DeclaredShop.store(tracksChanges: true)
        let products = try #require(try await store.tracked("Products").deltaLink)
        let categories = try #require(try await store.tracked("Categories").deltaLink)
        _ = try await store.update("Products(2)", ["Name": .string("Blacker")])
        _ = try await store.create("Products", ["Name": .string("New")])
        _ = try await store.change("Products(3)", .delete)
        let made = try await store.create("Categories", ["Name": .string("Coffee")])
        let changed = try await store.tracked(products)
        #expect(changed.entities.map { $0["Name"] } == [.string("Blacker"), .string("New")])
        #expect(changed.removed == ["Products(3) deleted"])
        #expect(try await store.tracked(categories).entities.map(\.id) == [made.entityID])
    }

    @Test("All members of a collection are changed, or none")
    func each() async throws {
        let store = try await DeclaredShop.store()
        let result = try await store.change(
            "Products/$filter(ID ge 2)/$each", .update(EntityPayload(["Rating": .integer(7)])))
        #expect(result.memberCount == 2)
        #expect(try await store.entities("Products").map { $0["Rating"] } == [.integer(3), .integer(7), .integer(7)])
        #expect(await code { _ = try await store.change("Products/$each", .delete) } == .conflict)
        #expect(try await store.entities("Products").count == 3)
        #expect(try await store.change("Orders(1)/Items/$each", .delete).memberCount == 1)
        #expect(try await store.entities("Orders(1)/Items").isEmpty)
        #expect(try await store.change("Products/$each", .delete).memberCount == 3)
    }

    @Test("A file keeps its entities, and gets the properties that are new in the model")
    func reopened() async throws {
        let file = try SampleFile()
        let old = EdmStructuredTypeDeclaration(
            name: DeclaredShop.name("Thing"), key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: "Name", type: .string),
            ])
        var new = old
        new.properties += [EdmProperty(name: "Size", type: .double), EdmProperty(name: "Note", type: .string)]
        for (type, count) in [(old, 1), (old, 2), (new, 3)] {
            let model = try EdmModel(schemas: [
                EdmSchema(
                    namespace: DeclaredShop.namespace, types: [type], container: "Container",
                    entitySets: [EdmEntitySetDeclaration(name: "Things", type: type.name)])
            ])
            let store = try SQLiteStore(model: model, path: file.path)
            _ = try await store.create("Things", ["Name": .string("thing")])
            #expect(try await store.entities("Things?$search=thing").count == count)
            try store.close()
        }
        #expect(try file.values("SELECT ID, Name, Size FROM Things") == ["1|thing|-", "2|thing|-", "3|thing|-"])
    }

    @Test("A key in a complex property is refused by name when the model is declared")
    func nestedKey() throws {
        var site = EdmStructuredTypeDeclaration(
            name: DeclaredShop.name("Site"), key: ["At/Code"],
            properties: [EdmProperty(name: "At", type: .complex(DeclaredShop.name("At")), isNullable: false)])
        site.keyAliases = ["At/Code": "code"]
        let place = EdmStructuredTypeDeclaration(
            kind: .complex, name: DeclaredShop.name("At"),
            properties: [EdmProperty(name: "Code", type: .string, isNullable: false)])
        let root = EdmStructuredTypeDeclaration(
            name: DeclaredShop.name("Root"), key: ["ID"], properties: [EdmProperty(name: "ID", type: .int32)],
            navigationProperties: [
                EdmNavigationProperty(name: "Sites", target: site.name, isCollection: true, containsTarget: true)
            ])
        for set in [EdmEntitySetDeclaration(name: "All", type: site.name), .init(name: "All", type: root.name)] {
            let schema = EdmSchema(
                namespace: DeclaredShop.namespace, types: [site, place, root], container: "Container", entitySets: [set]
            )
            let model = try EdmModel(schemas: [schema])
            #expect {
                _ = try SQLiteStore(model: model)
            } throws: { error in
                (error as? ODataError)?.code == .notImplemented && "\(error)".contains("code (At/Code)")
            }
        }
    }

    @Test("A temporary file goes with its store")
    func temporary() async throws {
        var store: SQLiteStore? = try await DeclaredShop.store()
        let path = try #require(store?.path)
        #expect(FileManager.default.fileExists(atPath: path))
        try store?.close()
        store = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A contained entity is alone in its relation where that is single-valued")
    func singleContained() async throws {
        let store = try await DeclaredShop.store()
        let text = EntityPayload(["Text": .string("a")])
        let made = try await store.change("Products(1)/Profile", .update(text)) { $0.allowsCreate = true }
        #expect(made.entityID == "Products(1)/Profile")
        _ = try await store.change("Products(1)/Profile", .update(EntityPayload(["Text": .string("b")])))
        #expect(try await store.entity("Products(1)/Profile")?["Text"] == .string("b"))
        #expect(try await store.entities("Products(2)/Profile").isEmpty)
        _ = try await store.change("Products(1)/Profile", .delete)
        #expect(try await store.entities("Products(1)/Profile").isEmpty)
    }

    @Test("Streams of contained entities are those of their own parents, whatever the keys")
    func containedStreams() async throws {
        let store = try await DeclaredShop.store()
        _ = try await store.create("Orders", ["ID": .integer(2)])
        let line: EdmComplexValue = ["Line": .string("a"), "Quantity": .integer(1), "ProductID": .integer(2)]
        _ = try await store.create("Orders(2)/Items", line)
        let profiles = ["Products(1)/Profile", "Products(2)/Profile"]
        for path in profiles {
            _ = try await store.change(path, .update(EntityPayload(["Text": .string("a")]))) { $0.allowsCreate = true }
        }
        let streams = (["Orders(1)/Items('a')", "Orders(2)/Items('a')"] + profiles).map { $0 + "/Scan" }
        for (number, path) in streams.enumerated() {
            let content = MediaContent(ByteContent([UInt8(number)]), contentType: "image/png")
            _ = try await store.change(path, .replaceStream(content))
        }
        for (number, path) in streams.enumerated() {
            #expect(try await store.bytes(path) == [UInt8(number)], "\(path)")
        }
        _ = try await store.change("Orders(1)", .delete)
        #expect(await code { _ = try await store.stream(streams[0]) } == .notFound)
        #expect(try await store.bytes(streams[1]) == [1])
    }

    @Test("Derived types and dynamic properties are read back")
    func types() async throws {
        let store = try await DeclaredShop.store()
        var payload = EntityPayload([
            "ID": .integer(50), "Name": .string("S"), "Extra": .string("e"), "Taste": .string("umami"),
        ])
        payload.type = DeclaredShop.name("Special")
        _ = try await store.change("Products", .create(payload))
        let entity = try #require(try await store.entity("Products(50)"))
        #expect(entity.type.name == DeclaredShop.name("Special"))
        #expect(entity["Extra"] == .string("e"))
        #expect(entity["Taste"] == .string("umami"))
        #expect(try await store.entity("Products(1)")?["Extra"] == nil)
        #expect(try await store.entities("Products/Shop.Special").map { $0["ID"] } == [.integer(50)])
        _ = try await store.update("Products(50)/Shop.Special", ["Extra": .string("f")])
        #expect(
            await code { _ = try await store.update("Products(1)", ["Extra": .string("f"), "Name": .null]) }
                == .badRequest)
        payload.type = DeclaredShop.name("Special")
        let special = payload
        #expect(await code { _ = try await store.change("Products(1)", .update(special)) } == .badRequest)
    }
}
