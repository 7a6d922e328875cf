import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// The SQL of filters, and the rows it finds. [OData-URL, section 5.1.1]
@Suite struct FilterTests {
    static let comparisons: [(String, String, String)] = [
        ("Products?$filter=ProductID eq 2", "(\"t0\".\"ProductID\" = ?)", "2"),
        ("Products?$filter=Name eq 'Chai'", "(\"t0\".\"Name\" COLLATE BINARY = ?)", "1"),
        ("Products?$filter=not (Name eq 'Chai')", "NOT ((\"t0\".\"Name\" COLLATE BINARY IS ?))", "2 3 4"),
        ("Products?$filter=Price eq null", "(\"t0\".\"Price\" IS NULL)", "4"),
        ("Products?$filter=Price ne null", "(\"t0\".\"Price\" IS NOT NULL)", "1 2 3"),
        ("Products?$filter=Price ne 18", "(\"t0\".\"Price\" COLLATE ODATA_DECIMAL IS NOT ?)", "2 3 4"),
        ("Products?$filter=Price gt null", "0", ""),
        ("Products?$filter=null eq null", "", "1 2 3 4"),
        ("Products?$filter=Price gt 9.50", "(\"t0\".\"Price\" COLLATE ODATA_DECIMAL > ?)", "1 3"),
        (
            "Products?$filter=not (Price gt 10)",
            "NOT (coalesce((\"t0\".\"Price\" COLLATE ODATA_DECIMAL > ?), 0))", "2 4"
        ),
        ("Products?$filter=18 le Price", "(? <= \"t0\".\"Price\" COLLATE ODATA_DECIMAL)", "1 3"),
        ("Products?$filter=Discontinued", "\"t0\".\"Discontinued\"", "3"),
        ("Products?$filter=not Discontinued", "NOT (\"t0\".\"Discontinued\")", "1 2"),
        ("Products?$filter=Discontinued eq false", "(\"t0\".\"Discontinued\" = ?)", "1 2"),
        (
            "Products?$filter=Name in ('Chai','Çay')", "(\"t0\".\"Name\" COLLATE BINARY IN (?, ?))", "1 3"
        ),
        (
            "Products?$filter=Price in (18,null)",
            "(\"t0\".\"Price\" COLLATE ODATA_DECIMAL IN (?) OR \"t0\".\"Price\" IS NULL)", "1 4"
        ),
        (
            "Products?$filter=ProductID eq 1 or ProductID gt 2 and Discontinued",
            "((\"t0\".\"ProductID\" = ?) OR ((\"t0\".\"ProductID\" > ?) AND \"t0\".\"Discontinued\"))", "1 3"
        ),
        ("Orders?$filter=Freight lt 12.5", "(\"t0\".\"deleted\" = 0) AND (\"t0\".\"Freight\" < ?)", "2 5"),
        ("Orders?$filter=Freight eq 0.1", "(\"t0\".\"deleted\" = 0) AND (\"t0\".\"Freight\" = ?)", "5"),
        (
            "Orders?$filter=Placed lt 2024-01-02T05:04:06%2B02:00",
            "(\"t0\".\"deleted\" = 0) AND (\"t0\".\"Placed\" < ?)", "1"
        ),
    ]

