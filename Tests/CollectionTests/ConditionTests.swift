import OData
import Testing

/// A condition as Swift says it and as OData does, and the keys of the entities that it holds for.
struct ConditionExample<Fields: QueryFields>: Sendable {
    let text: String
    let keys: [Int32]
    let condition: QueryCondition

    init(_ text: String, _ keys: [Int32], _ condition: (Fields) -> QueryCondition) {
        (self.text, self.keys) = (text, keys)
        self.condition = condition(Fields(path: .root))
    }
}

@Suite("Conditions in Swift: what they are in OData, and what is found")
struct ConditionTests {
    private static let examples: [ConditionExample<Product.Fields>] = [
        .init("Price gt 20", [2]) { $0.price > 20 },
        .init("Name eq 'O''Neil & Co'", [2]) { $0.name == "O'Neil & Co" },
        .init("Price eq null", [3]) { $0.price == nil },
        .init("Price ne null and not (ID eq 1)", [2]) { $0.price != nil && !($0.id == 1) },
        .init("(ID eq 1 or ID eq 2) and ID lt 9", [1, 2]) { ($0.id == 1 || $0.id == 2) && $0.id < 9 },
        .init("ID eq 1 or ID eq 2 and ID lt 9", [1, 2]) { $0.id == 1 || $0.id == 2 && $0.id < 9 },
        .init("ID add 1 gt 2", [2, 3]) { $0.id + 1 > 2 },
        .init("(ID add 1) mul 2 gt 4", [2, 3]) { ($0.id + 1) * 2 > 4 },
        .init("ID sub (ID sub 1) ge 1", [1, 2, 3]) { $0.id - ($0.id - 1) >= 1 },
        .init("-(ID add 1) le -3", [2, 3]) { -($0.id + 1) <= -3 },
        .init("startswith(Name,'Ch')", [1]) { $0.name.hasPrefix("Ch") },
        .init("contains(tolower(Name),'ch')", [1]) { $0.name.lowercased().contains("ch") },
        .init("length(concat(concat(Name,', '),Category/Name)) gt 11", [1, 2]) {
            ($0.name + ", " + $0.category.name).count > 11
        },
        .init("ID in (1,2)", [1, 2]) { $0.id.isIn([1, 2]) },
        .init("false", []) { $0.id.isIn([]) },
        .init("ID ge 2 and ID le 3", [2, 3]) { $0.id.isWithin(2...3) },
        .init("ID ge 2 and ID lt 3", [2]) { $0.id.isWithin(2..<3) },
        .init("Color eq Shop.Color'Red'", [1]) { $0.color == .red },
        .init("Size/Width gt 2.0", [1]) { $0.size.width > 2 },
        .init("Category eq null", []) { $0.category.isNull },
        .init("Category/Name eq 'Food'", [3]) { $0.category.name == "Food" },
        .init("Tags/any(a:a eq 'new')", [1]) { $0.tags.contains("new") },
        .init("Tags/$count eq 0", [2, 3]) { $0.tags.count == 0 },
        .init("Items/any(a:a/Quantity gt 5)", [1]) { product in product.items.contains { $0.quantity > 5 } },
        .init("Items/all(a:a/Quantity gt ID)", [1, 3]) { product in
            product.items.allSatisfy { $0.quantity > product.id }
        },
        .init("Items/any(a:a/Product/Items/any(b:b/Line eq 2))", [1]) { product in
            product.items.contains { $0.product.items.contains { $0.line == 2 } }
        },
        .init("Items/any(a:Items/any(b:b/Line gt a/Line))", [1]) { product in
            product.items.contains { item in product.items.contains { $0.line > item.line } }
        },
        .init("Tags/any(a:Tags/all(b:b ge a))", [1]) { product in
            product.tags.contains { tag in product.tags.allSatisfy { $0 >= tag } }
        },
        .init("Items/$count($filter=Line eq 1) eq 1", [1, 2]) { $0.items.count(where: { $0.line == 1 }) == 1 },
        .init("Items/$count($filter=Quantity gt $it/ID and $it/Category/Name ne 'x') eq 2", [1]) { product in
            product.items.count(where: { $0.quantity > product.id && product.category.name != "x" }) == 2
        },
        .init("not Items/any()", [3]) { $0.items.isEmpty },
        .init("Category eq null", []) { $0.category == nil },
        .init("Category ne null and Size ne null", [1]) { $0.category != nil && $0.size != nil },
        .init("not Tags/any()", [2, 3]) { $0.tags.isEmpty },
        .init("Tags/$count($filter=startswith($this,'n')) eq 1", [1]) {
            $0.tags.count(where: { $0.hasPrefix("n") }) == 1
        },
        .init("20 lt Price or 2 sub ID eq 1", [1, 2]) { 20 < $0.price || 2 - $0.id == 1 },
        .init("Price gt 18.49 and Price lt 39.99", [1]) { $0.price > 18.49 && $0.price < 39.99 },
        .init("Price mul ID gt 70 and Price gt ID", [2]) { $0.price * $0.id > 70 && $0.price > $0.id },
        .init("contains(Name,Category/Name) or startswith(Name,substring(Name,0,2))", [1, 2, 3]) {
            $0.name.contains($0.category.name) || $0.name.hasPrefix($0.name.substring(from: 0, length: 2))
        },
        .init("concat('x',Name) eq 'xChai' and endswith(Name,Name) and indexof(Name,Name) eq 0", [1]) {
            "x" + $0.name == "xChai" && $0.name.hasSuffix($0.name) && $0.name.index(of: $0.name) == 0
        },
        .init("(length(Name) gt 4 or ID eq 1) and ID lt 3", [1, 2]) {
            QueryCondition.odata("length(\($0.name)) gt 4 or ID eq 1") && $0.id < 3
        },
        .init("Items/any(a:a/Quantity mod 2 eq 0)", [1]) { product in
            product.items.contains { QueryCondition.odata("\($0.quantity) mod 2 eq 0") }
        },
    ]

