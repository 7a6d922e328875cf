import OData
import Testing

@Suite("Where collections send changes")
struct LocationTests {
    @Test("to the set that the entity belongs to, whatever path it was read by", arguments: [StoreKind.file, .online])
    func canonical(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let chai = try #require(try await shop.products.find(1))
        _ = shop.requests.changeRequests
        let items = try shop.products.children(of: chai, \.items)
        var item = try #require(try await items.first())
        item.quantity += 1
        item = try await items.update(item)
        try await items.delete(item)
        let dearest = shop.service.dearest(count: 2)
        var dear = try #require(try await dearest.findAll().first)
        dear.name = "Dear"
        dear = try await dearest.update(dear)
        #expect(dear.name == "Dear")
        #expect(
            shop.requests.changes == ["Items(ProductID=1,Line=1)", "Items(ProductID=1,Line=1)", "Products(\(dear.id))"])
        #expect(try await items.find(Item.Key(productID: 1, line: 2))?.quantity == 8)
    }

    @Test("a key is looked for among the entities of the collection", arguments: StoreKind.allCases + [.v2])
    func restricted(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.collections["Products"]
        let dear = products.where { $0["Price"] > 20 }.orderBy(\.["Name"]).top(1)
        #expect(try await dear.find(EntityKey("ID", .integer(2)))?["Price"] != nil)
        #expect(try await dear.find(EntityKey("ID", .integer(1))) == nil)
        let chai = try #require(try await products.find(EntityKey("ID", .integer(1))))
        #expect(try await dear.find(chai)?["Name"] == .string("Chai"))
    }
}
