import OData
import Testing

@Suite("The URLs that collections stand for")
struct BuilderTests {
    private static let collections: EntityCollection<Product> = EntityCollections(NoStore()).of(
        Product.self, in: "Products")

    private static func url(_ build: (EntityCollection<Product>) -> EntityCollection<Product>) -> String {
        let url = build(collections).url.replacing("%20", with: " ")
        return url.hasPrefix("Products?") ? String(url.dropFirst(9)) : url
    }

    @Test("options")
    func options() throws {
        let products = Self.collections
        #expect(products.url == "Products")
        for (found, expected) in [
            (
                Self.url { $0.orderBy(\.name).orderBy(\.price, descending: true).top(5).top(9).skip(2) },
                "$orderby=Name,Price desc&$skip=2&$top=5"
            ),
            (Self.url { $0.orderBy(\.category.name) }, "$orderby=Category/Name"),
            (Self.url { $0.orderBy { $0.name.count } }, "$orderby=length(Name)"),
            (Self.url { $0.expand(\.category) }, "$expand=Category"),
            (Self.url { $0.expand(\.items.product).expand(\.items) }, "$expand=Items($expand=Product)"),
            (
                Self.url { $0.expand(\.items) { $0.where { $0.quantity > 5 }.orderBy(\.line).top(3) } },
                "$expand=Items($filter=Quantity gt 5;$orderby=Line;$top=3)"
            ),
            (
                Self.url { $0.expand(\.items) { $0.orderBy { -$0.quantity }.skip(1).search("x").levels(2).levels() } },
                "$expand=Items($search=x;$orderby=-Quantity;$skip=1;$levels=max)"
            ),
            (
                Self.url { $0.expand(\.items) { $0.expand(\.product) { $0.where { $0.id > 1 } } } },
                "$expand=Items($expand=Product($filter=ID gt 1))"
            ),
            (
                Self.url { $0.expand(\.items) { $0.options("$filter=Line eq 1 or Line eq 2;$TOP=3").top(9) } },
                "$expand=Items($filter=Line eq 1 or Line eq 2;$top=3)"
            ),
            (Self.url { $0.expand(\.category) { $0.options("$select=Name") } }, "$expand=Category($select=Name)"),
            (Self.url { $0.search(words: "R&D OR chair  -") }, "$search=%22R%26D%22 AND %22OR%22 AND chair"),
            (Self.url { $0.search(phrase: " 17\" tube ").search(words: "\"") }, "$search=%2217 tube%22"),
            (Self.url { $0.expand(\.items) { $0.search(words: "a b") } }, "$expand=Items($search=a AND b)"),
            (Self.url { $0.search("chair").search("NOT blue") }, "$search=(chair) AND (NOT blue)"),
            (
                try Self.url(options: "$filter=Price gt 20 or ID eq 1&$orderby=Name&$custom=a%26b"),
                "$filter=ID lt 9 and (Price gt 20 or ID eq 1)&$orderby=Name&$custom=a%26b"
            ),
        ] { #expect(found == expected) }
    }

    @Test(
        "options as text: names in any case, and each relation expanded once",
        arguments: [
            ("$Filter=Price gt 20&TOP=3&$Count=True", "$filter=Price gt 20&$top=3&$count=true"),
            ("?$top=3&&$top=5&$SkipToken=x", "$top=3&$skiptoken=x"),
            ("$expand=Items($top=2;filter=Line eq 1)", "$expand=Items($filter=(Line eq 1) and Quantity gt 5;$top=2)"),
            ("$expand=Items/$count,Category", "$expand=Category,Items($filter=Quantity gt 5),Items/$count"),
            ("$expand=Category($select=Name,ID)", "$expand=Category($select=Name,ID),Items($filter=Quantity gt 5)"),
            (
                "$expand=Items($filter=Product/Name ne 'a;b)''c';$expand=Product($levels=2))",
                "$expand=Items($filter=(Product/Name ne 'a;b)''c') and Quantity gt 5;$expand=Product($levels=2))"
            ),
        ])
    func optionText(text: String, expected: String) throws {
        let built = try Self.collections.options(text)
        let expanded = text.contains("expand") ? built.expand(\.items) { $0.where { $0.quantity > 5 } } : built
        #expect(expanded.url.replacing("%20", with: " ") == "Products?" + expected)
    }

    @Test(
        "text that is not a list of options",
        arguments: [
            ("$count=abc", "expected true or false"), ("$top=-1", "expected a whole number from 0"),
            ("$filter=Price gt", "at position 16"), ("$levels=2", "belongs inside $expand"),
            ("$expand=Items($top=x)", "expected a whole number from 0"),
        ])
    func refusedText(text: String, reason: String) throws {
        let error = #expect(throws: ODataError.self) { try Self.collections.options(text) }
        #expect(error?.code == .badRequest && error?.message.contains(reason) == true, "\(error as Any)")
    }

    @Test("what OData cannot say is refused before anything is asked")
    func refused() async throws {
        let categories = EntityCollections(NoStore()).of(Category.self, in: "Categories")
        var member: QueryOperand<Int32>?
        _ = Self.collections.where { product in
            product.items.contains { item in
                member = item.line
                return item.line > 1
            }
        }
        let stray = try #require(member)
        let expanded = categories.expand(\.products) {
            $0.where { product in product.items.count(where: { $0.quantity > product.id }) == 1 }
        }
        let ordered = categories.expand(\.products) {
            $0.orderBy { product in product.items.count(where: { $0.line > product.id }) }
        }
        let nested = categories.where { category in
            category.products.count(where: { product in
                product.items.count(where: { $0.quantity > product.id }) > 0
            }) > 0
        }
        let text = categories.expand(\.products) { $0.options("$top=x") }
        for (query, url, reason) in [
            (expanded, "$expand=Products($filter=Items/$count($filter=Quantity gt $outer/ID) eq 1)", "has no name"),
            (ordered, "$expand=Products($orderby=Items/$count($filter=Line gt $outer/ID))", "has no name"),
            (
                nested, "$filter=Products/$count($filter=Items/$count($filter=Quantity gt $outer/ID) gt 0) gt 0",
                "Use contains(where:)"
            ),
            (categories.where { $0.id > stray }, "$filter=ID gt $outer/Line", "inside of that closure"),
            (text, "$expand=Products", "(at position 5, found 'x'); expected a whole number"),
        ] {
            #expect(query.url.replacing("%20", with: " ") == "Categories?" + url)
            let error = await #expect(throws: ODataError.self) { try await query.bound() }
            #expect(error?.code == .badRequest && error?.message.contains(reason) == true, "\(error as Any)")
        }
    }

    @Test("a variable hides no property")
    func variables() {
        let things = EntityCollections(NoStore())["Things"].where { thing in
            thing.many("Parts").contains { part in
                part["x"] == thing["a"] && part.many("Parts").contains { $0["b"] == 1 }
            }
        }
        let expected = "Things?$filter=Parts/any(b:b/x eq a and b/Parts/any(c:c/b eq 1))"
        #expect(things.url.replacing("%20", with: " ") == expected)
    }

    @Test("dynamic names")
    func dynamic() {
        let products = EntityCollections(NoStore())["Products"]
        let url = products.where { $0["Price"] > 20 && $0["Name"].as(String.self).hasPrefix("C") }
            .where { $0.many("Items").contains { $0["Quantity"] == 3 } }
            .orderBy(\.["Name"]).expand("Items").url
        let expected =
            "Products?$filter=Price gt 20 and startswith(Name,'C') and Items/any(a:a/Quantity eq 3)"
            + "&$expand=Items&$orderby=Name"
        #expect(url.replacing("%20", with: " ") == expected)
    }

    @Test("a relation of a complex value is one step")
    func complexSteps() {
        let places = EntityCollections(NoStore()).of(Place.self, in: "Places")
        for (found, expected) in [
            (places.expand(\.address.country).url, "Places?$expand=Address/Country"),
            (
                places.expand(\.address.country.capital.address.country).url.replacing("%20", with: " "),
                "Places?$expand=Address/Country($expand=Capital($expand=Address/Country))"
            ),
            (
                places.where { $0.address.country.name == "x" }.orderBy(\.address.country.name).top(1).url
                    .replacing("%20", with: " "),
                "Places?$filter=Address/Country/Name eq 'x'&$orderby=Address/Country/Name&$top=1"
            ),
        ] { #expect(found == expected) }
    }

    private static func url(options: String) throws -> String {
        let built = try collections.where { $0.id < 9 }.options(options)
        return String(built.url.replacing("%20", with: " ").dropFirst(9))
    }
}

/// An entity with a complex property in which a navigation property stands.
private struct Place: TypedEntity {
    static let typeName = EdmQualifiedName("Map.Place")
    static let propertyNames = ["ID"]
    static let keyNames = ["ID"]
    static let navigationNames: [String] = []

    var id: Int32
    var origin: EntityOrigin<Place>?

    init(_ row: TypedRow) throws(ODataError) { id = try row.value(0) }
    func value(at index: Int) -> EdmValue? { id.edm }
    func related(at index: Int) -> RelatedEntities? { nil }
    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var name: QueryOperand<String> { path.property("Name") }
        var address: ComplexOperand<Address> { path.complex("Address") }
        var country: ToOne<Place> { path.toOne("Country") }
        var capital: ToOne<Place> { path.toOne("Capital") }
    }
}

private struct Address: QueryElement {
    struct Fields: QueryFields {
        let path: FieldPath
        var country: ToOne<Place> { path.toOne("Country") }
    }
}

/// Is asked nothing.
struct NoStore: ODataStore {
    private let failure = ODataError(.internalError, "Nothing is asked.")

    func model() async throws -> EdmModel { throw failure }
    func read(_ request: ReadRequest) async throws -> ReadResult { throw failure }
    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw failure }
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { throw failure }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { throw failure }
}
