import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

@Suite("Changes of entities")
struct ChangeTests {
    @Test("An insert makes the key and gives back the entity")
    func create() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let result = try await store.create(
            "Product", ["Name": .string("Milk"), "Price": .decimal(EdmDecimal("1.50") ?? .zero), "ProductID": .null])
        #expect(result.entityID == "Product(4)")
        #expect(result.entity?["Price"] == .decimal(EdmDecimal("1.5") ?? .zero))
        #expect(result.entity?["Note"] == .string("none"))
        #expect(result.etag != nil && result.etag == result.entity?.etag)
        #expect(try file.value("SELECT * FROM Product WHERE ProductID = 4") == "4|Milk|1.5|0|-|-|none")
    }

    @Test("A deep insert makes what is nested, before or after")
    func deepInsert() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let product = EntityPayload(
            ["Name": .string("Juice")],
            nested: [.init(navigation: "Category", entities: [EntityPayload(["Name": .string("Cold")])])])
        let item = EntityPayload(
            ["Quantity": .integer(7)], nested: [.init(navigation: "Product", entities: [product])])
        let order = EntityPayload(
            ["Customer": .string("Bob")], nested: [.init(navigation: "Order_Item", entities: [item])])
        let result = try await store.change("Order", .create(order))
        #expect(try file.values("SELECT * FROM \"Order Item\" WHERE OrderID = 2") == ["2|4|7"])
        #expect(try file.value("SELECT CategoryID FROM Product WHERE Name = 'Juice'") == "3")
        guard case .many(let items, _)? = result.entity?.expanded["Order_Item"],
            case .one(let made?)? = items.first?.expanded["Product"]
        else {
            Issue.record("not expanded")
            return
        }
        #expect(made["Name"] == .string("Juice"))
    }

    @Test("Bindings set foreign keys on both sides")
    func bindings() async throws {
        let file = try Shop.file()
        let store = try file.store()
        _ = try await store.create(
            "Product", ["Name": .string("Milk")],
            bindings: [.init(navigation: "Category", references: [.url("Category(2)")])])
        #expect(try file.value("SELECT CategoryID FROM Product WHERE Name = 'Milk'") == "2")
        _ = try await store.create(
            "Category", ["Name": .string("New")],
            bindings: [
                .init(navigation: "Product", references: [.path(try store.path("Product(1)")), .url("Product(3)")])
            ])
        #expect(try file.values("SELECT ProductID FROM Product WHERE CategoryID = 3") == ["1", "3"])
        _ = try await store.change(
            "Product(1)", .update(EntityPayload(bindings: [.init(navigation: "Category", references: [])])))
        #expect(try file.value("SELECT CategoryID FROM Product WHERE ProductID = 1") == "-")
        _ = try await store.change("Category(2)/Product", .create(EntityPayload(["Name": .string("Rice")])))
        #expect(try file.value("SELECT CategoryID FROM Product WHERE Name = 'Rice'") == "2")
    }

    @Test("References are set and taken away")
    func references() async throws {
        let file = try Shop.file()
        let store = try file.store()
        _ = try await store.change("Product(1)/Category/$ref", .addReference(.url("Category(2)")))
        #expect(try file.value("SELECT CategoryID FROM Product WHERE ProductID = 1") == "2")
        _ = try await store.change("Category(1)/Product/$ref", .addReference(.url("Product(1)")))
        #expect(try file.value("SELECT CategoryID FROM Product WHERE ProductID = 1") == "1")
        _ = try await store.change("Product(1)/Category/$ref", .removeReference(nil))
        #expect(try file.value("SELECT CategoryID FROM Product WHERE ProductID = 1") == "-")
        _ = try await store.change("Category(1)/Product/$ref", .removeReference(.url("Product(2)")))
        #expect(try file.value("SELECT CategoryID FROM Product WHERE ProductID = 2") == "-")
        for missing in ["Product(3)", "Product(99)", "Category(1)/Product(3)"] {
            #expect(
                await code { _ = try await store.change("Category(1)/Product/$ref", .removeReference(.url(missing))) }
                    == .notFound)
        }
    }

    @Test("PATCH touches what it names, PUT gives the rest its defaults")
    func updates() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let instant = try #require(EdmDateTimeOffset("2025-06-07T10:00:00.5+02:00"))
        _ = try await store.update("Product(1)", ["Made": .dateTimeOffset(instant)])
        #expect(
            try file.value("SELECT * FROM Product WHERE ProductID = 1") == "1|Tea|1|0|1|2025-06-07 08:00:00.500|none")
        _ = try await store.change(
            "Product(1)", .replace(EntityPayload(["Name": .string("Mate"), "Stock": .integer(3)])))
        #expect(try file.value("SELECT * FROM Product WHERE ProductID = 1") == "1|Mate|1|3|-|-|none")
        _ = try await store.change("Product(1)/Note", .setValue(.null))
        _ = try await store.change("Product(1)/Stock", .setRawValue(Array("9".utf8), contentType: "text/plain"))
        #expect(try file.value("SELECT Stock, Note FROM Product WHERE ProductID = 1") == "9|-")
    }

    @Test("A change of a key that does not exist creates the entity, where that is allowed")
    func upsert() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let payload = EntityPayload(["Name": .string("New")])
        #expect(await code { _ = try await store.change("Product(77)", .update(payload)) } == .notFound)
        let result = try await store.change("Product(77)", .update(payload)) { $0.allowsCreate = true }
        guard case .created = result.outcome else {
            Issue.record("not created")
            return
        }
        #expect(try file.value("SELECT Name FROM Product WHERE ProductID = 77") == "New")
        #expect(
            await code { _ = try await store.update("Product(78)", ["Name": .string("x")], ifMatch: "*") }
                == .preconditionFailed)
    }

    @Test("ETags change with every column and guard changes")
    func etags() async throws {
        let file = try Shop.file()
        let store = try file.store()
        let first = try #require(try await store.entity("Product(1)")?.etag)
        #expect(first.hasPrefix("W/\""))
        let second = try #require(try await store.update("Product(1)", ["Stock": .integer(1)], ifMatch: first).etag)
        #expect(second != first)
        for condition in [first, "\"x\"", "\"x\", \(first)"] {
            #expect(
                await code { _ = try await store.update("Product(1)", ["Stock": .integer(2)], ifMatch: condition) }
                    == .preconditionFailed)
        }
        try file.execute("UPDATE Product SET Note = 'other' WHERE ProductID = 1")
        #expect(try await store.entity("Product(1)")?.etag != second)
        _ = try await store.update("Product(1)", ["Stock": .integer(2)], ifMatch: "*")
        #expect(
            await code {
                _ = try await store.change("Product(1)", .update(EntityPayload(["Stock": .integer(2)]))) {
                    $0.ifNoneMatch = "*"
                }
            } == .preconditionFailed)
        #expect(
            await code { _ = try await store.change("Product(1)", .delete) { $0.ifMatch = first } }
                == .preconditionFailed)
        #expect(await code { _ = try await store.change("Product(99)", .delete) } == .notFound)
    }

    @Test(
        "What the file refuses has a code and names the property",
        arguments: [
            ("Category", ["Name": .string("Food")], ODataError.Code.conflict, "Category.Name"),
            ("Product", ["Name": .string("x"), "CategoryID": .integer(9)], .conflict, "foreign key"),
            ("Product", ["Price": .null], .badRequest, "Product.Name"),
            ("Product", ["Name": .string("x"), "Stock": .integer(-1)], .badRequest, "Stock >= 0"),
            ("Product", ["Name": .null], .badRequest, "Name must not be null"),
            ("Product", ["Name": .string("123456789012345678901")], .badRequest, "Name takes at most 20"),
            ("Product", ["Name": .string("x"), "Stock": .integer(40000)], .badRequest, "Stock"),
            ("Product", ["Name": .integer(1)], .badRequest, "Name takes values of Edm.String"),
            ("Product", ["Name": .string("x"), "Price": .decimal(EdmDecimal("1.234") ?? .zero)], .badRequest, "Price"),
            ("Product", ["Nome": .string("x")], .badRequest, "Nome"),
            ("Product", ["ProductID": .integer(1), "Name": .string("x")], .conflict, "Product.ProductID"),
        ] as [(String, EdmComplexValue, ODataError.Code, String)])
    func refusals(set: String, properties: EdmComplexValue, expected: ODataError.Code, text: String) async throws {
        let store = try Shop.file().store()
        #expect(await code { _ = try await store.create(set, properties) } == expected)
        #expect(await message { _ = try await store.create(set, properties) }.contains(text))
    }

    @Test("Deleting what others refer to is a conflict; another key in the body of an update is passed over")
    func conflicts() async throws {
        let store = try Shop.file().store()
        #expect(await code { _ = try await store.change("Category(1)", .delete) } == .conflict)
        for id in [1, 5] as [Int64] {
            _ = try await store.update("Product(1)", ["ProductID": .integer(id), "Note": .string("n\(id)")])
            #expect(try await store.entity("Product(1)")?["Note"] == .string("n\(id)"))
        }
        #expect(try await store.entities("Product").count == 3)
    }

    @Test("Composite keys and tables without a rowid are changed alike")
    func composite() async throws {
        let file = try Shop.file()
        let store = try file.store()
        _ = try await store.update("Order_Item(OrderID=1,ProductID=2)", ["Quantity": .integer(8)])
        #expect(try file.value("SELECT Quantity FROM \"Order Item\" WHERE ProductID = 2") == "8")
        let made = try await store.create(
            "Order_Item", ["OrderID": .integer(1), "ProductID": .integer(3), "Quantity": .integer(1)])
        #expect(made.entityID == "Order_Item(OrderID=1,ProductID=3)")
        _ = try await store.change("Order_Item(OrderID=1,ProductID=1)", .delete)
        #expect(try file.values("SELECT ProductID FROM \"Order Item\"") == ["2", "3"])
        let guid = "01234567-89AB-CDEF-0123-456789ABCDEF"
        _ = try await store.update("Label(\(guid))", ["Text": .string("M")])
        #expect(try file.values("SELECT Text FROM Label") == ["M"])
    }
}
