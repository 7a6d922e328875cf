import Foundation
import Testing

/// What the advanced levels of OData 4.0 and 4.01 ask of a service.
///
/// [OData-Protocol, sections 13.1.3 and 13.2.3]
@Suite("Conformance, advanced")
struct ConformanceAdvancedTests {
    private static let laptop = "Products(a0000001-0000-4000-8000-000000000001)"
    private static let mouse = "Products(a0000001-0000-4000-8000-000000000002)"
    private static let mug = "Products(a0000001-0000-4000-8000-000000000003)"
    private static let electronics = "Categories(a0000002-0000-4000-8000-000000000001)"

    /// [OData-Protocol, section 13.1.3, items 2 to 10, 12 and 15; section 13.2.3, items 3 to 6, 8 and 9]
    @Test(
        "Query options, also inside $expand, and paths",
        arguments: [
            ("$metadata?$format=xml", "<EntityContainer", "$Version"),
            ("$metadata?$format=json", "$Version", "<Schema"),
            ("\(laptop)/Descriptions('DE')?$select=LanguageKey", #""LanguageKey":"DE""#, #""EN""#),
            ("\(laptop)/Descriptions(LanguageKey='DE')/LanguageKey/$value", "\n\nDE", "{"),
            ("Products/a0000001-0000-4000-8000-000000000001/Descriptions/DE/LanguageKey/$value", "\n\nDE", "{"),
            ("\(laptop)/Descriptions/$count", "\n\n2", "{"), ("Products/$count?$search=laptop", "\n\n2", "Laptop"),
            ("Products?$filter=Descriptions/any(d:d/LanguageKey eq 'FR')", "Mouse", #""Name":"Laptop""#),
            ("Products?$filter=not Descriptions/all(d:d/LanguageKey eq 'EN')", "Laptop", "Mug"),
            ("Products?$skip=6&$orderby=Price", "1999.99", "Mug"),
            ("Products?$count=true&$top=0", #""@odata.count":7"#, "Mug"),
            ("Products?$orderby=Rating asc,Name desc&$top=1&$select=Name", "Smartphone", "Coffee Mug"),
            ("\(laptop)?$expand=Descriptions/$ref", #""@odata.id":"ProductDescriptions("#, "LongText"),
            ("\(laptop)?$expand=Descriptions/$count", #""Descriptions@odata.count":2"#, "LongText"),
            ("\(laptop)?$expand=Descriptions($filter=LanguageKey eq 'DE')", #""DE""#, #""LanguageKey":"EN""#),
            ("\(electronics)?$expand=Products/ComplianceService.SpecialProduct($select=Name)", "Gaming", "Smartphone"),
            ("\(electronics)?$expand=Products($orderby=Price desc;$top=1;$count=true)", "1999.99", #""Smartphone""#),
            ("\(electronics)?$expand=Products($orderby=Price;$skip=1;$top=1;$levels=1)", "Products", "Wireless Mouse"),
            ("\(electronics)?$expand=Products($search=smartphone;$select=Name)", "Smartphone", #""Wireless Mouse""#),
            (
                "\(electronics)?$expand=Products($compute=Price mul 2 as Twice;$select=Name,Twice)",
                #""Twice":1999.98"#, "Mug"
            ),
            ("\(laptop)?$expand=*", #""Category":{"#, #""Category":{"@odata.id""#),
            ("\(laptop)?$expand=*/$ref", #""@odata.id":"Categories("#, "Electronics"),
            ("\(laptop)?$expand=RelatedProducts($levels=2;$select=Name)", #""RelatedProducts":[{"#, #""Price":1,"#),
            (
                "Categories?$filter=Products/$count($filter=Price gt 500;$search=laptop) gt 0&$select=Name",
                "Electronics", "Kitchen"
            ),
            ("Categories?$expand=Products($filter=Price gt @p;$select=Name)&@p=1500", "Premium Laptop Pro", "Mug"),
            ("Categories?$expand=Products($filter=Price gt @p;$select=Name;@p=1500)&@p=1", "Premium Laptop Pro", "Mug"),
            ("Products/$filter(Price lt 20)", "Mug", #""Laptop""#),
            (
                "Products/ComplianceService.SpecialProduct(a0000001-0000-4000-8000-000000000001)/Name", "Laptop",
                "Mouse"
            ),
            ("$entity?$id=\(laptop)&$select=Name", "Laptop", "Price"),
            ("$all?$top=1&$format=json;metadata=full", "@odata.type", #"},{"#),
            ("\(laptop)/Location/$value", "SRID=4326;Point(", "coordinates"),
            ("$all/ComplianceService.Category?$filter=Name eq 'Electronics'", "Electronics", "Laptop"),
            ("$all/$count", "\n\n2", "{"), ("\(laptop)/Category/$ref", "Categories(", "Electronics"),
            (
                "$crossjoin(Products,Categories)?$filter=Products/CategoryID eq Categories/ID&$expand=Products($select=Name),Categories($select=Name)&$count=true",
                #""Categories":{"#, "Price"
            ), ("$crossjoin(Products,Categories)?$top=1", "Products@odata.navigationLink", #""Name""#),
            ("\(laptop)/RelatedProducts/$ref", "$metadata#Collection($ref)", "Price"),
            ("Products?$apply=groupby((Category/Name),aggregate(Price with average as Mean))", #""Mean":"#, "Weight"),
        ])
    func options(url: String, part: String, absent: String) async throws {
        try await SampleClient.check(Exchange("GET \(url)", 200, part, absent: [absent]))
    }

    /// [OData-Protocol, section 13.1.3, item 9.8; section 11.2.5.2.1.1]
    @Test("A circle ends $levels=max at once, however many ways lead through it")
    func circles() async throws {
        let client = try await SampleClient()
        let products = [Self.laptop, Self.mouse, Self.mug]
        for product in products {
            let others = products.filter { $0 != product }.map { #"{"@odata.id":"\#($0)"}"# }.joined(separator: ",")
            try await client.check(Exchange("PUT \(product)/RelatedProducts/$ref\n\n{\"value\":[\(others)]}", 204))
        }
        for levels in 1...3 {
            let response = try await client.responseText(
                "GET \(Self.laptop)?$expand=RelatedProducts($levels=\(levels))")
            // Two products each time: 1, 1 + 2, 1 + 2 + 4 of them are expanded.
            #expect(response.ranges(of: #""RelatedProducts":["#).count == (1 << levels) - 1, "\(response)")
        }
        try await client.check(
            Exchange(
                "GET \(Self.laptop)?$expand=RelatedProducts($levels=max)", 400, "forms a cycle: set $levels to a number"
            ))
        for product in products.dropFirst() {
            try await client.check(Exchange("PUT \(product)/RelatedProducts/$ref\n\n{\"value\":[]}", 204))
        }
        try await client.check(Exchange("GET \(Self.laptop)?$expand=RelatedProducts($levels=max)", 200, "Coffee Mug"))
    }

    /// [OData-Protocol, section 13.1.3, item 14; section 11.3]
    @Test("Delta links tell what came, changed and went")
    func deltas() async throws {
        let client = try await SampleClient()
        let exchanges = [
            Exchange(
                "GET Products?$select=Name,Price&$filter=Price lt 100\nPrefer: odata.track-changes, maxpagesize=1", 200,
                "Preference-Applied: maxpagesize=1, odata.track-changes", "nextLink", absent: ["deltaLink"]),
            Exchange("GET {nextLink}", 200, "deltaLink", absent: ["nextLink"]),
            Exchange("POST Products\n\n{\"Name\":\"Pot\",\"Price\":9}", 201), Exchange("DELETE \(Self.mug)", 204),
            Exchange("PATCH \(Self.mouse)\n\n{\"Price\":500}", 204),
            Exchange("PATCH \(Self.laptop)\n\n{\"Price\":5}", 204),
        ]
        for exchange in exchanges { try await client.check(exchange) }
        var changes = try await client.responseText("GET {deltaLink}")
        #expect(changes.contains("$metadata#Products(Name,Price)/$delta"))
        while !changes.contains("deltaLink"), changes.count < 100_000 {
            changes += try await client.responseText("GET {nextLink}")
        }
        let parts = [
            #""Name":"Pot","Price":9}"#, #"[{"@removed":{"reason":"deleted"},"@id":"\#(Self.mug)"}]"#,
            #"[{"@removed":{"reason":"changed"},"@id":"\#(Self.mouse)"}]"#, #""Name":"Laptop","Price":5}"#,
        ]
        for part in parts { #expect(changes.components(separatedBy: part).count == 2, "\(part): \(changes)") }
        #expect(changes.components(separatedBy: #""value":[{"#).count == 5)
        try await client.check(Exchange("GET Products?$deltatoken=old", 410))
    }

    /// [OData-Protocol, section 13.1.3, item 11; section 11.7]
    @Test("Multipart batches: change sets, references, rollback and continue-on-error")
    func multipart() async throws {
        func part(_ request: String, id: Int? = nil) -> String {
            "Content-Type: application/http\r\n" + (id.map { "Content-ID: \($0)\r\n" } ?? "") + "\r\n\(request)\r\n"
        }
        func post(_ url: String, _ body: String) -> String {
            "POST \(url) HTTP/1.1\r\nContent-Type: application/json\r\n\r\n\(body)"
        }
        func batch(_ headers: String, second: String) -> String {
            let changes =
                "Content-Type: multipart/mixed;boundary=c\r\n\r\n--c\r\n"
                + part(post("/Categories", #"{"Name":"Garden"}"#), id: 1) + "--c\r\n"
                + part(post("$1/Products", second), id: 2) + "--c--\r\n"
            return "POST $batch\nContent-Type: multipart/mixed;boundary=b\(headers)\n\n--b\r\n" + changes + "--b\r\n"
                + part("GET Categories/$count HTTP/1.1\r\nHost: service.test\r\n\r\n") + "--b--\r\n"
        }
        try await SampleClient.check(
            Exchange(
                batch("", second: #"{"Name":"Spade"}"#), 200, "HTTP/1.1 400", absent: ["HTTP/1.1 200", "HTTP/1.1 201"]),
            Exchange(
                batch("\nPrefer: continue-on-error", second: #"{"Name":"Spade"}"#), 200, "HTTP/1.1 400", "HTTP/1.1 200",
                "\r\n\r\n3", "Preference-Applied: continue-on-error"),
            Exchange(
                batch("", second: #"{"Name":"Spade","Price":2}"#), 200, "Content-Type: multipart/mixed",
                "Content-ID: 1",
                "Content-ID: 2", "HTTP/1.1 201", "\r\n\r\n4"),
            Exchange("GET Products?$filter=Category/Name eq 'Garden'", 200, "Spade"))
    }

    /// [OData-Protocol, section 13.2.3, item 7; OData-JSON, section 19]
    @Test("JSON batches: atomicity groups, dependsOn, references to entities and ETags")
    func json() async throws {
        func post(_ id: String, _ url: String, _ body: String, _ more: String = "") -> String {
            #"{"id":"\#(id)","method":"post","url":"\#(url)","headers":{"content-type":"application/json"},\#(more)"#
                + #""body":\#(body)}"#
        }
        func batch(_ headers: String, _ requests: String...) -> String {
            "POST $batch\nContent-Type: application/json\(headers)\n\n{\"requests\":[\(requests.joined(separator: ","))]}"
        }
        let group = #""atomicityGroup":"g","#
        let count = #"{"id":"n","method":"get","url":"Categories/$count"}"#
        try await SampleClient.check(
            Exchange(
                batch(
                    "\nPrefer: continue-on-error", post("1", "Categories", #"{"Name":"Garden"}"#, group),
                    post("2", "$1/Products", #"{"Name":"Spade"}"#, group), count,
                    #"{"id":"3","method":"get","url":"Products","dependsOn":["g"]}"#), 200, #""status":400"#,
                #""status":424"#, #""body":"3""#, absent: [#""status":201"#]),
            Exchange(
                batch(
                    "", post("1", "Categories", #"{"Name":"Garden"}"#, group),
                    post("2", "$1/Products", #"{"Name":"Spade","Price":2}"#, group),
                    post("3", "$2/RelatedProducts/$ref", #"{"@odata.id":"\#(Self.mug)"}"#, #""dependsOn":["g"],"#),
                    #"{"id":"4","method":"get","url":"$2/RelatedProducts?$select=Name","dependsOn":["3"]}"#,
                    #"{"id":"5","method":"get","url":"\#(Self.laptop)"}"#,
                    #"{"id":"6","method":"delete","url":"$5","dependsOn":["5"],"headers":{"if-match":"$5"}}"#, count),
                200, #""status":201"#, "Coffee Mug", #""body":"4""#, absent: [#""status":4"#]),
            Exchange("GET \(Self.laptop)", 404),
            Exchange(batch("\nAccept: multipart/mixed", count), 200, "Content-Type: multipart/mixed"))
    }

    /// [OData-Protocol, section 13.1.3, item 13; sections 8.2.8 and 11.6]
    @Test("Preferences, and which were applied")
    func preferences() async throws {
        let rename = "\n\n{\"Name\":\"New\"}"
        try await SampleClient.check(
            Exchange(
                "GET \(Self.mug)?$select=Name,SerialNumber\nPrefer: omit-values=nulls", 200,
                "Applied: omit-values=nulls",
                absent: ["SerialNumber\":"]),
            Exchange("GET Products?$select=Name,Rating\nPrefer: omit-values=defaults", 200, "omit-values=defaults"),
            Exchange(
                "PATCH \(Self.mug)\nPrefer: return=representation, omit-values=nulls\(rename)", 200,
                "Preference-Applied: return=representation, omit-values=nulls", absent: [":null"]),
            Exchange("PATCH \(Self.mug)\nPrefer: return=minimal\(rename)", 204, "Applied: return=minimal"),
            Exchange("GET Company\nPrefer: respond-async, wait=60", 200, "TechStore"),
            Exchange("GET Company\nPrefer: respond-async", 202, "Location: http://service.test/", "Retry-After: "),
            Exchange("DELETE {Location}", 204), Exchange("GET {Location}", 404),
            Exchange("GET Products\nPrefer: unknown=1, maxpagesize=x", 200, absent: ["Preference-Applied"]))
    }
}
