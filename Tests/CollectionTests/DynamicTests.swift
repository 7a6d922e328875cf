import OData
import Testing

@Suite("Entities by name have the methods of structures")
struct DynamicTests {
    private func key(_ number: Int64) -> EntityKey { EntityKey("ID", .integer(number)) }

    @Test("create, update, delete", arguments: StoreKind.allCases + StoreKind.v2Stores)
    func changing(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.collections["Products"]
        var tea = try await products.create(DynamicEntity(["ID": .integer(7), "Name": .string("Tea")]))
        #expect(tea["Name"] == .string("Tea"))
        tea["Price"] = Shop.decimal("4.25")
        #expect(tea.changes == ["Price": Shop.decimal("4.25")])
        tea = try await products.update(tea)
        #expect(tea["Price"] == Shop.decimal("4.25") && tea["Name"] == .string("Tea"))
        try await products.delete(tea)
        #expect(try await products.find(key(7)) == nil)
        let items = shop.collections["Items"]
        let item = EntityKey([.init(name: "ProductID", value: .integer(2)), .init(name: "Line", value: .integer(1))])
        #expect(try await items.find(item) != nil)
        try await items.delete(item)
        #expect(try await items.find(item) == nil)
    }

    @Test("relations", arguments: StoreKind.allCases + StoreKind.v2Stores)
    func navigation(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let (products, categories) = (shop.collections["Products"], shop.collections["Categories"])
        let bread = try #require(try await products.find(key(3)))
        let drinks = try #require(try await categories.find(key(1)))
        try await products.link(bread, "Category", to: drinks)
        #expect(try await products.find(key(3))?["CategoryID"] == .integer(1))
        try await products.link(bread, "Category", to: nil)
        #expect(try await products.find(key(3))?["CategoryID"] == .null)
        try await categories.add(bread, to: "Products", of: drinks)
        #expect(try await products.find(key(3))?["CategoryID"] == .integer(1))
        try await categories.remove(bread, from: "Products", of: drinks)
        #expect(try await products.find(key(3))?["CategoryID"] == .null)
    }

    @Test("some of the entities of a relation", arguments: StoreKind.allCases)
    func expanding(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let some = shop.collections["Products"].expand("Items") {
            $0.where { $0["Quantity"] > 2 }.orderBy(\.["Quantity"], descending: true).top(1)
        }
        let chai = try #require(try await some.find(key(1)))
        guard case .many(let items, _) = chai.expanded["Items"] else {
            Issue.record("no items")
            return
        }
        #expect(items.map { $0["Line"] } == [.integer(2)])
    }

    @Test("groups", arguments: StoreKind.allCases)
    func groups(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let counts = try await shop.collections["Products"].grouped(by: \.["Category/Name"]).count()
        #expect(counts.map { "\($0.key?.lexical ?? "") \($0.value)" }.sorted() == ["Drinks 2", "Food 1"])
        let greatest = try await shop.collections["Items"].grouped(by: \.["ProductID"]).max(\.["Quantity"])
        #expect(greatest.map { "\($0.key?.lexical ?? "") \($0.value?.lexical ?? "")" }.sorted() == ["1 8", "2 1"])
    }

    @Test("names instead of key paths", arguments: StoreKind.allCases)
    func names(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let (products, items) = (shop.collections["Products"], shop.collections["Items"])
        let ordered = try await products.orderBy("Name", descending: true).findAll()
        #expect(ordered.map { $0["ID"] } == [.integer(2), .integer(1), .integer(3)])
        #expect(try await products.find(by: "Name", "Chai").map { $0["ID"] } == [.integer(1)])
        #expect(try await products.find(by: "Price", EdmValue.null).map { $0["ID"] } == [.integer(3)])
        #expect(try await items.sum("Quantity") == .integer(12))
        #expect(try await items.average("Quantity") == 4)
        #expect(try await items.min("Quantity") == .integer(1))
        #expect(try await items.max("Quantity") == .integer(8))
        #expect(try await items.countDistinct("ProductID") == 2)
        let groups = items.grouped(by: "ProductID")
        let sums = try await groups.sum("Quantity").map { [$0.key, $0.value] }
        let least = try await groups.min("Quantity").map { [$0.key, $0.value] }
        let greatest = try await groups.max("Quantity").map { [$0.key, $0.value] }
        for (found, first) in [(sums, Int64(11)), (least, 3), (greatest, 8)] {
            let expected: [[EdmValue?]] = [[.integer(1), .integer(first)], [.integer(2), .integer(1)]]
            #expect(found == expected || found == expected.reversed())
        }
        #expect(try await groups.average("Quantity").map(\.value).compactMap(\.self).sorted() == [1, 5.5])
        let joined = try await items.where { $0["Line"] == 1 }.orderBy("ProductID")
            .joined(with: products, on: "ProductID", equals: "ID")
        #expect(joined.map { $0.others.map { $0["Name"] } } == [[.string("Chai")], [.string("O'Neil & Co")]])
    }

    @Test("a list follows its changes", arguments: StoreKind.allCases)
    func updates(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.collections["Products"]
        var updates = products.orderBy(\.["Name"]).updates.makeAsyncIterator()
        let first = try #require(await updates.next()).get()
        #expect(first.map { $0["Name"] } == [.string("Bread"), .string("Chai"), .string("O'Neil & Co")])
        var bread = first[0]
        bread["Name"] = .string("Zwieback")
        try await products.update(bread)
        let second = try #require(await updates.next()).get()
        #expect(second.map { $0["Name"] } == [.string("Chai"), .string("O'Neil & Co"), .string("Zwieback")])
        #expect(second.difference?.moves.map(\.to) == [2] && second.difference?.changes.map(\.to) == [2])
        try await products.delete(second[2])
        let third = try #require(await updates.next()).get()
        #expect(third.difference?.removals == [2] && third.count == 2)
    }
}
