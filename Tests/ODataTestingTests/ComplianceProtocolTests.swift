import ByteStreams
import HTTPTypes
import ODataModel
import ODataQuery
import ODataService
import ODataStores
import ODataTesting
import ODataTransport
import Testing

/// The sample as clients see it.
@Suite("The compliance sample over HTTP")
struct ComplianceProtocolTests {
    /// Method, path, body, expected status, and what the response contains.
    typealias Exchange = (String, String, String?, Int, String)

    private static let laptop = "Products(a0000001-0000-4000-8000-000000000001)"
    private static let mouse = "Products(a0000001-0000-4000-8000-000000000002)"
    private static let chair = "Products(a0000001-0000-4000-8000-000000000004)"
    private static let kitchen = "Categories(a0000002-0000-4000-8000-000000000002)"

    private func response(_ exchange: Exchange, _ client: InProcessTransport, fields: HTTPFields = [:]) async throws
        -> (Int, String)
    {
        let method = try #require(HTTPRequest.Method(exchange.0))
        var request = HTTPRequest(
            method: method, scheme: "http", authority: "service.test", path: "/" + exchange.1.encodedForURL,
            headerFields: fields)
        if exchange.2 != nil, request.headerFields[.contentType] == nil {
            request.headerFields[.contentType] = "application/json"
        }
        let received = try await client.send(request, body: exchange.2.map { ByteContent(Array($0.utf8)) })
        let bytes = try await received.body.collect(upTo: 10_000_000)
        return (received.head.status.code, String(decoding: bytes, as: UTF8.self))
    }

    private func check(_ exchanges: [Exchange]) async throws {
        let sample = try await ComplianceSample.make()
        let client = InProcessTransport(service: ODataService(store: sample.store))
        for exchange in exchanges {
            let (status, body) = try await response(exchange, client)
            #expect(status == exchange.3, "\(exchange.0) \(exchange.1): \(body.prefix(500))")
            #expect(exchange.4.isEmpty || body.contains(exchange.4), "\(exchange.0) \(exchange.1): \(body.prefix(500))")
        }
        try sample.tables.close()
    }

