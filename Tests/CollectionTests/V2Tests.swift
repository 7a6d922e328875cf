import OData
import Testing

@Suite("Collections of a V2 service")
struct V2Tests {
    private func products(_ shop: Shop) -> EntityCollection<Ware> { shop.collections.of(Ware.self, in: "Products") }

    private func ids(_ wares: EntityCollection<Ware>) async throws -> [Int32] {
        try await wares.orderBy(\.id).findAll().map(\.id)
    }

    @Test("one, some, the first, a count", arguments: StoreKind.v2Stores)
    func finding(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let wares = products(shop)
        let chai = try #require(try await wares.find(1))
        #expect(chai.name == "Chai" && chai.price == EdmDecimal("18.5") && chai.items == nil)
        #expect(chai.size == Size(width: 2.5, unit: "cm"))
        #expect(try await wares.find(9) == nil)
        #expect(try await shop.items.find(Item.Key(productID: 1, line: 2))?.quantity == 8)
        #expect(try await wares.find(by: \.name, "O'Neil & Co").map(\.id) == [2])
        #expect(try await wares.orderBy(\.price, descending: true).first { $0.price != nil }?.id == 2)
        #expect(try await wares.where { $0.id > 1 }.count() == 2)
        #expect(try await wares.where { $0.id > 3 }.isEmpty())
        var pages: [[Int32]] = []
        for try await page in wares.orderBy(\.id).pages(size: 1) { pages.append(page.map(\.id)) }
        #expect(pages == [[1], [2], [3]])
    }

    @Test("conditions", arguments: StoreKind.v2Stores)
    func conditions(kind: StoreKind) async throws {
        let wares = products(try await Shop(kind))
        #expect(try await ids(wares.where { $0.price > 20 }) == [2])
        #expect(try await ids(wares.where { $0.price == nil }) == [3])
        #expect(try await ids(wares.where { $0.id.isIn([1, 3]) }) == [1, 3])
        #expect(try await ids(wares.where { $0.id.isIn([]) }) == [])
        #expect(try await ids(wares.where { $0.id.isIn([1, 3]) && $0.name.contains("rea") }) == [3])
        #expect(try await ids(wares.where { $0.name.hasPrefix("O'N") || $0.name.lowercased().count == 4 }) == [1, 2])
        #expect(try await ids(wares.where { ($0.id + 1) * 2 > 4 }) == [2, 3])
        #expect(try await ids(wares.where { $0.category.name == "Drinks" }) == [1, 2])
        #expect(try await ids(wares.where { $0.size.width > 2 }) == [1])
    }

    @Test("related entities: expanded, as children, joined", arguments: StoreKind.v2Stores)
    func navigation(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let wares = products(shop)
        let found = try await wares.expand(\.category).expand(\.items).orderBy(\.id).findAll()
        #expect(found.map(\.category?.name) == ["Drinks", "Drinks", "Food"])
        #expect(found.map { $0.items?.map(\.quantity).sorted() } == [[3, 8], [1], []])
        _ = shop.requests.reads
        let children = try await wares.children(of: found, \.items)
        #expect(children.map(\.count) == [2, 1, 0])
        #expect(shop.requests.reads.count == 1)
        let own = try wares.children(of: found[0], \.items)
        #expect(try await own.where { $0.quantity > 5 }.findAll().map(\.line) == [2])
        _ = shop.requests.reads
        let joined = try await shop.items.where { $0.line == 1 }.orderBy(\.productID)
            .joined(with: wares, on: \.productID, equals: \.id)
        #expect(joined.map { $0.others.map(\.name) } == [["Chai"], ["O'Neil & Co"]])
        #expect(shop.requests.reads.count == 2)
    }

