import OData
import Testing

@Suite("Generated functions and actions")
struct OperationTests {
    @Test("functions give entities and values", arguments: [StoreKind.file, .online])
    func functions(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let dearest = shop.service.dearest(count: 2)
        #expect(dearest.url == "Dearest(count=2)")
        #expect(try await dearest.findAll().map(\.id) == [2, 1])
        #expect(try await dearest.where { $0.price < 20 }.findAll().map(\.name) == ["Chai"])
        let chai = try #require(try await shop.products.find(1))
        #expect(try await shop.products.withTax(chai, rate: 0.5) == 27.75)
    }

    @Test("an action changes an entity and gives it, or waits for the upload", arguments: StoreKind.allCases)
    func actions(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let chai = try #require(try await shop.products.find(1))
        let changed = try await shop.products.reprice(chai, price: 20)
        if let offline = shop.store as? OfflineStore {
            #expect(changed == nil)
            #expect(try await offline.queueEntries().map(\.url) == ["Products(1)/Shop.Reprice"])
            #expect(try await offline.upload().isComplete)
            _ = try await offline.download()
        } else {
            #expect(changed?.price == 20 && changed?.name == "Chai")
        }
        #expect(try await shop.products.find(1)?.price == 20)
        #expect(try await EntityCollections(shop.file).of(Product.self, in: "Products").find(1)?.price == 20)
    }
}
