import OData
import Testing

@Suite("Relations in updates of collections")
struct NavigationChangeTests {
    private static let kinds = StoreKind.allCases + [.v2]

    /// A product with its relations, as V2 can have it too.
    private func product(_ id: Int64, _ shop: Shop) async throws -> DynamicEntity {
        let products = shop.collections["Products"].expand("Category").expand("Items")
        return try #require(try await products.find(EntityKey("ID", .integer(id))))
    }

    private func finish(_ shop: Shop) async throws {
        if let offline = shop.store as? OfflineStore { #expect(try await offline.upload().isComplete) }
    }

    @Test("a relation to one that leads elsewhere is sent as a binding", arguments: StoreKind.allCases)
    func bound(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        var bread = try #require(try await shop.products.expand(\.category).find(3))
        let drinks = try #require(try await shop.categories.find(1))
        #expect(!bread.hasChanges)
        bread.category = drinks
        #expect(bread.hasChanges && bread.changes.isEmpty)
        bread = try await shop.products.update(bread)
        #expect(bread.category?.name == "Drinks" && bread.categoryID == 1 && !bread.hasChanges)
        bread.category = nil
        #expect(bread.hasChanges)
        bread = try await shop.products.update(bread)
        #expect(bread.$category.isExpanded && bread.category == nil && bread.categoryID == nil)
        try await finish(shop)
        #expect(try await EntityCollections(shop.file).of(Product.self, in: "Products").find(3)?.categoryID == nil)
    }

    @Test("of a structure that was read without the relation too", arguments: StoreKind.allCases)
    func notExpanded(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        var bread = try #require(try await shop.products.find(3))
        bread.category = try await shop.categories.find(1)
        bread.name = "Toast"
        _ = shop.requests.changeRequests
        bread = try await shop.products.update(bread)
        #expect(bread.category?.id == 1 && bread.name == "Toast")
        try await finish(shop)
        #expect(shop.requests.changeRequests.count == 1)
        #expect(try await EntityCollections(shop.file).of(Product.self, in: "Products").find(3)?.categoryID == 1)
    }

    @Test("entities by name likewise", arguments: kinds)
    func dynamic(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        var bread = try await product(3, shop)
        let drinks = try #require(try await shop.collections["Categories"].find(EntityKey("ID", .integer(1))))
        #expect(!bread.hasChanges)
        bread.entity.expanded["Category"] = .one(drinks.entity)
        #expect(bread.hasChanges)
        bread = try await shop.collections["Products"].update(bread)
        #expect(bread["CategoryID"] == .integer(1) && bread.expanded["Items"] != nil)
        guard case .one(let category) = bread.expanded["Category"] else {
            Issue.record("no category")
            return
        }
        #expect(category?["Name"] == .string("Drinks"))
        bread.entity.expanded["Category"] = .one(nil)
        bread = try await shop.collections["Products"].update(bread)
        #expect(bread["CategoryID"] == .null)
    }

    @Test("what an update cannot send is refused by its name, and nothing is sent")
    func refused() async throws {
        let shop = try await Shop(.online)
        let chai = try #require(try await shop.products.expand(\.category).expand(\.items).find(1))
        let other = try #require(try await shop.items.find(Item.Key(productID: 2, line: 1)))
        let changes: [(inout Product) -> Void] = [
            { $0.items?[0].quantity = 9 },
            { $0.items?.append(Item(line: 3, quantity: 1)) },
            { $0.items?.append(other) },
            { $0.items?.removeLast() },
            { $0.items = nil },
            { $0.category?.name = "x" },
            { $0.category = Category(id: 5, name: "New") },
        ]
        let words = [
            ("Items", "own collection"), ("Items", "children(of:)"), ("Items", "add and remove"),
            ("Items", "add and remove"), ("Items", "remove"), ("Category", "own collection"),
            ("Category", "create it first"),
        ]
        _ = shop.requests.changeRequests
        for (change, (name, advice)) in zip(changes, words) {
            var changed = chai
            change(&changed)
            #expect(changed.hasChanges)
            let error = await #expect(throws: ODataError.self) { try await shop.products.update(changed) }
            #expect(error?.code == .badRequest && error?.message.hasPrefix(name) == true)
            #expect(error?.message.contains(advice) == true)
        }
        var turned = chai
        turned.items?.reverse()
        #expect(!turned.hasChanges)
        #expect(shop.requests.changeRequests.isEmpty)
    }

    @Test("what came with an entity comes with the updated one", arguments: StoreKind.allCases)
    func carried(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        var chai = try #require(try await shop.products.expand(\.items.product).expand(\.category).find(1))
        chai.name = "Masala"
        chai = try await shop.products.update(chai)
        #expect(chai.name == "Masala" && chai.items?.count == 2 && chai.category?.name == "Drinks")
        #expect(chai.items?.first?.product?.name == "Masala")
        let some = shop.products.expand(\.items) { $0.where { $0.quantity > 5 } }
        chai.name = "Chai"
        chai = try await some.update(chai)
        #expect(chai.items?.map(\.line) == [2] && chai.category?.name == "Drinks")
        let drinks = try #require(try await shop.categories.find(1))
        let tea = try await shop.products.expand(\.category).create(
            Product(id: 7, name: "Tea", category: drinks, items: [Item(line: 1, quantity: 4)]))
        #expect(tea.category?.name == "Drinks" && tea.items?.map(\.quantity) == [4] && !tea.hasChanges)
    }

    @Test("of a structure made here an update sends what is not nil", arguments: StoreKind.allCases)
    func withoutOrigin(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        _ = shop.requests.changeRequests
        let masala = Product(id: 1, name: "Masala", tags: ["hot"])
        #expect(masala.changes.names == ["Name", "Tags"])
        let chai = try await shop.products.update(masala)
        #expect(chai.name == "Masala" && chai.price == EdmDecimal("18.5") && chai.color == .red)
        try await finish(shop)
        let request = try #require(shop.requests.changeRequests.first)
        guard case .update(let payload) = request.operation else {
            Issue.record("An update is sent.")
            return
        }
        #expect(request.target.url == "Products(1)" && payload.properties.names == ["Name", "Tags"])
        // The service is not to make the entity where it is gone.
        #expect(kind == .offline || request.ifMatch == (kind == .online ? "*" : nil))
    }

    @Test("entities by name that are made here have keys, relations and members", arguments: StoreKind.allCases)
    func dynamicWithoutOrigin(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.collections["Products"]
        let drinks = try #require(try await shop.collections["Categories"].find(EntityKey("ID", .integer(1))))
        var tea = DynamicEntity(["ID": .integer(7), "Name": .string("Tea")])
        tea.entity.expanded["Category"] = .one(drinks.entity)
        tea.entity.expanded["Items"] = .many(
            [DynamicEntity(["Line": .integer(1), "Quantity": .integer(4)]).entity], count: nil)
        #expect(tea.hasChanges)
        let made = try await products.create(tea)
        #expect(made["CategoryID"] == .integer(1))
        #expect(try await products.children(of: made, "Items").findAll().map { $0["Quantity"] } == [.integer(4)])
        let changed = DynamicEntity(["ID": .integer(1), "Price": Shop.decimal("7")])
        let chai = try await products.update(changed)
        #expect(chai["Name"] == .string("Chai") && chai["Price"] == Shop.decimal("7"))
        try await shop.collections["Items"].delete(DynamicEntity(["ProductID": .integer(2), "Line": .integer(1)]))
        #expect(try await shop.items.find(Item.Key(productID: 2, line: 1)) == nil)
    }

    @Test("of complex values of entities by name the members that have changed", arguments: StoreKind.allCases)
    func members(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        var chai = try await product(1, shop)
        chai["Size"] = .complex(["Width": .double(3.5), "Unit": .string("cm")])
        #expect(chai.changes == ["Size": .complex(["Width": .double(3.5)])])
        let updated = try await shop.collections["Products"].update(chai)
        #expect(updated["Size"] == .complex(["Width": .double(3.5), "Unit": .string("cm")]))
    }
}
