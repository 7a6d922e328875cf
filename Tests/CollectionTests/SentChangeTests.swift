import OData
import Testing

@Suite("What updates of collections send")
struct SentChangeTests {
    /// What a store is asked to change: `Products(1): Name, Size/Width`; nil for what is no update (PATCH).
    private func update(_ request: ChangeRequest) -> String? {
        guard case .update(let payload) = request.operation else { return nil }
        let names = payload.properties.members.flatMap { member -> [String] in
            guard case .complex(let inner) = member.value else { return [member.name] }
            return inner.names.map { "\(member.name)/\($0)" }
        }
        return "\(request.target.url): \(names.joined(separator: ", "))"
    }

    /// Changes a product, and sends what is to be sent.
    ///
    /// - Returns: What came to the service, or to the file.
    private func updates(_ shop: Shop, _ change: (inout Product) -> Void) async throws -> [String?] {
        var chai = try #require(try await shop.products.find(1))
        change(&chai)
        _ = shop.requests.changeRequests
        try await shop.products.update(chai)
        if let offline = shop.store as? OfflineStore { #expect(try await offline.upload().isComplete) }
        return shop.requests.changeRequests.map(update)
    }

    @Test("the properties that have changed, by an update", arguments: StoreKind.allCases)
    func properties(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        #expect(try await updates(shop) { $0.name = "Masala" } == ["Products(1): Name"])
        let there = try #require(try await EntityCollections(shop.file).of(Product.self, in: "Products").find(1))
        #expect(there.name == "Masala" && there.price == EdmDecimal("18.5") && there.tags == ["hot", "new"])
    }

    @Test("of a complex value the members that have changed", arguments: StoreKind.allCases)
    func members(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        #expect(try await updates(shop) { $0.size?.width = 3.5 } == ["Products(1): Size/Width"])
        let there = try #require(try await EntityCollections(shop.file).of(Product.self, in: "Products").find(1))
        #expect(there.size == Size(width: 3.5, unit: "cm"))
    }

    @Test("nothing where nothing has changed", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        #expect(try await updates(shop) { $0.name = "Chai" } == [])
    }

    @Test("a property that the service got later is read, and outlives updates", arguments: StoreKind.allCases)
    func addedProperty(kind: StoreKind) async throws {
        let product: EdmComplexValue = [
            "ID": .integer(1), "Name": .string("Chai"), "Added": .string("by the service"),
        ]
        let shop = try await Shop(kind, entities: [Shop.stored("Products", product)])
        #expect(!Product.propertyNames.contains("Added"))
        var chai = try #require(try await shop.products.find(1))
        #expect(chai["Added"] == .string("by the service"))
        chai.name = "Tea"
        chai = try await shop.products.update(chai)
        #expect(chai.name == "Tea" && chai["Added"] == .string("by the service"))
        if let offline = shop.store as? OfflineStore { #expect(try await offline.upload().isComplete) }
        let there = try await EntityCollections(shop.file)["Products"].find(EntityKey("ID", .integer(1)))
        #expect(there?["Name"] == .string("Tea") && there?["Added"] == .string("by the service"))
    }

    @Test("the queue of an offline store holds no more than that")
    func queue() async throws {
        let shop = try await Shop(.offline)
        let store = try #require(shop.store as? OfflineStore)
        var chai = try #require(try await shop.products.find(1))
        try await shop.products.update(chai)
        #expect(try await store.queueEntries().isEmpty)
        chai.name = "Masala"
        chai.size?.width = 3.5
        try await shop.products.update(chai)
        let entry = try #require(try await store.queueEntries().first)
        #expect(entry.method == "PATCH" && entry.url == "Products(1)")
        #expect(entry.body == #"{"Name":"Masala","Size":{"Width":3.5}}"#)
    }
}
