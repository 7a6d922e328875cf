import ODataModel
import ODataQuery
import ODataStores
import Testing

@testable import ODataSQLite

/// `$these`, the function `aggregate`, and `isdefined`. [OData-Aggregation, section 3.6]
@Suite struct CurrentCollectionTests {
    /// `$these` is what the option or transformation is applied to.
    static let current: [(String, String)] = [
        (
            "Items?$filter=Quantity gt $these/aggregate(Quantity with average)&$select=Quantity",
            "Quantity=10; Quantity=7"
        ),
        (
            "Items?$filter=Quantity mul 2 ge $these/aggregate(Quantity with sum)&$select=Quantity",
            "Quantity=10; Quantity=7"
        ),
        ("Items?$filter=$these/$count eq 4 and Quantity lt 4&$select=Quantity", "Quantity=3; Quantity=-7"),
        ("Items?$filter=$these/any(i:i/Quantity lt 0) and Quantity gt 5&$select=Quantity", "Quantity=10; Quantity=7"),
        ("Items?$filter=$these/all(i:i/Quantity gt 0)", ""),
        ("Items?$filter=$these/$filter(OrderID eq 1)/$count eq 2&$top=1&$select=Quantity", "Quantity=10"),
        (
            "Items?$filter=Quantity gt $these/aggregate(Quantity with sum from OrderID with average)&$select=Quantity",
            "Quantity=10; Quantity=7"
        ),
        (
            "Items?$filter=Quantity gt $these/aggregate(Quantity sub $it/Quantity with max)&$select=Quantity",
            "Quantity=10; Quantity=7"
        ),
        (
            "Items?$orderby=$these/$count mul Quantity desc&$select=Quantity",
            "Quantity=10; Quantity=7; Quantity=3; Quantity=-7"
        ),
        ("Items?$compute=Quantity mul 2 as D&$filter=D gt $these/aggregate(D with average)&$select=D", "D=20; D=14"),
        (
            "Items/$filter(Quantity gt $these/aggregate(Quantity with average))?$select=Quantity",
            "Quantity=10; Quantity=7"
        ),
        (
            "Items?$apply=compute(Quantity sub $these/aggregate(Quantity with max) as Gap)&$select=Gap",
            "Gap=0; Gap=-7; Gap=-3; Gap=-17"
        ),
        (
            "Items?$apply=filter(Quantity gt 0)/filter(Quantity lt $these/aggregate(Quantity with average))&$select=Quantity",
            "Quantity=3"
        ),
        ("Items?$apply=topcount($these/$count div 2,Quantity)&$select=Quantity", "Quantity=10; Quantity=7"),
        ("Items?$apply=aggregate(Quantity div $these/$count with sum as S)", "S=2"),
    ]

    /// Inside groups, `$these` is the group.
    static let groups: [(String, String)] = [
        (
            "Items?$apply=groupby((OrderID),compute($these/aggregate($count) as N))/filter(N ge 2)/aggregate(Quantity with sum as S)",
            "S=13"
        ),
        (
            "Items?$apply=groupby((OrderID),filter(Quantity eq $these/aggregate(Quantity with max)))&$select=OrderID,Quantity",
            "OrderID=1 Quantity=10; OrderID=2 Quantity=7; OrderID=3 Quantity=-7"
        ),
        (
            "Orders?$apply=groupby((CustomerID),aggregate(Freight with sum as F))/filter(F gt $these/aggregate(F with average))",
            "CustomerID=ALFKI F=15.5"
        ),
        (
            "Orders?$apply=addnested(Items,filter($these/$count gt 1) as Many)/filter(Many/$count gt 0)&$select=OrderID",
            "OrderID=1"
        ),
    ]

    @Test("Inside $expand it is what is expanded of one entity")
    func expanded() async throws {
        let url = "Orders?$expand=Items($filter=Quantity eq $these/aggregate(Quantity with max);$select=Quantity)"
        let found = try await ShopDatabase().entities(url).map { order in
            guard case .many(let items, _)? = order.expanded["Items"] else { return "-" }
            return items.map { ShopDatabase.text($0.properties) }.joined(separator: ",")
        }
        #expect(found == ["Quantity=10", "Quantity=7", "Quantity=-7", ""])
    }

