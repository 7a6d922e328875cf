import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import Testing

@testable import ODataSQLite

/// What paths lead to. [OData-URL, section 4]
@Suite struct ReadTests {
    static let paths: [(String, [String])] = [
        ("Customers", ["Customers('ALFKI')", "Customers('BON%27%27A')", "Customers('CHOPS')"]),
        ("Customers('BON''A')", ["Customers('BON%27%27A')"]),
        ("Items(OrderID=1,ProductID=2)", ["Items(OrderID=1,ProductID=2)"]),
        ("Customers('ALFKI')/Orders", ["Orders(1)", "Orders(2)"]),
        ("Customers('ALFKI')/Orders(2)", ["Orders(2)"]),
        ("Orders(1)/Customer", ["Customers('ALFKI')"]),
        ("Orders(1)/Customer/Orders(2)/Items", ["Items(OrderID=2,ProductID=1)"]),
        ("Orders(1)/Gift", ["Products(2)"]),
        ("Products(1)/Tags", ["Tags('hot')", "Tags('new')"]),
        ("Tags('hot')/Products", ["Products(1)", "Products(3)"]),
        ("Products(1)/Tags/$ref", ["Tags('hot')", "Tags('new')"]),
        ("Orders(1)/Customer/$ref", ["Customers('ALFKI')"]),
        ("Employees(4)/Manager/Manager", ["Employees(1)"]),
        ("Orders?$top=2&$skip=1", ["Orders(2)", "Orders(3)"]),
        ("Orders?$top=0", []),
        ("Customers('BON''A')/Orders", []),
        ("Products?$orderby=Price desc", ["Products(3)", "Products(1)", "Products(2)", "Products(4)"]),
        ("Products?$orderby=Price", ["Products(4)", "Products(2)", "Products(1)", "Products(3)"]),
        ("Products?$orderby=Name", ["Products(1)", "Products(2)", "Products(4)", "Products(3)"]),
        ("Orders?$orderby=Customer/City desc,OrderID desc", ["Orders(3)", "Orders(2)", "Orders(1)", "Orders(5)"]),
        ("Products?$orderby=tolower(Name),ProductID desc&$top=2", ["Products(4)", "Products(1)"]),
        ("Customers?$orderby=Orders/$count desc&$top=1", ["Customers('ALFKI')"]),
    ]

    @Test("Entities by path", arguments: paths)
    func path(_ url: String, _ ids: [String]) async throws {
        #expect(try await ShopDatabase().ids(url) == ids)
    }

    static let missing = [
        "Orders(4)", "Orders(99)", "Orders(4)/Customer", "Customers('alfki')", "Customers('X')/Orders",
        "Customers('X')/Orders/$count", "Orders(99)/Freight", "Customers('ALFKI')/Orders(3)", "Orders(99)/Gift",
    ]

    @Test("A path that leads nowhere is not found", arguments: missing)
    func notFound(_ url: String) async throws {
        let shop = try ShopDatabase()
        let error = await #expect(throws: ODataError.self) { _ = try await shop.result(url) }
        #expect(error?.code == .notFound)
    }

    @Test("A relation or property without a value is nothing", arguments: ["Orders(5)/Customer", "Orders(3)/Freight"])
    func nothing(_ url: String) async throws {
        guard case .nothing = try await ShopDatabase().result(url).body else {
            Issue.record("\(url) is something")
            return
        }
    }

    static let values: [(String, EdmValue)] = [
        ("Orders(2)/Freight", .decimal(EdmDecimal(3))), ("Orders(1)/Customer/Name", .string("Alfreds")),
        ("Things(1)/Words", .collection([.string("a"), .string("b")])),
    ]

    @Test("Properties", arguments: values)
    func value(_ url: String, _ expected: EdmValue) async throws {
        guard case .value(let value, _) = try await ShopDatabase().result(url).body else {
            Issue.record("\(url) has no value")
            return
        }
        #expect(value == expected)
    }

    static let counts: [(String, Int64)] = [
        ("Orders/$count", 4), ("Customers('ALFKI')/Orders/$count", 2), ("Customers('BON''A')/Orders/$count", 0),
        ("Products/$count?$filter=Price gt 10", 2),
    ]

    @Test("Counts", arguments: counts)
    func count(_ url: String, _ expected: Int64) async throws {
        guard case .count(let count) = try await ShopDatabase().result(url).body else {
            Issue.record("\(url) has no count")
            return
        }
        #expect(count == expected)
    }

    @Test("Selected properties and control information")
    func shape() async throws {
        let shop = try ShopDatabase()
        let customer = try #require(try await shop.entities("Customers('ALFKI')?$select=Name").first)
        #expect(customer.properties == ["Name": .string("Alfreds")])
        #expect(customer.etag == "W/\"3\"")
        let products = try await shop.entities("Products?$select=Name&$top=2")
        #expect(products.map { $0.media?.contentType } == ["image/png", nil])
    }

    @Test("ETag conditions on one entity")
    func conditions() async throws {
        let shop = try ShopDatabase()
        var request = ReadRequest(try shop.parser.query("Customers('ALFKI')"))
        request.ifNoneMatch = "\"x\", \"3\""
        guard case .notModified = try await shop.executor.read(request, in: shop.pool, pageSize: nil).body else {
            Issue.record("the entity came")
            return
        }
        request.ifNoneMatch = nil
        request.ifMatch = "\"4\""
        let error = await #expect(throws: ODataError.self) {
            _ = try await shop.executor.read(request, in: shop.pool, pageSize: nil)
        }
        #expect(error?.code == .preconditionFailed)
    }

    @Test("An entity is located, and read where it is")
    func located() throws {
        let shop = try ShopDatabase()
        try shop.pool.read { db in
            let path = try shop.parser.path("Orders(1)/Customer/Orders(2)/Items(OrderID=2,ProductID=1)/Product")
            let row = try #require(try shop.executor.locate(path, in: db))
            #expect(row.set.name == "Products" && row.rowID == 1 && row.key == EntityKey("ProductID", .integer(1)))
            let options = try shop.parser.query("Products?$expand=Tags").options
            let entity = try #require(try shop.executor.entity(of: row.set, row: 1, options: options, in: db))
            #expect(entity["Name"] == .string("Chai"))
            guard case .many(let tags, _) = entity.expanded["Tags"] else {
                Issue.record("nothing is expanded")
                return
            }
            #expect(tags.map(\.id) == ["Tags('hot')", "Tags('new')"])
            #expect(try shop.executor.locate(shop.parser.path("Orders(4)"), in: db) == nil)
        }
    }
}
