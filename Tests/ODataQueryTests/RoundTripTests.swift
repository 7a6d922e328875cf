import ODataModel
import ODataQuery
import Testing

/// `parse(print(q)) == q`, and what is printed.
@Suite struct RoundTripTests {
    private let parser = SampleModel.parser

    @Test(arguments: [
        "Products", "Products(1)", "Products(-1)", "Products(1)/Category", "Products(1)/Category/Products(2)/Items",
        "Products(1)/Name", "Products(1)/Name/$value", "Products(1)/Picture", "Products(1)/$value",
        "Products/$count", "Products(1)/Items/$count", "Products(1)/Category/$ref", "Products(1)/Items/$ref",
        "Products(1)/Items(OrderID=1,ProductID=2)/$ref", "Products/$ref", "Products(1)/Tags", "Products(1)/Tags/$count",
        "Items(OrderID=1,ProductID=2)", "Categories('O%27%27Neil')", "Categories('Smartphone%2FTablet')",
        "Categories('a%20%28b%29%3F')", "Categories('')", "Categories('%C3%84pfel')",
        "Customers(01234567-89ab-cdef-0123-456789abcdef)/Address/City", "Me", "Me/Orders(1)", "Me/Address",
        "Events(At=2024-01-02T03%3A04%3A05%2B02%3A00,Day=2024-01-02,Length=duration'PT1H',Color=Model.Color'Red',"
            + "Ratio=-INF)",
        "Products(1)/Gr%C3%B6%C3%9Fe",
    ])
    func pathsAreWrittenAsTheyWereRead(url: String) throws {
        let path = try parser.path(url)
        #expect(path.url == url)
        #expect(try parser.path(path.url) == path)
    }

    @Test(arguments: [
        "Price gt 20", "Price gt 20 and Name ne null", "not Discontinued", "not (Price gt 5)", "not endswith(Name,'x')",
        "Price add 5 mul 2 gt 10", "(Price add 5) mul 2 gt 10", "Price sub (Price sub 1) eq 1",
        "Stock div 2 eq 3", "Stock div 2.0 eq 3", "Stock divby 2 gt 1.5", "Stock mod 2 eq 0", "-Price lt 0",
        "-(5) lt Stock", "-(Price add 1) lt 0", "--Price eq 1",
        "Discontinued or Stock gt 1 and Price lt 2", "(Discontinued or Stock gt 1) and Price lt 2",
        "Discontinued or Stock gt 1 or Price lt 2 or Sold eq 3",
        "Name in ('a','b''c')", "not (Name in ('a'))", "Stock in (1,2,-3)", "(Stock add 1) in (2)",
        "contains(Name,'a') eq true", "concat(concat(Name,', '),Category/Name) eq 'x'", "length(Name) gt 5",
        "substring(Name,1) eq 'x'", "substring(Name,1,2) eq 'x'", "indexof(Name,'a') eq -1", "tolower(Name) eq 'x'",
        "matchesPattern(Name,'^A.*\\+')", "year(Released) eq 2024", "date(Changed) eq 2024-01-02",
        "time(Changed) lt 07:59:59.5", "fractionalseconds(Changed) lt 0.5", "totaloffsetminutes(Changed) eq 60",
        "totalseconds(Age) gt 60", "Changed lt now()", "Changed ge mindatetime() and Changed le maxdatetime()",
        "round(Price) eq 5", "round(5) eq 5", "ceiling(Weight) eq 5.0", "floor(Stock) eq 1",
        "Changed gt 2024-01-02T03:04:05.678+02:00", "Changed gt 2024-01-02T00:00:00Z",
        "Changed add duration'PT1H' gt now()", "Changed sub Changed gt duration'-P1DT0.5S'",
        "Released sub 2024-01-01 gt duration'P1D'", "Age mul 2 gt duration'PT1H'", "Released lt 0001-01-01",
        "Code eq 01234567-89ab-cdef-0123-456789abcdef", "Hash eq binary'AAEC_w'", "Color eq Model.Color'Red'",
        "Rights has Model.Rights'Read'", "Rights eq Model.Rights'Read,Write'", "Color in (Model.Color'Red',null)",
        "Weight gt 1e+25", "Weight gt 0.1", "Weight eq INF", "Weight eq -INF", "Small eq 0.10000000149011612",
        "Price gt 12345678901234567890.123456789", "Level lt 300", "Sold gt 9223372036854775807",
        "Category/Name eq 'x'", "Category eq null", "Category/Products/$count gt 3", "Items/any()",
        "Items/any(i:i/Quantity gt 5)", "Items/all(i:i/Product/Price gt Price)",
        "Category/Products/any(p:p/Items/any(i:i/Quantity gt p/Stock and i/Order/Customer/Name eq $it/Name))".replacing(
            "$it/Name", with: "Name"),
        "Tags/any(t:t eq 'a')", "Tags/any(t:contains(t,'a') and t ne Name)", "Tags/$count eq 0",
        "Items/any(Name:Name/Quantity gt 1 and $it/Name eq 'x')", "true", "Discontinued eq false",
        "Größe gt 1", "Name eq 'Ü''ber & + % ? / # \"'", "startswith(Name,'日本')",
        "isdefined(Category)", "not isdefined(Category/Name)", "Items/aggregate(Quantity with sum) gt 5",
        "Items/aggregate(Quantity mul $it/Stock with sum) gt 1", "Items/aggregate($count) gt 1",
        "$these/$count gt 1", "$these/aggregate(Price with average) lt Price", "$these/any(p:p/Price gt Price)",
        "$these/aggregate($count from Category/Name,Stock with max) gt 1", "$these/$filter(Price gt 1)/$count eq 2",
        "$these/aggregate(Price with sum from Category/Name with max from Stock with min) gt 1",
        "Category/Products/$count($filter=Price gt $these/aggregate(Price with min)) eq 1",
        "Tags/aggregate($this with countdistinct) gt 1", "@Model.Draft eq true", "Price/@Model.Unit eq 'EUR'",
        "{\"a\":Name,\"b\":[Stock,1]} eq {\"a\":\"x\"}",
        "Price gt 1 eq true", "Price gt 1 eq Stock lt 2", "Rights has Model.Rights'Read' eq true",
    ])
    func filtersAreWrittenAsTheyWereRead(text: String) throws {
        let set = try SampleModel.set("Products")
        let expression = try parser.expression(text, type: set.type, set: set)
        #expect(expression.text == text)
        var query = BoundQuery(path: ResourcePath(set))
        query.options.filter = expression
        #expect(try parser.query(query.url) == query, "\(query.url)")
    }

