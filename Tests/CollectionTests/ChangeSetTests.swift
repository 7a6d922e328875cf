import OData
import Testing

@Suite("Changes of several collections")
struct ChangeSetTests {
    private static let kinds = StoreKind.allCases + [.v2]

    @Test("are carried out together", arguments: kinds)
    func together(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let (products, items) = (shop.collections["Products"], shop.items)
        var chai = try #require(try await products.find(EntityKey("ID", .integer(1))))
        let bread = try #require(try await products.find(EntityKey("ID", .integer(3))))
        let item = try #require(try await items.find(Item.Key(productID: 2, line: 1)))
        chai["Name"] = .string("Masala")
        let results = try await shop.collections.changeSet { set in
            set.create(Item(productID: 1, line: 9, quantity: 5), in: items)
            set.update(bread, in: products)
            set.update(chai, in: products)
            set.delete(item, in: items)
        }
        #expect(results.map { $0 != nil } == [true, false, true, true])
        if let offline = shop.store as? OfflineStore { #expect(try await offline.upload().isComplete) }
        let there = EntityCollections(shop.file)
        #expect(try await there.of(Item.self, in: "Items").find(Item.Key(productID: 1, line: 9))?.quantity == 5)
        #expect(try await there["Products"].find(EntityKey("ID", .integer(1)))?["Name"] == .string("Masala"))
        #expect(try await there.of(Item.self, in: "Items").find(Item.Key(productID: 2, line: 1)) == nil)
    }

    @Test("or none of them is", arguments: [StoreKind.file, .online])
    func none(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        var chai = try #require(try await shop.products.find(1))
        chai.name = "Masala"
        let error = await #expect(throws: ODataError.self) {
            try await shop.collections.changeSet { set in
                set.update(chai, in: shop.products)
                set.create(Product(id: 2, name: "There already"), in: shop.products)
            }
        }
        #expect(error?.requestIndex == 1)
        #expect(try await shop.products.find(1)?.name == "Chai")
        #expect(try await shop.collections.changeSet { _ in }.isEmpty)
    }

    @Test("are seen by lists once, and lists read again where they are told to")
    func lists() async throws {
        let shop = try await Shop(.file)
        var updates = shop.products.orderBy(\.id).updates.makeAsyncIterator()
        #expect(try await updates.next()?.get().count == 3)
        try await shop.collections.changeSet { set in
            set.create(Product(id: 4, name: "a"), in: shop.products)
            set.create(Product(id: 5, name: "b"), in: shop.products)
        }
        #expect(try await updates.next()?.get().difference?.insertions == [3, 4])
        try await EntityCollections(shop.file).of(Product.self, in: "Products").delete(5)
        shop.collections.refresh()
        #expect(try await updates.next()?.get().difference?.removals == [4])
    }

    @Test("an element is saved in its place, or replaced as a whole", arguments: kinds)
    func replaced(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.collections["Products"]
        var chai = try #require(try await products.find(EntityKey("ID", .integer(1))))
        chai["Name"] = .string("Masala")
        try await products.save(&chai)
        #expect(!chai.hasChanges && chai["Name"] == .string("Masala") && chai["Price"] == Shop.decimal("18.5"))
        chai["Price"] = nil
        #expect(!chai.hasChanges)
        let replaced = try await products.replace(chai)
        #expect(replaced["Name"] == .string("Masala") && replaced["Price"] == .null)
        #expect(replaced["ID"] == .integer(1))
    }

    @Test("rows of an offline store tell what waits for the upload")
    func annotations() async throws {
        let shop = try await Shop(.offline)
        let term = "OfflineStore.hasPendingChanges"
        let products = shop.products.orderBy(\.id).annotations("OfflineStore.*")
        var chai = try #require(try await products.find(1))
        #expect(chai.origin?.annotations[term] != true && chai.origin?.annotations.isEmpty == false)
        #expect(try await shop.products.find(1)?.origin?.annotations == [:])
        var updates = products.updates.makeAsyncIterator()
        _ = await updates.next()
        chai.name = "Masala"
        try await shop.products.update(chai)
        let snapshot = try #require(try await updates.next()?.get())
        #expect(snapshot.map { $0.origin?.annotations[term] == true } == [true, false, false])
        #expect(try await products.findAll().map { $0.origin?.annotations[term] == true } == [true, false, false])
        _ = try await (shop.store as? OfflineStore)?.upload()
        #expect(try await products.find(1)?.origin?.annotations[term] != true)
    }
}
