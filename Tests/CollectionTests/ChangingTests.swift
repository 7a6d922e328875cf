import OData
import ODataService
import ODataTesting
import Testing

@Suite("Changing collections")
struct ChangingTests {
    @Test("create, update, delete", arguments: StoreKind.allCases)
    func changing(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let drinks = try #require(try await shop.categories.find(1))
        var tea = try await shop.products.create(
            Product(id: 7, name: "Tea", tags: ["hot"], category: drinks, items: [Item(line: 1, quantity: 4)]))
        #expect(tea.id == 7 && tea.name == "Tea" && tea.origin != nil)
        let read = try #require(try await shop.products.expand(\.items).expand(\.category).find(7))
        #expect(read.items?.map(\.quantity) == [4] && read.category?.name == "Drinks")
        tea.price = EdmDecimal("4.25")
        #expect(tea.changes == ["Price": .decimal(try #require(EdmDecimal("4.25")))])
        #expect(tea.original?.price == nil && tea.hasChanges)
        tea = try await shop.products.update(tea)
        #expect(tea.price == EdmDecimal("4.25") && !tea.hasChanges)
        try await shop.products.delete(tea)
        #expect(try await shop.products.find(7) == nil)
        try await shop.items.delete(Item.Key(productID: 2, line: 1))
        #expect(try await shop.items.find(Item.Key(productID: 2, line: 1)) == nil)
    }

    @Test("only what has changed is sent: a value that somebody else sets meanwhile stays")
    func partial() async throws {
        let shop = try await Shop(.online)
        var mine = try #require(try await shop.products.find(1))
        mine.name = "Masala"
        let target = try QueryParser(model: try await shop.file.model()).path("Products(1)")
        _ = try await shop.file.change(
            ChangeRequest(target, .update(EntityPayload(["Price": .decimal(EdmDecimal(9))]))))
        let error = await #expect(throws: ODataError.self) { try await shop.products.update(mine) }
        #expect(error?.code == .preconditionFailed)
        var fresh = try #require(try await shop.products.find(mine))
        fresh.name = mine.name
        #expect(try await shop.products.update(fresh).price == 9)
    }

    @Test("children of what has no key yet")
    func newParents() async throws {
        let shop = try await Shop(.offline)
        let chai = try #require(try await shop.products.find(1))
        let new = try await shop.products.create(Product(name: "New", tags: [], items: [Item(line: 1, quantity: 2)]))
        #expect(new.entityKey == nil && new.entityID != nil)
        let children = try await shop.products.children(of: [new, chai], \.items)
        #expect(children.map { $0.map(\.quantity) } == [[2], [3, 8]])
    }

    @Test("a list that could not be shown for once is compared with the one before")
    func gaps() async throws {
        let shop = try await Shop(.file)
        let priced = shop.collections.of(StrictProduct.self, in: "Products").where { $0.id < 3 || $0.id > 3 }
        var updates = priced.updates.makeAsyncIterator()
        #expect(try await updates.next()?.get().map(\.id) == [1, 2])
        try await shop.products.create(Product(id: 4, name: "Soup"))
        let failed = await updates.next()
        #expect(throws: ODataError.self) { try failed?.get() }
        var soup = try #require(try await shop.products.find(4))
        soup.price = 3
        try await shop.products.update(soup)
        let snapshot = try #require(try await updates.next()?.get())
        #expect(snapshot.map(\.id) == [1, 2, 4] && snapshot.difference?.insertions == [2])
        #expect(snapshot.difference?.changes == [])
    }

    @Test("changes are taken back")
    func reverting() async throws {
        let shop = try await Shop(.file)
        var chai = try #require(try await shop.products.find(1))
        chai.name = "x"
        chai.size?.width = 3
        #expect(chai.changes == ["Name": .string("x"), "Size": .complex(["Width": .double(3)])])
        chai.revert()
        #expect(!chai.hasChanges && chai.name == "Chai" && chai.origin != nil)
        var dynamic = try #require(try await shop.collections["Products"].find(EntityKey("ID", .integer(1))))
        dynamic["Name"] = .string("y")
        #expect(dynamic.changes == ["Name": .string("y")])
        let updated = try await shop.collections["Products"].update(dynamic)
        #expect(updated["Name"] == .string("y") && updated["Price"] != nil)
        dynamic.revert()
        #expect(dynamic.changes.isEmpty)
    }

