import OData
import Testing

@Suite("The URLs that collections stand for")
struct BuilderTests {
    private static let collections: EntityCollection<Product> = Collections(NoStore()).of(
        Product.self, in: "Products")

    private static func url(_ build: (EntityCollection<Product>) -> EntityCollection<Product>) -> String {
        let url = build(collections).url.replacing("%20", with: " ")
        return url.hasPrefix("Products?") ? String(url.dropFirst(9)) : url
    }

    private static func filter(_ condition: (Product.Fields) -> Condition) -> String {
        String(url { $0.where(condition) }.dropFirst(8))
    }

    @Test("conditions")
    func conditions() {
        for (found, expected) in [
            (Self.filter { $0.price > 20 }, "Price gt 20"),
            (Self.filter { $0.name == "O'Neil & Co" }, "Name eq 'O''Neil %26 Co'"),
            (Self.filter { $0.price == nil }, "Price eq null"),
            (Self.filter { $0.price != nil && !($0.id == 1) }, "Price ne null and not (ID eq 1)"),
            (Self.filter { ($0.id == 1 || $0.id == 2) && $0.id < 9 }, "(ID eq 1 or ID eq 2) and ID lt 9"),
            (Self.filter { $0.id == 1 || $0.id == 2 && $0.id < 9 }, "ID eq 1 or ID eq 2 and ID lt 9"),
            (Self.filter { $0.id + 1 > 2 }, "ID add 1 gt 2"),
            (Self.filter { ($0.id + 1) * 2 > 2 }, "(ID add 1) mul 2 gt 2"),
            (Self.filter { $0.id - ($0.id - 1) >= 2 }, "ID sub (ID sub 1) ge 2"),
            (Self.filter { -($0.id + 1) <= 2 }, "-(ID add 1) le 2"),
            (Self.filter { $0.name.hasPrefix("Ch") }, "startswith(Name,'Ch')"),
            (Self.filter { $0.name.lowercased().contains("ai") }, "contains(tolower(Name),'ai')"),
            (
                Self.filter { ($0.name + ", " + $0.category.name).count > 3 },
                "length(concat(concat(Name,', '),Category/Name)) gt 3"
            ),
            (Self.filter { $0.id.isIn([1, 2]) }, "ID in (1,2)"),
            (Self.filter { $0.id.isIn([]) }, "false"),
            (Self.filter { $0.id.isWithin(1...3) }, "ID ge 1 and ID le 3"),
            (Self.filter { $0.color == .red }, "Color eq Shop.Color'Red'"),
            (Self.filter { $0.size.width > 2 }, "Size/Width gt 2.0"),
            (Self.filter { $0.category.isNull }, "Category eq null"),
            (Self.filter { $0.category.name == "Food" }, "Category/Name eq 'Food'"),
            (Self.filter { $0.tags.contains("new") }, "Tags/any(a:a eq 'new')"),
            (Self.filter { $0.tags.count == 0 }, "Tags/$count eq 0"),
            (Self.filter { product in product.items.contains { $0.quantity > 5 } }, "Items/any(a:a/Quantity gt 5)"),
            (
                Self.filter { product in product.items.allSatisfy { $0.quantity > product.id } },
                "Items/all(a:a/Quantity gt ID)"
            ),
            (
                Self.filter { product in product.items.contains { $0.product.items.contains { $0.line == 2 } } },
                "Items/any(a:a/Product/Items/any(b:b/Line eq 2))"
            ),
            (
                Self.filter { product in
                    product.items.contains { item in product.items.contains { $0.line > item.line } }
                },
                "Items/any(a:Items/any(b:b/Line gt a/Line))"
            ),
            (
                Self.filter { product in product.tags.contains { tag in product.tags.allSatisfy { $0 >= tag } } },
                "Tags/any(a:Tags/all(b:b ge a))"
            ),
            (Self.filter { $0.items.count(where: { $0.line == 1 }) == 1 }, "Items/$count($filter=Line eq 1) eq 1"),
            (
                Self.filter { product in
                    product.items.count(where: { $0.quantity > product.id && product.category.name != "x" }) == 1
                },
                "Items/$count($filter=Quantity gt $it/ID and $it/Category/Name ne 'x') eq 1"
            ),
            (Self.filter { $0.items.isEmpty }, "not Items/any()"),
        ] { #expect(found == expected) }
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
            (Self.url { $0.search("chair").search("NOT blue") }, "$search=(chair) AND (NOT blue)"),
            (
                try Self.url(options: "$filter=Price gt 20 or ID eq 1&$orderby=Name&$custom=a%26b"),
                "$filter=ID lt 9 and (Price gt 20 or ID eq 1)&$orderby=Name&$custom=a%26b"
            ),
        ] { #expect(found == expected) }
    }

    @Test("dynamic names")
    func dynamic() {
        let products = Collections(NoStore())["Products"]
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
        let places = Collections(NoStore()).of(Place.self, in: "Places")
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
    static let typeName = QualifiedName("Map.Place")
    static let propertyNames = ["ID"]
    static let keyNames = ["ID"]
    static let relationNames: [String] = []

    var id: Int32
    var origin: EntityOrigin<Place>?

    init(_ row: TypedRow) throws(ODataError) { id = try row.value(0) }
    func value(at index: Int) -> Value? { id.edm }
    func related(at index: Int) -> RelatedEntities? { nil }
    static func entityKey(_ key: Int32) -> EntityKey { EntityKey("ID", key.edm) }

    struct Fields: QueryFields {
        let path: FieldPath
        var name: Operand<String> { path.property("Name") }
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
private struct NoStore: ODataStore {
    private let failure = ODataError(.internalError, "Nothing is asked.")

    func model() async throws -> Model { throw failure }
    func read(_ request: ReadRequest) async throws -> ReadResult { throw failure }
    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw failure }
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { throw failure }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { throw failure }
}