    @Test(arguments: [
        "$filter=Price gt 1&$select=ID,Name&$expand=Category&$orderby=Name desc,ID&$top=5&$skip=10&$count=true",
        "$select=*,Category", "$expand=Category($select=Name),Items/$ref",
        "$expand=Items/$count($filter=Quantity gt 1)", "$expand=Category,$value,Picture",
        "$expand=Category($expand=Products($expand=$value))",
        "$expand=Items($filter=Quantity gt 1;$select=Quantity;$expand=Order($expand=Customer($select=Name,Address/City))"
            + ";$orderby=Order/Placed desc;$top=1;$skip=2;$count=true)",
        "$orderby=Category/Rank desc,Price mul Stock,length(Name)", "$skiptoken=a%b+c&$format=json",
        "$deltatoken=x=y/z", "$orderby=Items/$count desc",
        "$expand=Items($filter=Product/Name eq 'a;b),c&d')",
    ])
    func optionsAreWrittenAsTheyWereRead(text: String) throws {
        let encoded = text.replacing("%", with: "%25").replacing("c&d", with: "c%26d")
        let query = try parser.query("Products?" + encoded)
        #expect(query.options.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&") == text)
        #expect(try parser.query(query.url) == query)
    }

    @Test(arguments: [
        ("Products?$filter=Price gt 20", "Products?$filter=Price%20gt%2020"),
        (
            "Products?$filter=Name eq 'a+b & c'".replacing(" & ", with: " %26 "),
            "Products?$filter=Name%20eq%20'a%2Bb%20%26%20c'"
        ),
        ("Products?$filter=Name eq '#?\u{e4}'", "Products?$filter=Name%20eq%20'%23%3F%C3%A4'"),
        ("Items(ProductID=2, OrderID=1)", "Items(OrderID=1,ProductID=2)"),
    ])
    func urlsArePercentEncoded(url: String, expected: String) throws {
        #expect(try parser.query(url).url == expected)
    }

    @Test func longChainsStayShallow() throws {
        let set = try SampleModel.set("Products")
        let text = (1...5000).map { "ID eq \($0)" }.joined(separator: " or ")
        let expression = try parser.expression(text, type: set.type, set: set)
        #expect(expression.text == text)
        #expect(try parser.expression(expression.text, type: set.type, set: set) == expression)
    }

    @Test func literalsAreWritten() {
        #expect(EdmValue.string("O'Neil").urlLiteral == "'O''Neil'")
        #expect(EdmDuration("PT1H").map { EdmValue.duration($0).urlLiteral } == "duration'PT1H'")
        #expect(EdmDate("2024-01-02").map { EdmValue.date($0).urlLiteral } == "2024-01-02")
        #expect(EdmValue.double(-.infinity).urlLiteral == "-INF")
        #expect(EntityKey("Name", .string("a'b")).urlText == "('a%27%27b')")
        #expect(EntityKey("ID", .integer(-1)).urlText == "(-1)")
    }
}