    /// What is named outside of a closure and used inside of it.
    private static let captured: [ConditionExample<Category.Fields>] = [
        .init("Products/$count($filter=Name eq $it/Name) gt 0", []) { category in
            let name = category.name
            return category.products.count(where: { $0.name == name }) > 0
        },
        .init("Products/$count($filter=Items/any(a:a/Quantity gt ID and a/Line le $it/ID)) eq 1", [1]) { category in
            category.products.count(where: { product in
                product.items.contains { $0.quantity > product.id && $0.line <= category.id }
            }) == 1
        },
        .init("Products/any(a:a/Items/$count($filter=Quantity gt a/ID) eq 2)", [1]) { category in
            category.products.contains { product in
                product.items.count(where: { $0.quantity > product.id }) == 2
            }
        },
        .init("Products/$count($filter=Items/$count($filter=Line gt $it/ID) eq 1) eq 1", [1]) { category in
            category.products.count(where: { product in
                product.items.count(where: { $0.line > category.id }) == 1
            }) == 1
        },
        .init("Products/any(a:Products/any(b:b/ID gt 2) and a/ID gt 1)", [2]) { category in
            let other = category.products.contains { $0.id > 2 }
            return category.products.contains { other && $0.id > 1 }
        },
    ]

    @Test("the text, which the parser reads and the model has")
    func texts() throws {
        let parser = QueryParser(model: try CSDL.read(xml: Array(Shop.metadata.utf8)).model)
        for example in Self.examples {
            #expect(example.condition.text == example.text)
            let products = EntityCollections(NoStore()).of(Product.self, in: "Products").where { _ in example.condition
            }
            let bound = try parser.query(products.url)
            #expect(bound.options.filter != nil && bound.path.url == "Products", "\(example.text)")
        }
    }

    @Test("what they find", arguments: StoreKind.allCases)
    func finding(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        for example in Self.examples {
            let found = try await shop.products.where { _ in example.condition }.orderBy(\.id).findAll()
            #expect(found.map(\.id) == example.keys, "\(example.text)")
        }
    }

    @Test("what is named outside of a closure", arguments: StoreKind.allCases)
    func capturing(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        for example in Self.captured {
            #expect(example.condition.text == example.text)
            let found = try await shop.categories.where { _ in example.condition }.orderBy(\.id).findAll()
            #expect(found.map(\.id) == example.keys, "\(example.text)")
        }
    }

    @Test("a search", arguments: StoreKind.allCases)
    func search(kind: StoreKind) async throws {
        let shop = try await Shop(kind)
        #expect(try await shop.products.search("Chai").findAll().map(\.id) == [1])
        #expect(try await shop.products.search("NOT Chai").where { $0.id < 3 }.findAll().map(\.id) == [2])
        #expect(try await shop.products.search("Chai OR Bread").orderBy(\.id).findAll().map(\.id) == [1, 3])
        #expect(try await shop.products.search(words: "Co O'Neil").findAll().map(\.id) == [2])
        #expect(try await shop.products.search(phrase: "\"O'Neil & Co").findAll().map(\.id) == [2])
        #expect(try await shop.products.search(words: "NOT Chai").findAll().isEmpty)
    }
}
