import ODataModel
import ODataStores
import Testing

@testable import ODataSQLite

/// `$compute`, path segments that choose, and values with options.
@Suite struct ComputeTests {
    static let cases: [(String, String)] = [
        ("Items?$compute=Quantity mul 2 as T&$select=T&$filter=T gt 10", "T=20; T=14"),
        ("Items?$compute=Quantity add 1 as A,A mul 2 as B&$select=A,B&$orderby=B&$top=1", "A=-6 B=-12"),
        ("Items?$compute=Order/Customer/City as City&$select=City", "City=Berlin; City=Berlin; City=Berlin; City=Bern"),
        ("Items(OrderID=1,ProductID=1)?$compute=Quantity mul 2 as T&$select=T", "T=20"),
        ("Customers?$compute=toupper(Name) as U,City eq null as H&$select=U,H&$filter=H", "U=BON À PARTE H=true"),
        ("Orders?$compute=year(Placed) as Y&$select=Y&$filter=Y ne null", "Y=2024; Y=2024; Y=2024"),
        ("Products?$compute=Price mul 2 as P&$select=P&$orderby=P desc&$top=1", "P=200.1"),
        (
            "Orders?$compute={\"F\":Freight,\"C\":{\"N\":Customer/Name}} as O&$select=O&$filter=OrderID eq 1",
            "O={F=12.5 C={N=Alfreds}}"
        ),
        ("Orders/$filter(Freight gt 1)?$select=OrderID", "OrderID=1; OrderID=2"),
        (
            "Customers('ALFKI')/Orders/$filter(Customer/City eq 'Berlin')/$filter(Freight lt 5)?$select=OrderID",
            "OrderID=2"
        ),
        ("Orders?$search=alfki&$select=OrderID", "OrderID=1; OrderID=2"),
        ("Products?$search=chai OR çay&$select=ProductID&$filter=ProductID gt 1", "ProductID=3; ProductID=4"),
    ]

    @Test("Computed properties and chosen members", arguments: cases)
    func computed(_ url: String, _ expected: String) async throws {
        #expect(try await ShopDatabase().rows(url) == expected)
    }

    static let collections: [(String, String)] = [
        ("Things(1)/Words?$filter=$this ne 'a'", "b"),
        ("Things(1)/Words?$orderby=$it desc", "b a"),
        ("Things(1)/Words?$top=1&$skip=1&$count=true", "b #2"),
        ("Things(1)/Words?$count=true&$filter=startswith($it,'a')", "a #1"),
        ("Things(1)/Words/0", "a"),
        ("Things(1)/Words/-1", "b"),
        ("Things(1)/Words/$count", "#2"),
        ("Things(1)/Words/$count?$filter=$it eq 'b'", "#1"),
    ]

    @Test("Collections of values", arguments: collections)
    func values(_ url: String, _ expected: String) async throws {
        let result = try await ShopDatabase().result(url)
        let text: String
        switch result.body {
        case .count(let count): text = "#\(count)"
        case .value(.collection(let items), _):
            text = (items.map(\.lexical) + (result.count.map { ["#\($0)"] } ?? [])).joined(separator: " ")
        case .value(let value, _): text = value.lexical
        default: text = "?"
        }
        #expect(text == expected)
    }
}