    /// What a collection is aggregated to.
    static let functions: [(String, String)] = [
        ("Orders?$filter=Items/aggregate(Quantity with sum) gt 5&$select=OrderID", "OrderID=1; OrderID=2"),
        ("Orders?$filter=Items/aggregate($count) eq 0&$select=OrderID", "OrderID=5"),
        ("Orders?$filter=Items/aggregate(Quantity mul $it/Freight with sum) gt 100&$select=OrderID", "OrderID=1"),
        (
            "Orders?$filter=Items/any(i:i/Quantity gt Items/aggregate(Quantity with average))&$select=OrderID",
            "OrderID=1"
        ),
        ("Orders?$compute=Items/aggregate(Quantity with max) as Top&$select=Top", "Top=10; Top=7; Top=-7; Top=null"),
        ("Customers?$filter=Orders/aggregate(Items/Quantity with sum) eq 20&$select=ID", "ID=ALFKI"),
        ("Customers?$filter=Orders/aggregate(Items with countdistinct) eq 3&$select=ID", "ID=ALFKI"),
        ("Customers?$filter=Orders/aggregate(Items/$count) eq 3&$select=ID", "ID=ALFKI"),
        ("Customers?$filter=Orders/aggregate(Freight with sum from Placed with max) eq 12.5&$select=ID", "ID=ALFKI"),
        (
            "Customers?$filter=Orders/aggregate(Items/Quantity with sum from OrderID with max) eq 13&$select=ID",
            "ID=ALFKI"
        ),
        (
            "Customers?$filter=Orders/aggregate(Items/$count from OrderID with min) eq 1&$select=ID",
            "ID=ALFKI; ID=CHOPS"
        ),
        ("Customers?$filter=Orders/any(o:o/Items/aggregate(Quantity with sum) eq 7)&$select=ID", "ID=ALFKI"),
        (
            "Customers?$filter=Orders/$filter(Freight ge $these/aggregate(Freight with max))/any(o:o/OrderID eq 1)&$select=ID",
            "ID=ALFKI"
        ),
        ("Items?$apply=aggregate($count from OrderID with max as N)", "N=2"),
        ("Orders?$apply=aggregate(Items/Quantity with sum from Items/ProductID with max as M)", "M=17"),
    ]

    private static let rolled =
        "Items?$apply=groupby((rollup($all,OrderID,ProductID)),aggregate(Quantity with sum as Q))"

    /// A property may be there and null, or not be there.
    static let presence: [(String, String)] = [
        (rolled + "&$filter=not isdefined(ProductID)&$select=Q", "Q=13; Q=7; Q=-7; Q=13"),
        (rolled + "&$filter=not isdefined(OrderID)&$select=Q", "Q=13"),
        (
            rolled
                + "&$filter=OrderID eq 2 or not isdefined(OrderID)&$orderby=isdefined(ProductID),isdefined(OrderID)&$select=Q",
            "Q=13; Q=7; Q=7"
        ),
        ("Items?$apply=aggregate(Quantity with sum as S)&$filter=isdefined(ProductID)", ""),
        ("Items?$apply=aggregate(Quantity with sum as S)&$filter=isdefined(Product/Name)", ""),
        ("Items?$apply=aggregate(Quantity with sum as S)&$filter=isdefined(S)", "S=13"),
        (
            "Orders?$apply=groupby((Customer/City))&$filter=isdefined(Customer) and isdefined(Customer/City) and not isdefined(Customer/Name)",
            "Customer={City=null}; Customer={City=Berlin}; Customer={City=Bern}"
        ),
        (
            "Orders?$apply=groupby((rollup($all,Customer/City)),aggregate($count as N))&$filter=not isdefined(Customer)&$select=N",
            "N=4"
        ),
        ("Orders?$apply=outerjoin(Items as Item)/filter(not isdefined(Item))&$select=OrderID", "OrderID=5"),
        ("Orders?$filter=isdefined(Customer/Name)&$select=OrderID", "OrderID=1; OrderID=2; OrderID=3"),
        ("Orders?$filter=isdefined(Customer) and isdefined(Freight)&$count=true&$top=1&$select=OrderID", "OrderID=1"),
        ("Customers?$filter=Orders/any(o:not isdefined(o/Customer/Name))", ""),
    ]

    @Test(
        "$these, aggregate and isdefined in options and transformations",
        arguments: current + groups + functions + presence)
    func rows(_ url: String, _ expected: String) async throws {
        #expect(try await ShopDatabase().rows(url) == expected)
    }

    @Test(
        "Members of complex values and dynamic properties are there or not",
        arguments: [
            ("isdefined(Home/City)", "1 2 4"), ("isdefined(Note)", "1 2"), ("isdefined(Zoo.Dog/Trick)", "1 2"),
            ("isdefined(Friend/Name)", "1 2 4"), ("isdefined(Nothing)", ""), ("isdefined(Friends(4)/Name)", "1 4"),
            ("Scores/aggregate($this with sum) gt 5", "1"),
            ("Scores/$filter($this gt $these/aggregate($this with average))/$count eq 2", "1"),
        ])
    func members(_ filter: String, _ keys: String) async throws {
        #expect(try await MenagerieDatabase().animals(filter) == keys)
    }

    @Test("What has no meaning is refused")
    func refusals() async throws {
        let shop = try ShopDatabase()
        for url in ["Items(OrderID=1,ProductID=1)?$compute=$these/$count as N", "Orders?$filter=isdefined(Items)"] {
            let error = #expect(throws: QueryError.self) { _ = try shop.parser.query(url) }
            #expect(error?.code == .typeMismatch)
        }
    }
}
