import Testing

/// What the intermediate levels of OData 4.0 and 4.01 ask of a service.
///
/// [OData-Protocol, sections 13.1.2 and 13.2.2]
@Suite("Conformance, intermediate")
struct ConformanceIntermediateTests {
    private static let laptop = "Products(a0000001-0000-4000-8000-000000000001)"
    private static let text = "MediaItems(a0000004-0000-4000-8000-000000000002)"

    /// [OData-Protocol, section 13.1.2, items 2 and 7.3 and 7.4; section 9.3.1]
    @Test(
        "What is not supported fails the request",
        arguments: [
            ("Products?$filter=Price pow 2 gt 1", 400),
            ("Products?$filter=soundex(Name) eq 'x'", 400), ("Products?$apply=ancestors(Name)", 400),
            ("Products?$filter=Name has 'x'", 400),
        ])
    func unsupported(url: String, status: Int) async throws {
        try await SampleClient.check(Exchange("GET \(url)", status, #"{"error":{"code":""#))
    }

    /// [OData-Protocol, section 13.1.2, items 3, 4, 5, 7 and 11 to 17; section 13.2.2, items 3 to 9 and 11]
    @Test(
        "Query options and paths",
        arguments: [
            ("Products?$select=Name,Price&$top=1", #""value":[{"#, #""Weight":"#),
            ("Products?$select=*&$top=1", #""Weight":"#, #""Category":"#),
            ("Products?$select=ShippingAddress/City&$top=1", #""ShippingAddress":{"City":"Seattle"}"#, "Street"),
            (
                "Products?$select=ShippingAddress($select=City,State)&$top=1", #"{"City":"Seattle","State":"WA"}"#,
                "Street"
            ),
            ("Products?$select=ComplianceService.SpecialProduct/SpecialFeature&$top=1", "SpecialFeature", #""Name":"#),
            ("Products/ComplianceService.SpecialProduct/$count", "\n\n3", "{"),
            ("\(laptop)/ComplianceService.SpecialProduct/SpecialFeature", "Premium support", "Extended"),
            ("Products?$filter=ComplianceService.SpecialProduct/SpecialFeature ne null&$select=Name", "Gaming", "Mug"),
            ("Products?$top=0", #""value":[]"#, "Laptop"),
            ("Products?$top=2&$skip=1&$orderby=Price desc", "Laptop", "Mug"),
            ("\(text)/$value", "A note", "{"), ("\(laptop)/Name/$value", "\nLaptop", "{"),
            ("\(laptop)/Status/$value", "\nInStock,Featured", "{"),
            ("Products?$filter=Name eq 'Laptop'", "999.99", "Mug"),
            ("Products?$filter=Name ne 'Laptop'", "Mug", #""Name":"Laptop""#),
            ("Products?$filter=Price gt @p and contains(Name,@n)&@p=500&@n='Lap'", "Laptop", "Mug"),
            ("Categories?$expand=Products($filter=Price gt 500;$select=Name)", "Laptop", "Coffee Mug"),
            ("Products?$search=laptop", "Laptop", "Mug"), ("Products?$search=NOT laptop AND mug", "Mug", "Laptop"),
            ("Products?$count=true&$top=1&$filter=Price lt 100", #""@odata.count":2"#, "Laptop"),
            ("Products?$filter=RelatedProducts/any()&$select=Name", "Mouse", "Chair"),
            ("Products?$filter=Descriptions/all(d:d/LanguageKey eq 'EN')&$select=Name", "Mug", #""Laptop""#),
            ("\(laptop)/Descriptions/$count", "\n\n2", "{"),
            ("\(laptop)/Descriptions/$count?$filter=LanguageKey eq 'DE'", "\n1", "{"),
            ("Products?$orderby=Category/Name desc,Price asc&$top=1", "Coffee Mug", "Laptop"),
            ("Products?$orderby=RelatedProducts/$count desc,Name&$top=1", "Gaming Mouse Ultra", "Smartphone"),
            ("Products?$filter=Category ne null and Category/Name eq 'Kitchen'", "Mug", "Laptop"),
            ("Products?$filter=Name in ('Laptop','Coffee Mug')&$select=Name", "Mug", "Chair"),
            ("Products?$filter=Descriptions/$count($filter=LanguageKey eq 'DE') gt 0&$select=Name", "Laptop", "Chair"),
            (
                #"Products?$filter=ShippingAddress eq @a&@a={"Street":"123 Tech Way","City":"Seattle","State":"WA","PostalCode":"98101","Country":"USA"}"#,
                "Laptop", "Mug"
            ), ("Products?$filter=ShippingAddress ne null&$select=Name", "Laptop", "Chair"),
            ("Products?$compute=Price mul 2 as Twice&$filter=Twice gt 2000&$select=Name,Twice", #""Twice":"#, "Mug"),
            ("Products/$filter(Price gt 500)/$count", "\n\n3", "{"),
            ("Products/$filter(@f)?@f=Price gt 500&$select=Name", "Laptop", "Mug"),
        ])
    func options(url: String, part: String, absent: String) async throws {
        try await SampleClient.check(Exchange("GET \(url.encodedBraces)", 200, part, absent: [absent]))
    }

    /// [OData-Protocol, section 13.1.2, item 7.4; OData-URL, section 5.1.1.4]
    @Test(
        "Operators and canonical functions",
        arguments: [
            "Price ge 999.99", "Price gt 999 and Price lt 1000", "not (Price lt 999)", "Price sub 999.99 eq 0",
            "Price add 0.01 eq 1000", "-Price lt -999", "Price mul 2 gt 1999", "Quantity div 1000 eq 1",
            "Quantity mod 7 eq 3", "Quantity divby 1000 eq 1.2", "concat(Name,'!') eq 'Laptop!'",
            "contains(Name,'apt')", "endswith(Name,'top')", "startswith(Name,'Lap')", "indexof(Name,'top') eq 3",
            "length(Name) eq 6", "substring(Name,3) eq 'top'", "substring(Name,0,3) eq 'Lap'",
            "matchesPattern(Name,'%5ELap')", "tolower(Name) eq 'laptop'", "toupper(Name) eq 'LAPTOP'",
            "trim(concat(' ',Name)) eq 'Laptop'", "year(ReleaseDate) eq 2024", "month(ReleaseDate) eq 1",
            "day(ReleaseDate) eq 15", "hour(CreatedAt) eq 10", "minute(CreatedAt) eq 30", "second(CreatedAt) eq 0",
            "fractionalseconds(CreatedAt) eq 0", "date(CreatedAt) eq 2024-01-15", "time(CreatedAt) eq 10:30:00",
            "totaloffsetminutes(CreatedAt) eq 0", "totalseconds(ShippingTime) eq 86400", "CreatedAt lt now()",
            "CreatedAt gt mindatetime()", "CreatedAt lt maxdatetime()", "round(Price) eq 1000", "floor(Price) eq 999",
            "ceiling(Price) eq 1000", "cast(Price,Edm.String) eq '999.99'", "isof(Price,Edm.Double)",
            "isof(ComplianceService.SpecialProduct)", "geo.distance(Location,geography'Point(-122.3321 47.6062)') lt 1",
            "geo.length(Route) gt 1", "geo.intersects(Location,Area)", "Status has 'Featured'",
            "case(Price gt 500:true,true:false)", "Rating eq 200 or Temperature eq -10", "Name in ('Laptop')",
        ])
    func expressions(filter: String) async throws {
        try await SampleClient.check(
            Exchange("GET Products?$select=Name&$filter=Name eq 'Laptop' and (\(filter))", 200, "Laptop"))
    }
}

extension String {
    /// Braces are for what the client fills in.
    fileprivate var encodedBraces: String { replacing("{", with: "%7B").replacing("}", with: "%7D") }
}
