import OData
import Testing

@Suite("Reading collections")
struct ReadingTests {
    @Test("all, one, the first, a count", arguments: StoreKind.allCases)
    func finding(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.products
        #expect(try await products.orderBy(\.id).findAll().map(\.name) == ["Chai", "O'Neil & Co", "Bread"])
        let chai = try #require(try await products.find(1))
        #expect(chai.price == EdmDecimal("18.5") && chai.color == .red && chai.tags == ["hot", "new"])
        #expect(chai.size == Size(width: 2.5, unit: "cm") && chai.items == nil && !chai.$category.isExpanded)
        #expect(try await products.find(9) == nil)
        #expect(try await shop.items.find(Item.Key(productID: 1, line: 2))?.quantity == 8)
        #expect(try await products.find(by: \.name, "O'Neil & Co").map(\.id) == [2])
        #expect(try await products.find { $0.price == nil }.map(\.id) == [3])
        #expect(try await products.orderBy(\.price, descending: true).first { $0.price != nil }?.id == 2)
        #expect(try await products.where { $0.id > 1 }.count() == 2)
        #expect(try await products.where { $0.id > 3 }.isEmpty())
        #expect(try await !products.isEmpty())
    }

    @Test("options as text, in any case", arguments: StoreKind.allCases)
    func optionText(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = try shop.products.expand(\.items) { $0.where { $0.quantity > 1 } }
            .options("$Filter=Price gt 20&$TOP=1&$expand=Items($orderby=Line desc;$top=1)")
        #expect(try await products.findAll().map(\.id) == [2])
        #expect(try await products.find(1) == nil)
        let expanded = try shop.products.expand(\.items) { $0.where { $0.quantity > 1 } }
            .options("$TOP=1&$expand=Items($orderby=Line desc;$top=1)")
        let chai = try #require(try await expanded.find(1))
        #expect(chai.items?.map(\.line) == [2])
    }

    @Test("the entities of the entities that are expanded", arguments: StoreKind.allCases)
    func expandingTwice(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let found = try await shop.categories.expand(\.products) {
            $0.orderBy { product in product.items.count }.skip(1)
                .expand(\.items) { $0.where { $0.line == 2 }.options("$select=Line,ProductID,Quantity") }
        }.find(1)
        let products = try #require(found?.products)
        #expect(products.map(\.id) == [1])
        #expect(products.first?.items?.map(\.quantity) == [8])
    }

    @Test("entities by name have the same methods", arguments: StoreKind.allCases)
    func dynamic(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.collections["Products"]
        let found = try await products.where { $0["Category/Name"] == "Drinks" }.orderBy(\.["ID"]).findAll()
        #expect(found.map { $0["Name"] } == [.string("Chai"), .string("O'Neil & Co")])
        #expect(try await products.find(EntityKey("ID", .integer(3)))?["Name"] == .string("Bread"))
        let error = await #expect(throws: ODataError.self) { try await products.where { $0["Nam"] == 1 }.findAll() }
        #expect(error?.code == .badRequest && error?.message.contains("Name") == true)
    }

    @Test("entities by name have children and sums too", arguments: StoreKind.allCases)
    func dynamicChildren(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = shop.collections["Products"]
        let found = try await products.orderBy(\.["ID"]).findAll()
        _ = shop.requests.reads
        let children = try await products.children(of: found, "Items")
        #expect(children.map { $0.map { $0["Line"] } } == [[.integer(1), .integer(2)], [.integer(1)], []])
        #expect(shop.requests.reads.count == (kind == .offline ? 0 : 1))
        #expect(try await products.children(of: found[0], "Items").count() == 2)
        #expect(try await shop.collections["Items"].sum(\.["Quantity"]) == .integer(12))
        let expanded = try #require(try await products.expand("Items/Product").find(EntityKey("ID", .integer(2))))
        guard case .many(let items, _) = expanded.expanded["Items"] else {
            Issue.record("no items")
            return
        }
        guard case .one(let product) = items.first?.expanded["Product"] else {
            Issue.record("no product")
            return
        }
        #expect(product?["Name"] == .string("O'Neil & Co"))
    }