    @Test("Reads")
    func reads() async throws {
        try await check([
            ("GET", "\(Self.laptop)/Photo/$value", nil, 200, "PNG"),
            ("GET", "Products?$schemaversion=1.0", nil, 200, ""),
            ("GET", "Products/ComplianceService.Nothing", nil, 404, "ComplianceService.Nothing"),
            ("GET", "Products?$levels=1", nil, 400, "$levels"), ("GET", "Products?$foo=1", nil, 400, "$foo"),
            (
                "GET", "$crossjoin(Products,Categories)?$top=1&$expand=Products($select=Name)", nil, 200,
                #""Name":"Laptop"},"Categories@odata.navigationLink":"Categories(a0000002"#
            ),
            (
                "GET", "Products?$select=Name&$filter=geo.distance(Location,geography'Point(-122.33 47.6)') lt 10000",
                nil,
                200, "Laptop"
            ),
            ("GET", "", nil, 200, "Company"), ("GET", "$metadata", nil, 200, "SpecialProduct"),
            ("GET", "Products/$count", nil, 200, "7"),
            ("GET", "\(Self.laptop)/Status", nil, 200, "InStock,Featured"),
            ("GET", "\(Self.laptop)/ShippingAddress/City/$value", nil, 200, "Seattle"),
            ("GET", "\(Self.laptop)/Weight/$value", nil, 200, "3.14"),
            ("GET", "\(Self.laptop)?$select=Location", nil, 200, #""coordinates":[-122.3321,47.6062]"#),
            ("GET", "\(Self.laptop)/Photo", nil, 200, "PNG"),
            ("GET", "\(Self.laptop)?$expand=Descriptions($orderby=LanguageKey)", nil, 200, "Arbeit"),
            ("GET", "\(Self.laptop)/RelatedProducts", nil, 200, "Wireless Mouse"),
            ("GET", "Company", nil, 200, "Sarah Johnson"), ("GET", "Company/Name", nil, 200, "TechStore"),
            ("GET", "Company/Logo/$value", nil, 200, "<svg"),
            (
                "GET", "ProductDescriptions(ProductID=a0000001-0000-4000-8000-000000000001,LanguageKey='DE')", nil, 200,
                "schnell"
            ),
            ("GET", "DecimalSamples?$filter=Amount eq 123.45", nil, 200, "123.45"),
            ("GET", "MediaItems(a0000004-0000-4000-8000-000000000002)/$value", nil, 200, "A note"),
            ("GET", "Products/ComplianceService.SpecialProduct", nil, 200, "Customizable DPI"),
            ("GET", "Products?$filter=isof(ComplianceService.SpecialProduct)&$select=Name", nil, 200, "Gaming"),
            ("GET", "Products?$search=laptop", nil, 200, "Premium"),
            ("GET", "Products?$orderby=ShippingAddress/City&$top=1", nil, 200, "Office Chair"),
        ])
    }

    @Test("Operations")
    func operations() async throws {
        try await check([
            ("GET", "Products/ComplianceService.GetTopProducts()", nil, 200, "1999.99"),
            ("GET", "Products/ComplianceService.GetTopProducts(count=1)", nil, 200, "Premium Laptop Pro"),
            ("GET", "GetTopProducts(count=1,category='Kitchen')", nil, 200, "Coffee Mug"),
            ("GET", "GetTopProducts(count=0)", nil, 400, "count"),
            ("GET", "\(Self.laptop)/ComplianceService.GetTotalPrice(taxRate=0.1)", nil, 200, "1099.98"),
            ("GET", "\(Self.laptop)/ComplianceService.CalculatePrice(discount=10,tax=20)", nil, 200, "1079.98"),
            ("GET", "\(Self.laptop)/ComplianceService.GetRelatedProducts()", nil, 200, "Wireless Mouse"),
            ("GET", "Products/ComplianceService.GetAveragePrice()", nil, 200, "606.4"),
            ("GET", "GetProductStats()", nil, 200, "7 products"),
            ("GET", "FindProducts(name='lap',maxPrice=1500)", nil, 200, "Laptop"),
            ("GET", "Calculate(value=5)", nil, 200, "10"), ("GET", "Calculate(a=5,b=6)", nil, 200, "11"),
            ("GET", "Calculate(c=5)", nil, 404, ""), ("GET", "Convert(input='a')", nil, 200, "A"),
            ("POST", "\(Self.laptop)/ComplianceService.ApplyDiscount", #"{"percentage":10}"#, 200, "899.99"),
            ("POST", "\(Self.laptop)/ComplianceService.ApplyDiscount", #"{"percentage":101}"#, 400, "percentage"),
            ("POST", "\(Self.laptop)/ComplianceService.IncreasePrice", #"{"amount":1}"#, 204, ""),
            ("GET", "\(Self.laptop)/Price", nil, 200, "900.99"),
            ("POST", "\(Self.laptop)/ComplianceService.CalculateDiscount", #"{"percentage":50}"#, 200, "450.49"),
            ("POST", "\(Self.chair)/ComplianceService.Activate", "{}", 204, ""),
            ("GET", "\(Self.chair)/Status", nil, 200, "InStock,Discontinued"),
            ("POST", "Products/ComplianceService.MarkAllAsReviewed", "{}", 204, ""),
            ("POST", "Process", #"{"percentage":10,"minPrice":500}"#, 204, ""),
            ("POST", "Process", #"{"percentage":5}"#, 204, ""), ("POST", "Process", "{}", 400, "percentage"),
            ("POST", "ResetAllPrices", "{}", 200, "7 prices"), ("GET", "\(Self.laptop)/Price", nil, 200, "999.99"),
            ("DELETE", Self.laptop, nil, 204, ""), ("GET", "Products/$count", nil, 200, "6"),
            ("POST", "Reseed", "{}", 200, ""), ("GET", "Products/$count", nil, 200, "7"),
            ("GET", "\(Self.laptop)/Version", nil, 200, "1"),
        ])
    }

    @Test("A price that is increased twice with one id is increased once")
    func repeatedAction() async throws {
        let sample = try await ComplianceSample.make()
        let client = InProcessTransport(service: ODataService(store: sample.store))
        let fields: HTTPFields = [
            .repeatabilityRequestID: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            .repeatabilityFirstSent: "Thu, 01 Jan 2099 01:20:25 GMT",
        ]
        let increase: Exchange = ("POST", "\(Self.laptop)/ComplianceService.IncreasePrice", #"{"amount":1}"#, 204, "")
        for _ in 0..<2 { #expect(try await response(increase, client, fields: fields).0 == 204) }
        let price = try await response(("GET", "\(Self.laptop)/Price", nil, 200, ""), client)
        #expect(price.1.contains("1000.99"), "\(price)")
        try sample.tables.close()
    }

    @Test("Changes")
    func changes() async throws {
        let new = #"{"Name":"Tea Pot","Price":12.5,"Status":"InStock,OnSale","Category@odata.bind":"\#(Self.kitchen)"}"#
        let special =
            ##"{"@odata.type":"#ComplianceService.SpecialProduct","Name":"S","Price":1,"SpecialFeature":"f"}"##
        try await check([
            ("POST", "Products", new, 201, #""Version":1"#),
            ("POST", "Products", special, 201, "SpecialProduct"),
            ("GET", "Products/ComplianceService.SpecialProduct/$count", nil, 200, "4"),
            ("POST", "Products", #"{"Price":1}"#, 400, "Name"),
            ("POST", "Products", #"{"Name":"a"}"#, 400, "Price"),
            ("POST", "Products", #"{"Name":"a","Price":"x"}"#, 400, "Price"),
            ("POST", "Products", #"{"Name":"a","Price":1,"Nonsense":1}"#, 400, "Nonsense"),
            ("POST", "Products", #"{"Name":"a","Price":1,"Status":"Nonsense"}"#, 400, "Status"),
            ("POST", "Categories", #"{"Name":"Kitchen"}"#, 409, "Name"),
            ("POST", "ReadOnlyItems", #"{"Name":"a"}"#, 405, ""),
            ("DELETE", "ReadOnlyItems(a0000003-0000-4000-8000-000000000001)", nil, 405, ""),
            ("PATCH", "ReadOnlyItems(a0000003-0000-4000-8000-000000000001)", #"{"Name":"a"}"#, 405, ""),
            ("PATCH", Self.laptop, #"{"ShippingAddress":{"City":"Tacoma"}}"#, 204, ""),
            ("GET", "\(Self.laptop)/ShippingAddress", nil, 200, #""Street":"123 Tech Way","City":"Tacoma""#),
            ("PUT", "\(Self.laptop)/ShippingAddress/City", #"{"value":"Olympia"}"#, 204, ""),
            ("GET", "\(Self.laptop)/ShippingAddress/City", nil, 200, "Olympia"),
            ("PATCH", Self.laptop, #"{"Status":"OnSale","Location":{"type":"Point","coordinates":[1,2]}}"#, 204, ""),
            ("GET", "\(Self.laptop)/Status", nil, 200, "OnSale"),
            ("PUT", "\(Self.mouse)/Category/$ref", #"{"@odata.id":"\#(Self.kitchen)"}"#, 204, ""),
            ("GET", "\(Self.mouse)/Category/Name", nil, 200, "Kitchen"),
            ("DELETE", "\(Self.mouse)/Category/$ref", nil, 204, ""), ("GET", "\(Self.mouse)/Category", nil, 204, ""),
            ("POST", "\(Self.chair)/RelatedProducts/$ref", #"{"@odata.id":"\#(Self.mouse)"}"#, 204, ""),
            ("GET", "\(Self.chair)/RelatedProducts/$count", nil, 200, "1"),
            ("DELETE", "\(Self.chair)/RelatedProducts/$ref?$id=\(Self.mouse)", nil, 204, ""),
            ("GET", "\(Self.chair)/RelatedProducts/$count", nil, 200, "0"),
            ("PATCH", "Company", #"{"CEO":"Ada"}"#, 204, ""), ("GET", "Company/Version", nil, 200, "2"),
            ("PATCH", "Products/$filter(Price lt 100)/$each", #"{"Rating":9}"#, 204, ""),
            ("GET", "Products/$count?$filter=Rating eq 9", nil, 200, "4"),
            ("DELETE", "Products/$filter(Price lt 20)/$each", nil, 204, ""),
            ("GET", "Products/$count", nil, 200, "6"),
        ])
    }

    @Test("Upsert, deep insert and deep update")
    func deep() async throws {
        let new = "Products(b0000000-0000-4000-8000-000000000001)"
        let category = #"""
            {"Name":"Garden","Products":[{"Name":"Spade","Price":20,"Descriptions":[
            {"LanguageKey":"EN","Description":"For digging"},{"LanguageKey":"DE","Description":"Zum Graben"}]}]}
            """#
        let members = #"""
            {"RelatedProducts":[{"ID":"a0000001-0000-4000-8000-000000000003"}],
            "Descriptions@delta":[{"LanguageKey":"FR","Description":"neuf"}]}
            """#
        try await check([
            ("PUT", new, #"{"Name":"New","Price":1}"#, 201, #""Name":"New""#),
            ("PUT", new, #"{"Name":"Newer","Price":1}"#, 204, ""), ("PUT", new, #"{"Name":"Newest"}"#, 400, "Price"),
            (
                "PATCH", "Products(b0000000-0000-4000-8000-000000000002)", #"{"Name":"a","Price":1}"#, 201,
                #""Name":"a""#
            ),
            ("DELETE", "Products(b0000000-0000-4000-8000-000000000003)", nil, 404, ""),
            ("POST", "Categories", category, 201, "Zum Graben"),
            ("GET", "Products?$filter=Name eq 'Spade'&$expand=Category,Descriptions", nil, 200, "Garden"),
            ("PATCH", Self.laptop, members, 204, ""),
            ("GET", "\(Self.laptop)/RelatedProducts", nil, 200, "Coffee Mug"),
            ("GET", "\(Self.laptop)/RelatedProducts/$count", nil, 200, "1"),
            ("GET", "\(Self.laptop)/Descriptions/$count", nil, 200, "3"),
            ("DELETE", "Company", nil, 405, ""), ("POST", "Company", "{}", 405, ""),
        ])
    }

    @Test("Conditions and delta links")
    func conditions() async throws {
        let sample = try await ComplianceSample.make()
        let client = InProcessTransport(service: ODataService(store: sample.store))
        let etag = try #require(
            try await sample.tables.entities(
                QueryParser(model: try await sample.tables.model()).query(Self.laptop)
            ).first?.etag)
        let rename = #"{"Name":"Renamed"}"#
        let cases: [(String, HTTPField.Name, String, Int)] = [
            ("PATCH", .ifMatch, "W/\"other\"", 412), ("PATCH", .ifMatch, etag, 204), ("PATCH", .ifMatch, etag, 412),
            ("PATCH", .ifMatch, "*", 204), ("PATCH", .ifNoneMatch, "*", 412), ("DELETE", .ifMatch, etag, 412),
        ]
        for (method, name, value, status) in cases {
            let response = try await response(
                (method, Self.laptop, method == "DELETE" ? nil : rename, status, ""), client, fields: [name: value])
            #expect(response.0 == status, "\(method) \(name): \(value) \(response.1)")
        }
        let prefer = try #require(HTTPField.Name("Prefer"))
        let tracked = try await response(
            ("GET", "Products?$select=Name", nil, 200, ""), client, fields: [prefer: "odata.track-changes"])
        let start = try #require(
            tracked.1.firstRange(of: "http://service.test/Products?$deltatoken=")
                ?? tracked.1.firstRange(of: "http://service.test/Products?$select"))
        let link = tracked.1[start.lowerBound...].prefix { $0 != "\"" }.dropFirst("http://service.test/".count)
        _ = try await response(("PATCH", Self.mouse, #"{"Price":1}"#, 204, ""), client)
        _ = try await response(("DELETE", Self.chair, nil, 204, ""), client)
        let delta = try await response(("GET", String(link), nil, 200, ""), client).1
        for part in ["Wireless Mouse", "removed", "a0000001-0000-4000-8000-000000000004", "deltaLink"] {
            #expect(delta.contains(part), "\(part) in \(delta)")
        }
        try sample.tables.close()
    }

    @Test("Media entities and stream properties")
    func streams() async throws {
        let sample = try await ComplianceSample.make()
        let client = InProcessTransport(service: ODataService(store: sample.store))
        let (status, body) = try await response(
            ("POST", "MediaItems", "hello", 201, ""), client,
            fields: [.contentType: "text/plain", try #require(HTTPField.Name("Slug")): "greeting"])
        #expect(status == 201)
        for part in [#""Name":"greeting""#, #""ContentType":"text/plain""#, #""Size":5"#] {
            #expect(body.contains(part), "\(part) in \(body)")
        }
        let put = try await response(
            ("PUT", "\(Self.laptop)/Photo", "new", 204, ""), client, fields: [.contentType: "text/plain"])
        #expect(put.0 == 204)
        #expect(try await response(("GET", "\(Self.laptop)/Photo", nil, 200, ""), client).1 == "new")
        try sample.tables.close()
    }
}

extension String {
    fileprivate var encodedForURL: String {
        split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
    }
}
