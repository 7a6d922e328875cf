import ODataModel
import ODataQuery
import Testing

/// Requests as V2 services understand them.
struct LegacyWritingTests {
    private static let reader = QueryParser(model: SampleModel.model, conventions: .legacy)

    static let requests = [
        ("Products(1)", "Products(1)"), ("Orders(7)/Items", "Orders(7L)/Items"),
        ("Categories('a b')", "Categories('a%20b')"), ("Items(OrderID=1,ProductID=2)", "Items(OrderID=1L,ProductID=2)"),
        (
            "Customers(01234567-89ab-cdef-0123-456789abcdef)/Orders",
            "Customers(guid'01234567-89ab-cdef-0123-456789abcdef')/Orders"
        ),
        ("Products(1)/Category/$ref", "Products(1)/$links/Category"), ("Products(1)/$value", "Products(1)/$value"),
        ("Products/$count", "Products/$count"),
        (
            "Products?$filter=contains(Name,'a') and Price gt 12.5",
            "Products?$filter=substringof('a',Name)%20and%20Price%20gt%2012.5M"
        ),
        ("Products?$filter=Sold eq 7 or Weight lt 2.5", "Products?$filter=Sold%20eq%207L%20or%20Weight%20lt%202.5d"),
        (
            "Products?$filter=Name in ('a','b') and Stock eq 1",
            "Products?$filter=(Name%20eq%20'a'%20or%20Name%20eq%20'b')%20and%20Stock%20eq%201"
        ),
        (
            "Products?$filter=Changed gt 2024-01-02T03:04:05Z",
            "Products?$filter=Changed%20gt%20datetimeoffset'2024-01-02T03:04:05Z'"
        ),
        ("Products?$filter=Age eq duration'PT1H'", "Products?$filter=Age%20eq%20'PT1H'"),
        ("Products?$filter=Opens lt 07:59:59.5", "Products?$filter=Opens%20lt%20time'PT7H59M59.5S'"),
        ("Products?$filter=Hash eq binary'AQI='", "Products?$filter=Hash%20eq%20X'0102'"),
        (
            "Products?$filter=not (Stock gt 1 or Stock lt 0)",
            "Products?$filter=not%20(Stock%20gt%201%20or%20Stock%20lt%200)"
        ),
        ("Products?$filter=(Stock add 1) mul 2 gt 4", "Products?$filter=(Stock%20add%201)%20mul%202%20gt%204"),
        ("Products?$count=true&$top=5", "Products?$top=5&$inlinecount=allpages"),
        ("Products?$expand=Items($expand=Order),Category", "Products?$expand=Items/Order,Category"),
        (
            "Products?$select=Name&$expand=Items($select=Quantity),Category",
            "Products?$select=Name,Items/Quantity,Category&$expand=Items,Category"
        ),
        ("Products?$expand=Items($select=Quantity)", "Products?$select=*,Items/Quantity&$expand=Items"),
        ("Products?$orderby=Price desc,Name", "Products?$orderby=Price%20desc,Name"),
        ("Products?$deltatoken=x", "Products?!deltatoken=x"),
        ("Products?$format=json&sap-client=1", "Products?$format=json&sap-client=1"),
    ]

    @Test(arguments: requests)
    func requestsAreWritten(url: String, expected: String) throws {
        #expect(try SampleModel.parser.query(url).legacyURL() == expected)
    }

    @Test(arguments: requests + [("", "Products?$filter=replace(Name,'a','b')%20eq%20'x'")])
    func whatIsWrittenIsReadAsTheSame(url: String, written: String) throws {
        let query = try Self.reader.query(written)
        #expect(try query.legacyURL() == written)
        #expect(try Self.reader.query(query.legacyURL()) == query)
    }

    @Test(arguments: [
        "$filter=not (replace(Name,'a','b') eq 'x')", "$orderby=replace(Name,'a','b') desc",
        "$apply=filter(replace(Name,'a','b') eq 'x')",
    ])
    func replaceIsInLinksAndNotInRequestsToVersion4(options: String) throws {
        let query = try Self.reader.query("Products?\(options)")
        #expect(try SampleModel.parser.link(query.url) == query)
        #expect(throws: QueryError.self) { try SampleModel.parser.query(query.url) }
        let error = #expect(throws: QueryError.self) { try query.version4URL() }
        #expect(error?.code == .notImplemented)
        #expect(error?.message.contains("replace") == true, "\(error as Any)")
    }

    @Test func parametersOfFunctionImportsGoIntoTheQuery() throws {
        let query = try LanguageModel.parser.query("TopPeople(count=3)?$top=1")
        #expect(try query.legacyURL() == "TopPeople?$top=1&count=3")
    }

    @Test(arguments: [
        ("People?$filter=Tags/any(t:t eq 'a')", "any"), ("People?$search=x", "$search"),
        ("People?$compute=Age add 1 as B", "$compute"), ("People?$expand=Reports($top=1)", "Reports"),
        ("People/Self.Manager", "Manager"), ("People?$apply=identity", "$apply"), ("$all", "$all"),
        ("People?$filter=Reports/$count gt 1", "$count"), ("People?$expand=Reports/$count", "$count"),
        ("People?$filter=date(2024-01-01T00:00:00Z) eq 2024-01-01", "date"),
        ("People?$filter=Boss/Age eq case(true:1)", "case"),
    ])
    func whatLegacyURLsCannotSayIsNamed(url: String, name: String) throws {
        let query = try LanguageModel.parser.query(url)
        let error = #expect(throws: QueryError.self) { try query.legacyURL() }
        #expect(error?.code == .notImplemented)
        #expect(error?.message.contains(name) == true, "\(error as Any)")
    }
}
