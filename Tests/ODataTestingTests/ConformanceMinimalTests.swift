import Testing

/// What the minimal levels of OData 4.0 and 4.01 ask of a service that is read.
///
/// [OData-Protocol, sections 13.1.1 and 13.2.1]
@Suite("Conformance, minimal")
struct ConformanceMinimalTests {
    private static let laptop = "Products(a0000001-0000-4000-8000-000000000001)"

    /// [OData-Protocol, section 13.1.1, items 1, 2, 12 and 13]
    @Test("Service document, JSON, $expand and metadata")
    func documents() async throws {
        try await SampleClient.check(
            Exchange(
                "GET ", 200, #""@odata.context":"http://service.test/$metadata""#, #""name":"Products""#,
                #""kind":"Singleton""#, #""url":"Categories""#),
            Exchange(
                "GET Products?$select=Name", 200, "Content-Type: application/json;odata.metadata=minimal",
                #""@odata.context":"http://service.test/$metadata#Products(Name)""#, #""value":[{"#),
            Exchange("GET \(Self.laptop)?$expand=Category", 200, #""Category":{"#, "Electronics"),
            Exchange(
                "GET $metadata", 200, "Content-Type: application/xml", #"<EntityContainer Name="Container""#, "ETag: "))
    }

    /// [OData-Protocol, section 13.1.1, item 3]
    @Test("Partial results have a next link, which is all that a client needs")
    func paging() async throws {
        let client = try await SampleClient { $0.limits.pageSize = 3 }
        try await client.check(Exchange("GET Products?$select=Name&$filter=Price gt 0&$count=true", 200, "nextLink"))
        try await client.check(Exchange("GET {nextLink}", 200, "nextLink"))
        try await client.check(Exchange("GET {nextLink}", 200, absent: ["nextLink"]))
        try await client.check(Exchange("GET Products?$top=2", 200, absent: ["nextLink"]))
        try await client.check(Exchange("GET Products/$count", 200, "\n7"))
    }

    /// [OData-Protocol, section 13.1.1, items 4 and 5.2; sections 8.1.5 and 8.2.7]
    @Test("OData-Version and OData-MaxVersion")
    func versions() async throws {
        try await SampleClient.check(
            Exchange("GET Products", 200, "OData-Version: 4.01\n"),
            Exchange("GET Products\nOData-MaxVersion: 4.0", 200, "OData-Version: 4.0\n"),
            Exchange("GET Products\nOData-MaxVersion: 4.01", 200, "OData-Version: 4.01\n"),
            Exchange("GET Products\nOData-MaxVersion: 9.0", 200, "OData-Version: 4.01\n"),
            Exchange("GET Products\nOData-MaxVersion: 3.0", 400), Exchange("GET Products\nOData-MaxVersion: x", 400),
            Exchange("GET Products\nOData-Version: 7.0", 400),
            Exchange("GET Nothing\nOData-MaxVersion: 4.0", 404, "OData-Version: 4.0\n"),
            Exchange("DELETE \(Self.laptop)", 204, "OData-Version: 4.01\n"))
    }

    /// [OData-Protocol, section 13.1.1, item 5.1; sections 8.2.1 and 11.2.12]
    @Test("Accept and $format, which goes before it")
    func accept() async throws {
        let json = "Content-Type: application/json;odata.metadata="
        try await SampleClient.check(
            Exchange("GET Products\nAccept: text/html", 406),
            Exchange("GET Products\nAccept: application/json;q=0", 406),
            Exchange("GET Products\nAccept: application/json;odata.metadata=odd", 406),
            Exchange("GET Products\nAccept: text/html, application/json;q=0.2", 200, json + "minimal"),
            Exchange("GET Products\nAccept: application/json;odata.metadata=full", 200, json + "full", "@odata.type"),
            Exchange("GET Products\nAccept: application/json;odata.metadata=none", 200, json + "none"),
            Exchange("GET Products\nAccept: */*", 200, json + "minimal"),
            Exchange("GET Products?$format=json\nAccept: text/html", 200, json + "minimal"),
            Exchange("GET Products?$format=application/json;odata.metadata=none", 200, json + "none"),
            Exchange("GET Products?$format=atom\nAccept: application/json", 406),
            Exchange("GET Products\nAccept: application/json;IEEE754Compatible=true", 200, "IEEE754Compatible=true"),
            Exchange("GET $metadata\nAccept: application/json", 200, "Content-Type: application/json"),
            Exchange("GET $metadata\nAccept: text/html", 406), Exchange("GET Products/$count\nAccept: text/plain", 200))
    }

    /// [OData-Protocol, section 13.1.1, items 6 and 9; section 6]
    @Test("Custom options, headers, preferences and annotations are passed over; none is needed")
    func extensibility() async throws {
        try await SampleClient.check(
            Exchange("GET Products?debug=true&$top=1", 200), Exchange("GET Products?$debug=true", 400, "$debug"),
            Exchange("GET Products?@unused=1", 200), Exchange("GET Products\nX-Custom: 1\nPrefer: custom=1", 200),
            Exchange(
                #"POST Categories\#n\#n{"@my.term":{"a":1},"Name@my.term#q":[2],"Name":"Garden"}"#, 201, "Garden"),
            Exchange("GET Products?$format=json;metadata=none", 200, "Laptop", absent: ["@"]))
    }

    /// [OData-Protocol, section 13.1.1, item 7]
    @Test(
        "Query options that are wrong fail the request",
        arguments: [
            "$filter=Name eq", "$filter=Nothing eq 1", "$filter=Name eq 1 and", "$filter=nothing(Name)", "$filter=Name",
            "$filter=Price eq 'x'", "$top=-1", "$top=x", "$skip=-1", "$skip=1.5", "$count=maybe", "$select=Nothing",
            "$expand=Nothing", "$expand=Name", "$orderby=Nothing", "$orderby=Name sideways", "$orderby=Category",
            "$top=1&$top=2", "$search=(", "$compute=Price", "$apply=nothing()", "$filter=(Price gt 1", "$skiptoken=x",
            "$select=Name&$select=Price",
        ])
    func wrongOptions(options: String) async throws {
        try await SampleClient.check(Exchange("GET Products?\(options)", 400, #"{"error":{"code":""#, #""message":""#))
    }

    /// [OData-Protocol, section 13.1.1, item 8]
    @Test("All types are Edm's or declared")
    func types() async throws {
        let metadata = try await SampleClient().responseText("GET $metadata")
        let types = metadata.matches(of: #/ Type="(?:Collection\()?([^")]+)\)?"/#).map { String($0.output.1) }
        #expect(types.count > 60)
        for type in Set(types) {
            let name = type.drop { $0 != "." }.dropFirst()
            #expect(
                type.hasPrefix("Edm.") || metadata.contains("Type Name=\"\(name)\""), "\(type)")
        }
    }

    /// [OData-Protocol, section 13.1.1, items 10 and 11; sections 9 and 11.4]
    @Test("Status codes and update semantics")
    func semantics() async throws {
        try await SampleClient.check(
            Exchange("GET Nothing", 404, #"{"error":{"code":"notFound""#), Exchange("GET Products(\(UInt8.max))", 400),
            Exchange("GET Products(b0000001-0000-4000-8000-000000000001)", 404),
            Exchange("GET \(Self.laptop)/Nothing", 404), Exchange("GET \(Self.laptop)/Category/Nothing", 404),
            Exchange("GET Products(a0000001-0000-4000-8000-000000000004)/ShippingAddress", 204),
            Exchange("GET Products(b0000001-0000-4000-8000-000000000001)/Category", 404),
            Exchange("HEAD \(Self.laptop)", 200, "Content-Length: ", "ETag: W/", absent: ["Laptop"]),
            Exchange("HEAD Nothing", 404, absent: ["error"]), Exchange("BREW Products", 501),
            Exchange("GET Products\nIf-None-Match: *", 200),
            Exchange("PATCH \(Self.laptop)\n\n{\"ID\":\"b0000001-0000-4000-8000-000000000001\",\"Version\":99}", 204),
            Exchange("GET \(Self.laptop)", 200, #""Name":"Laptop""#, absent: [#""Version":99"#]),
            Exchange("PATCH \(Self.laptop)\n\n{\"Price\":1}\n", 204),
            Exchange("GET \(Self.laptop)?$expand=Category", 200, #""Price":1,"#, "Weight\":3.14", "Electronics"),
            Exchange("PUT \(Self.laptop)\n\n{\"Name\":\"New\",\"Price\":2}", 204),
            Exchange("GET \(Self.laptop)", 200, #""Price":2,"#, #""Weight":0"#, #""Description":null"#),
            Exchange("PATCH \(Self.laptop)\n\n{\"Price\":null}", 400, "Price"),
            Exchange("PATCH \(Self.laptop)\nContent-Type: text/plain\n\nx", 415),
            Exchange("PATCH \(Self.laptop)\n\n{", 400))
    }

    /// [OData-Protocol, section 13.1.1, item 14; section 13.2.1, item 4]
    @Test("Headers and preferences with and without a prefix")
    func prefixes() async throws {
        try await SampleClient.check(
            Exchange("GET Products\nPrefer: odata.maxpagesize=2", 200, "Preference-Applied: odata.maxpagesize=2"),
            Exchange("GET Products\nPrefer: maxpagesize=2", 200, "Preference-Applied: maxpagesize=2"),
            Exchange("GET Products\nPrefer: odata.track-changes", 200, "Preference-Applied: odata.track-changes"),
            Exchange("GET Products\nPrefer: track-changes", 200, "Preference-Applied: track-changes", "deltaLink"),
            Exchange("GET Products\nOData-Isolation: snapshot", 412), Exchange("GET Products\nIsolation: snapshot", 412)
        )
        let batch = "Content-Type: application/json\n\n{\"requests\":[]}"
        try await SampleClient.check(
            Exchange("POST $batch\nPrefer: odata.continue-on-error\n\(batch)", 200, "Applied: odata.continue-on-error"),
            Exchange("POST $batch\nPrefer: continue-on-error\n\(batch)", 200, "Applied: continue-on-error"))
    }

    /// [OData-Protocol, section 13.1.1, items 16 and 17; section 13.2.1, item 3]
    @Test("The response to an asynchronous request")
    func asynchronous() async throws {
        for (headers, part) in [
            ("OData-MaxVersion: 4.0\nAccept: application/http", "\n\nHTTP/1.1 200 OK\r\n"),
            ("OData-MaxVersion: 4.01", "AsyncResult: 200\n"),
        ] {
            let client = try await SampleClient()
            try await client.check(
                Exchange("GET Company\nPrefer: respond-async", 202, "Preference-Applied: respond-async", "Location: "))
            try await client.waitForResponse()
            let response = try await client.responseText("GET {Location}\n\(headers)")
            #expect(
                response.hasPrefix("200\n") && response.contains(part) && response.contains("TechStore"), "\(response)")
        }
    }
}
