import Testing

/// The URLs that the minimal level of OData 4.01 asks for.
///
/// [OData-Protocol, section 13.2.1]
@Suite("Conformance, minimal, URLs")
struct ConformanceSyntaxTests {
    private static let laptop = "Products(a0000001-0000-4000-8000-000000000001)"

    /// [OData-Protocol, section 13.2.1, items 2 and 8]
    @Test("JSON of 4.01, with names as the metadata has them")
    func json() async throws {
        try await SampleClient.check(
            Exchange(
                "GET \(Self.laptop)?select=Name\nOData-MaxVersion: 4.01\nAccept: application/json;metadata=minimal",
                200,
                #""@context":"http://service.test/$metadata#Products(Name)/$entity""#, absent: ["@odata."]),
            Exchange(
                "GET Products?$count=true&$top=1\nOData-MaxVersion: 4.01\nAccept: application/json;metadata=full", 200,
                #""@count":7"#, #""@editLink""#),
            Exchange("GET Products?$expand=Category&$top=1", 200, #""Category":{"#, #""ProductType":""#))
    }

    /// [OData-Protocol, section 13.2.1, items 5 and 12]
    @Test("Schema versions, and what the metadata says of the service")
    func metadata() async throws {
        try await SampleClient.check(
            Exchange("GET Products?$schemaversion=1.0", 200), Exchange("GET Products?$schemaversion=*", 200),
            Exchange("GET Products?$schemaversion=2.0", 404), Exchange("GET $metadata?$schemaversion=2.0", 404),
            Exchange(
                "GET $metadata", 200, #"Term="Org.OData.Core.V1.ODataVersions" String="4.0 4.01""#,
                #"Term="Org.OData.Capabilities.V1.ConformanceLevel""#, "ConformanceLevelType/Advanced"),
            Exchange("GET $metadata?$format=json", 200, #""@Org.OData.Core.V1.ODataVersions": "4.0 4.01""#))
    }

    /// [OData-Protocol, section 13.1.1, item 15; section 13.2.1, items 6, 7, 9 and 15]
    @Test(
        "Both ways of writing, in 4.0 and in 4.01",
        arguments: [
            ("Products?filter=Price gt 500&select=Name&top=2&orderby=Name", "Premium Laptop Pro", "Smartphone"),
            (
                "Products?$FILTER=Price GT 500 AND NOT CONTAINS(Name,'Smart')&$OrderBy=Name DESC&$TOP=1",
                "Premium Laptop", #""Laptop""#
            ),
            ("Products?$filter=Price gt cast('500',Edm.Double)", "Smartphone", "Coffee Mug"),
            ("Products?$filter=ReleaseDate lt cast('2024-01-16',Edm.Date)", "Laptop", "Wireless Mouse"),
            ("Products?$filter=Status has ComplianceService.ProductStatus'Featured'", "Smartphone", "Coffee Mug"),
            ("Products?$filter=Status has 'Featured'", "Smartphone", "Coffee Mug"),
            ("Products?$filter=ShippingTime eq duration'P1D'", "Laptop", "Coffee Mug"),
            ("Products?$filter=ShippingTime eq 'P1D'", "Laptop", "Coffee Mug"),
            ("GetProductStats()", "7 products", "8 products"), ("GetProductStats", "7 products", "8 products"),
            ("Products/ComplianceService.GetAveragePrice()", "606.4", "606.41"),
            ("Products/GetAveragePrice()", "606.4", "606.41"),
            ("Products(@p)?@p=a0000001-0000-4000-8000-000000000001", "Laptop", "Coffee Mug"),
            ("Products(ID=@p)?@p=a0000001-0000-4000-8000-000000000001", "Laptop", "Coffee Mug"),
            ("FindProducts(name=@n,maxPrice=@m)?@n='lap'&@m=1500", "Laptop", "Premium Laptop Pro"),
            ("FindProducts(name=@n,maxPrice=@m)?@n='a/b%5Cc%00'&@m=1500", #""value":[]"#, "Laptop"),
            ("FindProducts?@name='lap'&@maxPrice=1500", "Laptop", "Premium Laptop Pro"),
            ("FindProducts?name='lap'&maxPrice=1500", "Laptop", "Premium Laptop Pro"),
            ("Products?$filter=Category eq null", #""value":[]"#, "Laptop"),
            ("Products?$filter=Category ne null", "Laptop", #""value":[]"#),
            ("Products?$filter=Name in ('Laptop','Smartphone')", "Smartphone", "Coffee Mug"),
            ("Products?$filter=Quantity divby 2 eq 0.5 or Price divby 2 gt 900", "Premium Laptop Pro", #""Laptop""#),
            ("Products?$filter=substring(Name,-3) eq 'top'", "Laptop", "Coffee Mug"),
            ("Products/a0000001-0000-4000-8000-000000000001/Category/Name", "Electronics", "Kitchen"),
            ("Products?$filter=Descriptions/$count($filter=LanguageKey eq 'DE') eq 1", "Laptop", "Coffee Mug"),
            (
                "Products?$compute=Price mul 2 as Double&$select=Name,Double&$top=1&$orderby=Name", #""Double":"#,
                "Weight"
            ),
        ])
    func syntax(url: String, part: String, absent: String) async throws {
        let client = try await SampleClient()
        try await client.check(Exchange("GET \(url)", 200, part, absent: [absent]))
        try await client.check(
            Exchange("GET \(url)\nOData-MaxVersion: 4.0", 200, part, "OData-Version: 4.0\n", absent: [absent]))
    }

    /// [OData-Protocol, section 13.2.1, items 9d and 9e]
    @Test("Actions without parameters, and without their namespace")
    func actions() async throws {
        try await SampleClient.check(
            Exchange("POST Reseed", 200), Exchange("POST Reseed\nContent-Type: application/json\n\n{}", 200),
            Exchange("POST \(Self.laptop)/ComplianceService.Activate", 204),
            Exchange("POST \(Self.laptop)/Activate\nContent-Type: application/json\n\n{}", 204),
            Exchange("POST \(Self.laptop)/Activate\nContent-Type: application/json\n\n7", 400))
    }
}