    @Test("properties that a structure does not know are had by their names", arguments: StoreKind.allCases)
    func unknownProperties(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let computed = try shop.products.options("$compute=Price mul 2 as Twice&$select=*,Twice")
        var chai = try #require(try await computed.find(1))
        #expect(chai["Twice"] == .decimal(37) && chai["Name"] == .string("Chai") && chai["Nothing"] == nil)
        chai.name = "Tea"
        #expect(chai["Name"] == .string("Tea") && chai.origin?.properties["Name"] == .string("Chai"))
        #expect(chai.changes == EdmComplexValue([.init(name: "Name", value: .string("Tea"))]))
        let dear = try computed.options("$filter=Twice ge 37")
        #expect(try await dear.count() == 2)
        #expect(try await dear.max(\.price) == 40)
    }

    @Test("page by page", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        var pages: [[Int32]] = []
        for try await page in shop.products.orderBy(\.id).pages(size: 2) { pages.append(page.map(\.id)) }
        #expect(pages == [[1, 2], [3]])
    }

    @Test("related entities come with them", arguments: StoreKind.allCases)
    func expanding(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let found = try await shop.products.expand(\.category).expand(\.items.product).orderBy(\.id).findAll()
        #expect(found.map(\.category?.name) == ["Drinks", "Drinks", "Food"])
        #expect(found[0].items?.map(\.quantity).sorted() == [3, 8])
        #expect(found[0].items?.first?.product?.name == "Chai")
        #expect(found[2].items == [] && found[2].$category.isExpanded)
        let some = try await shop.products.expand(\.items) { $0.where { $0.quantity > 5 } }.find(1)
        #expect(some?.items?.map(\.line) == [2])
    }

