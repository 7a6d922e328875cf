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
struct NoStore: ODataStore {
    private let failure = ODataError(.internalError, "Nothing is asked.")

    func model() async throws -> Model { throw failure }
    func read(_ request: ReadRequest) async throws -> ReadResult { throw failure }
    func change(_ request: ChangeRequest) async throws -> ChangeResult { throw failure }
    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] { throw failure }
    func readStream(_ request: StreamRequest) async throws -> StreamResult { throw failure }
}