    @Test("create, update, delete", arguments: StoreKind.v2Stores)
    func changing(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let wares = products(shop)
        let drinks = try #require(try await shop.categories.find(1))
        var tea = try await wares.create(
            Ware(id: 7, name: "Tea", category: drinks, items: [Item(line: 1, quantity: 4)]))
        #expect(tea.id == 7 && tea.name == "Tea" && tea.origin != nil)
        let read = try #require(try await wares.expand(\.items).expand(\.category).find(7))
        #expect(read.items?.map(\.quantity) == [4] && read.category?.name == "Drinks")
        tea.price = EdmDecimal("4.25")
        _ = shop.requests.changeRequests
        tea = try await wares.update(tea)
        #expect(tea.price == EdmDecimal("4.25") && !tea.hasChanges)
        guard case .update(let payload)? = shop.requests.changeRequests.first?.operation else {
            Issue.record("MERGE is an update.")
            return
        }
        #expect(payload.properties.names == ["Price"])
        let error = await #expect(throws: ODataError.self) { try await wares.delete(read) }
        #expect(error?.code == .preconditionFailed)
        try await wares.delete(tea)
        #expect(try await wares.find(7) == nil)
        try await shop.items.delete(Item.Key(productID: 2, line: 1))
        #expect(try await shop.items.find(Item.Key(productID: 2, line: 1)) == nil)
    }

    @Test("links", arguments: StoreKind.v2Stores)
    func links(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let wares = products(shop)
        let bread = try #require(try await wares.find(3))
        let drinks = try #require(try await shop.categories.find(1))
        try await wares.link(bread, \.category, to: drinks)
        #expect(try await wares.find(3)?.categoryID == 1)
        try await wares.link(bread, \.category, to: nil)
        #expect(try await wares.find(3)?.categoryID == nil)
    }

    @Test("what V2 cannot say is refused by its name, and not sent", arguments: StoreKind.v2Stores)
    func refused(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let wares = products(shop)
        let items = shop.items
        await refusal("$apply") { let _: Int64? = try await items.sum(\.quantity) }
        await refusal("$apply") { _ = try await wares.grouped(by: \.category.name).count() }
        await refusal("$search") { _ = try await wares.search("Chai").findAll() }
        await refusal("Items/any") {
            _ = try await wares.where { $0.items.contains { $0.quantity > 5 } }.findAll()
        }
        await refusal("matchesPattern") { _ = try await wares.where { $0.name.matches("^C") }.findAll() }
        await refusal("inside $expand=Items") { _ = try await wares.expand(\.items) { $0.top(1) }.findAll() }
        #expect(shop.requests.reads.isEmpty)
    }

    private func refusal(_ name: String, _ ask: @escaping @Sendable () async throws -> Void) async {
        let error = await #expect(throws: ODataError.self) { try await ask() }
        #expect(error?.code == .notImplemented)
        #expect(error?.message.contains(name) == true && error?.message.contains("V2") == true)
    }
}

/// A product as V2 has it: without collections of values, and without enumerations.
private struct Ware: TypedEntity {
    static let typeName = EdmQualifiedName("Shop.Product")
    static let propertyNames = ["ID", "Name", "Price", "CategoryID", "Size"]
    static let keyNames = ["ID"]
    static let navigationNames = ["Category", "Items"]

    var id: Int32
    var name: String
    var price: EdmDecimal?
    var categoryID: Int32?
    var size: Size?
    @ExpandedEntity var category: Category?
    var items: [Item]?
    var origin: EntityOrigin<Ware>?

    init(id: Int32, name: String, category: Category? = nil, items: [Item]? = nil) {
        (self.id, self.name, self.items) = (id, name, items)
        _category = ExpandedEntity(wrappedValue: category)
    }

    init(_ row: TypedRow) throws(ODataError) {
        id = try row.value(0)
        name = try row.value(1)
        price = try row.optional(2)
        categoryID = try row.optional(3)
        size = try row.optional(4)
        _category = try row.one(0)
        items = try row.many(1)
    }

    func value(at index: Int) -> EdmValue? {
        switch index {
        case 0: id.edm
        case 1: name.edm
        case 2: price?.edm ?? .null
        case 3: categoryID?.edm ?? .null
        case 4: size?.edm ?? .null
        default: nil
        }
    }

    func related(at index: Int) -> RelatedEntities? {
        switch index {
        case 0: category.map { .one($0) }
        case 1: items.map { .many($0) }
        default: nil
        }
    }

    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var id: QueryOperand<Int32> { path.property("ID") }
        var name: QueryOperand<String> { path.property("Name") }
        var price: QueryOperand<EdmDecimal> { path.property("Price") }
        var categoryID: QueryOperand<Int32> { path.property("CategoryID") }
        var size: ComplexOperand<Size> { path.complex("Size") }
        var category: ToOne<Category> { path.toOne("Category") }
        var items: ToMany<Item> { path.toMany("Items") }
    }
}