    @Test("children of many are one request, a join two", arguments: StoreKind.allCases)
    func children(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = try await shop.products.orderBy(\.id).findAll()
        _ = shop.requests.reads
        let children = try await shop.products.children(of: products, \.items)
        #expect(children.map(\.count) == [2, 1, 0])
        #expect(shop.requests.reads.count == (kind == .offline ? 0 : 1))
        let own = try shop.products.children(of: products[0], \.items)
        #expect(own.url == "Products(1)/Items")
        #expect(try await own.where { $0.quantity > 5 }.findAll().map(\.line) == [2])
        _ = shop.requests.reads
        let joined = try await shop.items.where { $0.line == 1 }.orderBy(\.productID)
            .joined(with: shop.products, on: \.productID, equals: \.id)
        #expect(joined.map { $0.others.map(\.name) } == [["Chai"], ["O'Neil & Co"]])
        #expect(shop.requests.reads.count == (kind == .offline ? 0 : 2))
        let error = await #expect(throws: ODataError.self) {
            try await shop.items.joined(with: shop.products.top(1), on: \.productID, equals: \.id)
        }
        #expect(error?.code == .badRequest && error?.message.contains("no top") == true)
    }

    @Test("sums, averages, groups", arguments: StoreKind.allCases)
    func aggregates(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        #expect(try await shop.items.sum(\.quantity) == 12)
        #expect(try await shop.items.options("$apply=filter(Quantity gt 2)").count() == 2)
        let some = try shop.items.options("$apply=filter(Quantity gt 2)").orderBy(\.quantity).skip(1).top(1)
        #expect(try await some.count() == 2)
        #expect(try await some.sum(\.quantity) == 8)
        #expect(try await shop.items.options("$filter=Quantity gt @least&@least=2").count() == 2)
        #expect(try await shop.items.where { $0.quantity > 2 }.average(\.quantity) == 5.5)
        #expect(try await shop.products.max(\.price) == 40)
        #expect(try await shop.products.min(\.name) == "Bread")
        #expect(try await shop.products.where { $0.id > 5 }.max(\.price) == nil)
        #expect(try await shop.items.orderBy(\.quantity, descending: true).top(2).sum(\.quantity) == 11)
        #expect(try await shop.items.orderBy(\.quantity).skip(1).top(1).max(\.quantity) == 3)
        #expect(try await shop.products.countDistinct(\.categoryID) == 2)
        _ = shop.requests.reads
        #expect(try await shop.items.orderBy(\.quantity).sum(\.quantity) == 12)
        #expect(!shop.requests.reads.contains { $0.contains("orderby") })
        let groups = try await shop.products.grouped(by: \.category.name).count()
        #expect(Dictionary(groups.map { ($0.key, $0.value) }) { first, _ in first } == ["Drinks": 2, "Food": 1])
        let sums = try await shop.items.grouped(by: \.productID).sum(\.quantity)
        #expect(Dictionary(sums.map { ($0.key, $0.value) }) { first, _ in first } == [1: 11, 2: 1])
        let averages = try await shop.items.grouped(by: \.productID).average(\.quantity)
        #expect(Dictionary(averages.map { ($0.key, $0.value) }) { first, _ in first } == [1: 5.5, 2: 1])
        let least = try await shop.products.grouped(by: \.categoryID).min(\.price)
        #expect(Dictionary(least.map { ($0.key, $0.value) }) { first, _ in first } == [1: EdmDecimal("18.5"), 2: nil])
    }

    @Test("one related entity by a request of its own, some children of many", arguments: StoreKind.allCases)
    func child(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let products = try await shop.products.orderBy(\.id).findAll()
        _ = shop.requests.reads
        #expect(try await shop.products.child(of: products[0], \.category)?.name == "Drinks")
        #expect(shop.requests.reads == (kind == .offline ? [] : ["Products(1)/Category"]))
        try await shop.products.link(products[0], \.category, to: nil)
        #expect(try await shop.products.child(of: products[0], \.category) == nil)
        let dynamic = try #require(try await shop.collections["Products"].find(EntityKey("ID", .integer(3))))
        #expect(try await shop.collections["Products"].child(of: dynamic, "Category")?["Name"] == .string("Food"))
        let some = try await shop.products.children(of: products, \.items) {
            $0.where { $0.quantity > 2 }.orderBy(\.quantity, descending: true).top(1).expand(\.product)
        }
        #expect(some.map { $0.map(\.quantity) } == [[8], [], []] && some[0][0].product?.name == "Chai")
        let items = try await shop.collections["Products"].children(of: [dynamic], "Items") { $0.top(1) }
        #expect(items == [[]])
        let nested = try await shop.products.expand(\.items) { $0.expand(\.product).top(1) }.find(2)
        #expect(nested?.items?.first?.product?.name == "O'Neil & Co")
    }

    @Test("a property that is null where the type has none is an error that names it")
    func unfit() async throws {
        let shop = try await Shop(.file)
        let error = await #expect(throws: ODataError.self) {
            try await shop.collections.of(StrictProduct.self, in: "Products").findAll()
        }
        #expect(error?.code == .invalidResponse && error?.message.contains("Products(3)") == true)
        #expect(error?.message.contains("Price is null") == true)
    }
}

/// A type of an earlier version of the service, in which each product had a price.
struct StrictProduct: TypedEntity {
    static let typeName = EdmQualifiedName("Shop.Product")
    static let propertyNames = ["ID", "Price"]
    static let keyNames = ["ID"]
    static let navigationNames: [String] = []

    var id: Int32
    var price: EdmDecimal
    var origin: EntityOrigin<StrictProduct>?

    init(_ row: TypedRow) throws(ODataError) {
        id = try row.value(0)
        price = try row.value(1)
    }

    func value(at index: Int) -> EdmValue? { index == 0 ? id.edm : price.edm }
    func related(at index: Int) -> RelatedEntities? { nil }
    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
    }
}