    @Test("relations", arguments: StoreKind.allCases)
    func navigation(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let bread = try #require(try await shop.products.find(3))
        let drinks = try #require(try await shop.categories.find(1))
        try await shop.products.link(bread, \.category, to: drinks)
        #expect(try await shop.products.find(3)?.categoryID == 1)
        try await shop.products.link(bread, \.category, to: nil)
        #expect(try await shop.products.find(3)?.categoryID == nil)
        try await shop.categories.add(bread, to: \.products, of: drinks)
        #expect(try await shop.products.find(3)?.categoryID == 1)
        try await shop.categories.remove(bread, from: \.products, of: drinks)
        #expect(try await shop.products.find(3)?.categoryID == nil)
    }

    @Test("a list follows its changes", arguments: StoreKind.allCases)
    func updates(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        var updates = shop.products.orderBy(\.name).updates.makeAsyncIterator()
        let first = try #require(await updates.next()).get()
        #expect(first.map(\.name) == ["Bread", "Chai", "O'Neil & Co"] && first.difference == nil)
        var bread = first[0]
        bread.name = "Zwieback"
        try await shop.products.update(bread)
        let second = try #require(await updates.next()).get()
        #expect(second.map(\.name) == ["Chai", "O'Neil & Co", "Zwieback"])
        #expect(second.difference?.moves.map(\.to) == [2] && second.difference?.changes.map(\.to) == [2])
        try await shop.products.create(Product(id: 8, name: "Ale", tags: []))
        let third = try #require(await updates.next()).get()
        #expect(third.difference?.insertions == [0] && third.count == 4)
        try await shop.products.delete(8)
        let fourth = try #require(await updates.next()).get()
        #expect(fourth.difference?.removals == [0] && fourth[0].name == "Chai")
    }

    @Test("an error is a value of the sequence")
    func failing() async throws {
        let shop = try await Shop(.online)
        var updates = shop.collections["Nothing"].updates.makeAsyncIterator()
        guard case .failure(let error) = await updates.next() else {
            Issue.record("There is no such set.")
            return
        }
        #expect(error.code == .badRequest)
        #expect(await updates.next() == nil)
    }

    /// Products of a service that refuses the first connection.
    private func refusedOnce(_ shop: Shop) throws -> EntityCollection<Product> {
        let transport = FaultTransport(
            next: InProcessTransport(service: ODataService(store: shop.file)), plan: .requests([0: .refused]))
        let store = try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
        return EntityCollections(store).of(Product.self, in: "Products")
    }

    @Test("a service that gave no model is asked again after a change")
    func unreachable() async throws {
        let products = try refusedOnce(try await Shop(.file))
        var updates = products.updates.makeAsyncIterator()
        guard case .failure(let error) = await updates.next() else {
            Issue.record("The first connection was refused.")
            return
        }
        #expect(error.code == .unreachable)
        try await products.create(Product(id: 8, name: "Ale"))
        let snapshot = try #require(try await updates.next()?.get())
        #expect(snapshot.map(\.id) == [1, 2, 3, 8] && snapshot.difference == nil)
    }

    @Test("and not before: the sequence waits until it is cancelled")
    func waiting() async throws {
        let products = try refusedOnce(try await Shop(.file))
        let (hasFailed, told) = AsyncStream<Void>.makeStream()
        let rest = Task {
            var updates = products.updates.makeAsyncIterator()
            _ = await updates.next()
            told.finish()
            return await updates.next() == nil
        }
        for await _ in hasFailed {}
        rest.cancel()
        #expect(await rest.value)
    }

    @Test("what was changed on the device is uploaded, and seen by the list")
    func offline() async throws {
        let shop = try await Shop(.offline)
        let store = try #require(shop.store as? OfflineStore)
        try await shop.products.create(Product(id: 9, name: "Soup", tags: []))
        var chai = try #require(try await shop.products.find(1))
        chai.name = "Masala"
        try await shop.products.update(chai)
        _ = try await store.upload()
        let there = EntityCollections(shop.file).of(Product.self, in: "Products")
        #expect(try await there.find(9)?.name == "Soup")
        #expect(try await there.find(1)?.name == "Masala")
        var updates = shop.products.where { $0.id == 9 }.updates.makeAsyncIterator()
        _ = await updates.next()
        try await there.delete(9)
        _ = try await store.download()
        let result = await updates.next()
        #expect(try result?.get().isEmpty == true)
    }
}