    @Test("Comparisons", arguments: comparisons)
    func comparison(_ url: String, _ sql: String, _ keys: String) async throws {
        let shop = try ShopDatabase()
        if !sql.isEmpty { #expect(try shop.condition(url) == sql) }
        #expect(try await shop.keys(url) == keys)
    }

    static let navigationFilters: [(String, String)] = [
        ("Items?$filter=Product/Name eq 'Chai'", "1/1 2/1"),
        ("Items?$filter=Order/Customer/City eq 'Berlin' and Order/Customer/Name ne 'x'", "1/1 1/2 2/1"),
        ("Orders?$filter=Customer eq null", "5"),
        ("Orders?$filter=Customer/City eq null", "5"),
        ("Orders?$filter=Gift/Name eq 'Chang'", "1"),
        ("Orders?$filter=Gift eq null", "2 5"),
        ("Orders?$filter=Items/any()", "1 2 3"),
        ("Orders?$filter=not Items/any()", "5"),
        ("Orders?$filter=Items/any(i:i/Quantity gt 5)", "1 2"),
        ("Orders?$filter=Items/all(i:i/Quantity gt 5)", "2 5"),
        ("Orders?$filter=Items/all(i:i/Product/Price gt 10)", "2 3 5"),
        ("Orders?$filter=Items/any(i:i/Product/Tags/any(t:t/Code eq 'new'))", "1 2"),
        ("Orders?$filter=Items/any(i:i/Quantity gt OrderID add 6)", "1"),
        ("Orders?$filter=Items/$count eq 2", "1"),
        ("Products?$filter=Tags/any(t:t/Code eq 'hot')", "1 3"),
        ("Products?$filter=Tags/$count gt 1", "1"),
        ("Customers?$filter=Orders/$count eq 1", "CHOPS"),
        ("Customers?$filter=Orders/any(o:o/Items/all(i:i/Quantity lt 0))", "CHOPS"),
        ("Employees?$filter=Manager/Manager/Name eq 'Ann'", "4"),
        ("Employees?$filter=Reports/any(r:r/Reports/any())", "1"),
        ("Things?$filter=Words/any(w:w eq 'a')", "1"),
        ("Things?$filter=Words/$count eq 2", "1"),
    ]

    @Test("Relations, lambdas and counts", arguments: navigationFilters)
    func navigation(_ url: String, _ keys: String) async throws {
        #expect(try await ShopDatabase().keys(url) == keys)
    }

    @Test("A long chain of conditions stays within SQLite's limits", arguments: [" or ", " and "])
    func chain(_ separator: String) async throws {
        let shop = try ShopDatabase()
        let terms = (0..<3000).map { "ProductID \(separator == " or " ? "eq" : "ne") \($0 + 2)" }
        let keys = try await shop.keys("Products?$filter=\(terms.joined(separator: separator))")
        #expect(keys == (separator == " or " ? "2 3 4" : "1"))
    }

    static let refused = [("Things?$orderby=Words", 16), ("Things?$filter=Words gt Words", 21)]

    @Test("Collections are neither ordered nor compared by size", arguments: refused)
    func refusal(_ url: String, _ position: Int) async throws {
        let shop = try ShopDatabase()
        let error = await #expect(throws: QueryError.self) { _ = try await shop.keys(url) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.position == position)
    }

    @Test("A relation used twice is joined once")
    func sharedJoin() throws {
        let text = try ShopDatabase().sql(
            "Items?$filter=Order/Customer/City eq 'Berlin' and Order/Freight gt 1&$orderby=Order/Customer/Name"
        ).text
        #expect(text.components(separatedBy: "LEFT JOIN").count == 3)
    }

    @Test("Only live rows are joined and counted")
    func liveRows() async throws {
        let shop = try ShopDatabase()
        #expect(
            try shop.condition("Customers?$filter=Orders/$count gt 1")
                == "((SELECT count(*) FROM \"Orders\" AS \"t1\" WHERE \"t1\".\"CustomerID\" = \"t0\".\"ID\" AND (\"t1\".\"deleted\" = 0)) > ?)"
        )
        #expect(try await shop.keys("Customers?$filter=Orders/$count gt 1") == "ALFKI")
    }

    @Test("Text is compared by index ranges")
    func indexed() throws {
        let shop = try ShopDatabase()
        try shop.pool.write { try $0.execute(sql: "CREATE INDEX byName ON Products (Name)") }
        for filter in ["Name eq 'Chai'", "startswith(Name,'Cha')", "Name gt 'D'", "Name in ('a','b')"] {
            let sql = try shop.sql("Products?$filter=\(filter)&$orderby=Name")
            let plan = try shop.pool.read { db in
                try StatementPlan.plan(sql, in: db)
            }
            #expect(plan.contains("USING INDEX byName"), "\(filter): \(plan)")
        }
    }
}
