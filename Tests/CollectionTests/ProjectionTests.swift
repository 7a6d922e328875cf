import OData
import Testing

@Suite("Some properties of the entities of a collection")
struct ProjectionTests {
    private static let kinds = StoreKind.allCases + StoreKind.v2Stores

    @Test("URLs")
    func urls() {
        let products = EntityCollections(NoStore()).of(Product.self, in: "Products")
        let names = EntityCollections(NoStore())["Products"].select("ID", "Name").select("Name", "Category/Name")
        for (found, expected) in [
            (products.where { $0.id > 1 }.select(\.id, \.name).url, "Products?$filter=ID gt 1&$select=ID,Name"),
            (products.expand(\.items).select(\.name).url, "Products?$select=Name"),
            (
                products.select(\.name, \.size.width, \.category.name).url,
                "Products?$select=Name,Size/Width&$expand=Category($select=Name)"
            ),
            (products.select(\.category.name).url, "Products?$select=ID&$expand=Category($select=Name)"),
            (names.url, "Products?$select=ID,Name&$expand=Category($select=Name)"),
        ] { #expect(found.replacing("%20", with: " ") == expected) }
    }

    @Test("as tuples", arguments: kinds)
    func tuples(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let some = shop.products.orderBy(\.id).select(\.id, \.price, \.category.name)
        let rows = try await some.findAll()
        #expect(rows.map(\.0) == [1, 2, 3] && rows.map(\.1) == [EdmDecimal("18.5"), 40, nil])
        #expect(rows.map(\.2) == ["Drinks", "Drinks", "Food"])
        let first = try #require(try await some.first())
        #expect(first == (1, EdmDecimal("18.5"), "Drinks"))
        #expect(try await shop.products.where { $0.id > 5 }.select(\.id).first() == nil)
        var pages: [[Int32?]] = []
        for try await page in some.pages(size: 2) { pages.append(page.map(\.0)) }
        #expect(pages == [[1, 2], [3]])
    }

    @Test("complex values, and a relation that leads to nothing", arguments: StoreKind.allCases)
    func complex(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let bread = try #require(try await shop.products.find(3))
        try await shop.products.link(bread, \.category, to: nil)
        let rows = try await shop.products.orderBy(\.id).select(\.size.width, \.category.name).findAll()
        #expect(rows.map(\.0) == [2.5, nil, nil] && rows.map(\.1) == ["Drinks", "Drinks", nil])
    }

    @Test("each combination once", arguments: StoreKind.allCases)
    func distinct(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let names = try await shop.products.select(\.categoryID, \.category.name).distinct()
        #expect(names.map { "\($0.0 ?? 0) \($0.1 ?? "")" }.sorted() == ["1 Drinks", "2 Food"])
        let dear = try await shop.products.where { $0.price > 20 }.select(\.category.name).distinct()
        #expect(dear == ["Drinks"])
    }

    @Test("of entities by name", arguments: kinds)
    func dynamic(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        let some = shop.collections["Products"].orderBy("ID").select("ID", "Name", "Category/Name")
        let chai = try #require(try await some.first())
        #expect(Set(chai.properties.names) == ["ID", "Name"])
        guard case .one(let category) = chai.expanded["Category"] else {
            Issue.record("no category")
            return
        }
        #expect(category?["Name"] == .string("Drinks"))
        if kind != .v2, kind != .atom {
            let sizes = try await shop.collections["Products"].orderBy("ID").select("Size/Width").findAll()
            #expect(sizes.first?["Size"] == .complex(["Width": .double(2.5)]))
        }
        var changed = chai
        changed["Name"] = .string("Masala")
        _ = try await some.update(changed)
        #expect(try await shop.products.count() == 3)
        #expect(try await shop.collections["Products"].find(chai)?["Price"] == Shop.decimal("18.5"))
    }
}
