import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// `$expand` with `$levels`, `/$ref`, `/$count` and the options of collections. [OData-URL, section 5.1.3]
@Suite struct ExpandFormTests {
    private static func text(_ entity: EdmEntity) -> String {
        let parts = entity.expanded.sorted { $0.key < $1.key }.map { name, expanded in
            switch expanded {
            case .one(let other): "\(name):" + (other.map(text) ?? "null")
            case .many(let others, let count):
                "\(name)" + (count.map { "#\($0)" } ?? "") + ":" + others.map(text).joined(separator: " ")
            }
        }
        return (entity.key?.values.map(\.lexical).joined(separator: "/") ?? "-")
            + (parts.isEmpty ? "" : "[" + parts.joined(separator: ";") + "]")
    }

    static let cases: [(String, String)] = [
        ("Employees?$expand=Reports($levels=2)&$filter=EmployeeID eq 1", "1[Reports:2[Reports:4] 3[Reports:]]"),
        (
            "Employees?$expand=Reports($levels=max)&$filter=EmployeeID eq 1",
            "1[Reports:2[Reports:4[Reports:]] 3[Reports:]]"
        ),
        ("Employees(4)?$expand=Manager($levels=max)", "4[Manager:2[Manager:1[Manager:null]]]"),
        ("Employees(4)?$expand=Manager($levels=1)", "4[Manager:2]"),
        (
            "Employees?$expand=Manager($levels=max)&$filter=EmployeeID le 2",
            "1[Manager:null] 2[Manager:1[Manager:null]]"
        ),
        ("Products?$expand=Tags($search=hot)&$filter=ProductID le 2", "1[Tags:hot] 2[Tags:]"),
        ("Orders(1)?$expand=Items/$count", "1[Items#2:]"),
        ("Orders?$expand=Items/$count($filter=Quantity gt 5)", "1[Items#1:] 2[Items#1:] 3[Items#0:] 5[Items#0:]"),
        ("Orders(1)?$expand=Items/$ref", "1[Items:1/1 1/2]"),
        (
            "Orders?$expand=Items($top=1;$orderby=Quantity;$count=true)",
            "1[Items#2:1/2] 2[Items#1:2/1] 3[Items#1:3/3] 5[Items#0:]"
        ),
        ("Orders?$expand=Items($skip=1)&$top=1", "1[Items:1/2]"),
        (
            "Orders?$expand=Items($compute=Quantity mul 2 as T;$filter=T gt 10;$orderby=T desc)&$top=2",
            "1[Items:1/1] 2[Items:2/1]"
        ),
    ]

    @Test("Expanded relations", arguments: cases)
    func expand(_ url: String, _ expected: String) async throws {
        let entities = try await ShopDatabase().entities(url)
        #expect(entities.map(Self.text).joined(separator: " ") == expected)
    }

    @Test("Nested $apply works for each parent")
    func nestedApply() async throws {
        let shop = try ShopDatabase()
        let entities = try await shop.entities(
            "Orders?$expand=Items($apply=aggregate(Quantity with sum as S,$count as N))")
        let sums = entities.map { entity in
            guard case .many(let items, _)? = entity.expanded["Items"] else { return "?" }
            return items.map { ShopDatabase.text($0.properties) }.joined(separator: ",")
        }
        #expect(sums == ["S=13 N=2", "S=7 N=1", "S=-7 N=1", "S=null N=0"])
    }

    @Test("Groups, computed values and a search for each parent")
    func nestedGroups() async throws {
        let shop = try ShopDatabase()
        let cases = [
            (
                "Products?$expand=Items($apply=groupby((Order/CustomerID),aggregate(Quantity with sum as Q)))",
                "Q=17 Order={CustomerID=ALFKI}|Q=3 Order={CustomerID=ALFKI}|Q=-7 Order={CustomerID=CHOPS}|"
            ),
            (
                "Products?$expand=Items($apply=topcount(1,Quantity);$select=Quantity)",
                "Quantity=10|Quantity=3|Quantity=-7|"
            ),
            ("Customers?$expand=Orders($apply=orderby(Freight desc)/top(1);$select=OrderID)", "OrderID=1||OrderID=3"),
            (
                "Orders?$expand=Items($apply=concat(aggregate($count as N),groupby((Quantity))))",
                "N=2,Quantity=3,Quantity=10|N=1,Quantity=7|N=1,Quantity=-7|N=0"
            ),
        ]
        for (url, expected) in cases {
            let found = try await shop.entities(url).map { entity in
                entity.expanded.values.map { expanded in
                    guard case .many(let items, _) = expanded else { return "?" }
                    return items.map { ShopDatabase.text($0.properties) }.joined(separator: ",")
                }.joined()
            }
            #expect(found.joined(separator: "|") == expected, "\(url)")
        }
    }

    @Test("A circle is told from a deep result")
    func circle() async throws {
        let shop = try ShopDatabase()
        try await shop.pool.write {
            try $0.execute(sql: #"UPDATE "Employees" SET "ReportsTo" = 4 WHERE "EmployeeID" = 1"#)
        }
        for url in ["Employees(4)?$expand=Manager($levels=max)", "Employees?$expand=Manager($levels=50)"] {
            let error = await #expect(throws: ODataError.self) { _ = try await shop.entities(url) }
            #expect(error?.code == .badRequest)
        }
        #expect(
            try await shop.entities("Employees(4)?$expand=Manager($levels=5)").map(Self.text).first?.count ?? 0 > 20)
    }

    @Test("One statement for each relation, however many parents")
    func statements() async throws {
        let shop = try ShopDatabase()
        let query = try shop.parser.query("Orders?$expand=Items($top=1),Customer")
        let plan = try QueryPlan(
            query, shape: try shop.executor.shape(of: query), extent: ReadExtent(), limit: nil,
            translator: shop.executor.translator)
        #expect(plan.expands.count == 2)
        #expect(plan.expands.allSatisfy { $0.rows?.statement.sql.text.contains(":parents") == true })
    }
}
