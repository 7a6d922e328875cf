import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStores
import Testing

@testable import ODataSQLite

/// `$expand`. [OData-URL, section 5.1.3]
@Suite struct ExpandTests {
    /// `Orders(1)[Customer:Customers('ALFKI')]`
    private static func text(_ entity: EdmEntity) -> String {
        let parts = entity.expanded.sorted { $0.key < $1.key }.map { name, expanded in
            switch expanded {
            case .one(let other): "\(name):" + (other.map(text) ?? "null")
            case .many(let others, let count):
                "\(name)" + (count.map { "#\($0)" } ?? "") + ":" + others.map(text).joined(separator: " ")
            }
        }
        return (entity.id ?? "-") + (parts.isEmpty ? "" : "[" + parts.joined(separator: "; ") + "]")
    }

    static let expansions: [(String, [String])] = [
        (
            "Orders?$expand=Customer",
            [
                "Orders(1)[Customer:Customers('ALFKI')]", "Orders(2)[Customer:Customers('ALFKI')]",
                "Orders(3)[Customer:Customers('CHOPS')]", "Orders(5)[Customer:null]",
            ]
        ),
        ("Customers?$expand=Orders&$top=1", ["Customers('ALFKI')[Orders:Orders(1) Orders(2)]"]),
        (
            "Customers?$expand=Orders($orderby=OrderID desc;$top=1;$count=true)",
            [
                "Customers('ALFKI')[Orders#2:Orders(2)]", "Customers('BON%27%27A')[Orders#0:]",
                "Customers('CHOPS')[Orders#1:Orders(3)]",
            ]
        ),
        (
            "Customers?$expand=Orders($skip=1;$filter=Freight gt 1)&$filter=ID eq 'ALFKI'",
            ["Customers('ALFKI')[Orders:Orders(2)]"]
        ),
        (
            "Customers?$expand=Orders($count=true;$top=0)&$filter=ID eq 'ALFKI'",
            ["Customers('ALFKI')[Orders#2:]"]
        ),
        (
            "Customers('ALFKI')?$expand=Orders($expand=Items($expand=Product($expand=Tags)),Gift)",
            [
                "Customers('ALFKI')[Orders:Orders(1)[Gift:Products(2); Items:"
                    + "Items(OrderID=1,ProductID=1)[Product:Products(1)[Tags:Tags('hot') Tags('new')]] "
                    + "Items(OrderID=1,ProductID=2)[Product:Products(2)[Tags:]]] "
                    + "Orders(2)[Gift:null; Items:"
                    + "Items(OrderID=2,ProductID=1)[Product:Products(1)[Tags:Tags('hot') Tags('new')]]]]"
            ]
        ),
        (
            "Employees?$expand=Reports,Manager&$filter=EmployeeID le 2",
            [
                "Employees(1)[Manager:null; Reports:Employees(2) Employees(3)]",
                "Employees(2)[Manager:Employees(1); Reports:Employees(4)]",
            ]
        ),
        ("Tags('hot')?$expand=Products($orderby=Name desc)", ["Tags('hot')[Products:Products(3) Products(1)]"]),
        (
            "Orders?$expand=Items($filter=Product/Price gt 10)&$filter=OrderID eq 1",
            ["Orders(1)[Items:Items(OrderID=1,ProductID=1)]"]
        ),
        (
            "Orders?$expand=Items($filter=Product/Price gt @p;@p=10)&$filter=OrderID eq @p&@p=1",
            ["Orders(1)[Items:Items(OrderID=1,ProductID=1)]"]
        ),
        (
            "Orders(1)?$expand=Items/$ref",
            ["Orders(1)[Items:Items(OrderID=1,ProductID=1) Items(OrderID=1,ProductID=2)]"]
        ),
        (
            "Orders(1)/Items?$expand=Order",
            [
                "Items(OrderID=1,ProductID=1)[Order:Orders(1)]", "Items(OrderID=1,ProductID=2)[Order:Orders(1)]",
            ]
        ),
    ]

    @Test("Related entities", arguments: expansions)
    func expand(_ url: String, _ expected: [String]) async throws {
        #expect(try await ShopDatabase().entities(url).map(Self.text) == expected)
    }

    @Test("One statement for each navigation property and block, not for each row")
    func statements() async throws {
        #expect(try await ShopDatabase().statements("Orders?$expand=Items($expand=Product),Customer,Gift") == 5)
    }

    @Test("Entities that many rows lead to are read once")
    func shared() async throws {
        let shop = try ShopDatabase()
        let query = try shop.parser.query("Orders?$expand=Customer&$filter=CustomerID eq 'ALFKI'")
        let (_, block) = try await shop.pool.read { try shop.executor.block(for: query, in: $0) }
        #expect(block.rows.map(\.depth) == [0, 1, 0, 1])
        #expect(block.rows[1].firstSlot == block.rows[3].firstSlot)
    }

    @Test("Related rows are found through an index")
    func indexed() throws {
        let shop = try ShopDatabase()
        let query = try shop.parser.query("Orders?$expand=Items")
        let shape = try shop.executor.shape(of: query)
        let item = try #require(query.options.expand.first)
        let translator = shop.executor.translator
        let parent = try translator.rows(of: query, shape: shape)
        let statement = try translator.rows(of: item, from: parent, shape: shape.children[0].shape)
        #expect(
            statement.sql.text.contains(
                "FROM json_each(:parents) AS \"p\" CROSS JOIN \"Order Items\" AS \"t0\" WHERE \"t0\".\"OrderID\" = \"p\".\"value\""
            ))
        let plan = try shop.pool.read { try SQLFragmentPlan.plan(statement.sql, in: $0) }
        #expect(plan.contains("SEARCH t0 USING INDEX"), "\(plan)")
    }
}
