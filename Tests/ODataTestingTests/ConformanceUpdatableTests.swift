import Testing

/// What the minimal levels of OData 4.0 and 4.01 ask of a service that is changed.
///
/// [OData-Protocol, sections 13.1.1, items 18 to 33, and 13.2.1, items 18 to 27]
@Suite("Conformance, updatable")
struct ConformanceUpdatableTests {
    private static let laptop = "Products(a0000001-0000-4000-8000-000000000001)"
    private static let mouse = "Products(a0000001-0000-4000-8000-000000000002)"
    private static let mug = "Products(a0000001-0000-4000-8000-000000000003)"
    private static let chair = "Products(a0000001-0000-4000-8000-000000000004)"
    private static let kitchen = "Categories(a0000002-0000-4000-8000-000000000002)"
    private static let new = "Products(b0000000-0000-4000-8000-000000000001)"
    private static let text = "MediaItems(a0000004-0000-4000-8000-000000000002)"

    /// [OData-Protocol, section 13.1.1, items 18, 23 and 24; sections 11.4.3 and 11.4.5]
    @Test("Edit links, which take PATCH and DELETE")
    func editLinks() async throws {
        let price = "\n\n{\"Price\":7}"
        try await SampleClient.check(
            Exchange(
                "GET \(Self.laptop)\nAccept: application/json;odata.metadata=full", 200,
                #""@odata.editLink":"http://service.test/Products(a0000001-0000-4000-8000-000000000001)"#,
                #""@odata.id":"http://service.test/Products"#, "Category@odata.navigationLink"),
            Exchange("PATCH \(Self.laptop)\(price)", 204),
            Exchange("PATCH \(Self.laptop)/ComplianceService.SpecialProduct\n\n{\"SpecialFeature\":\"new\"}", 204),
            Exchange("GET \(Self.laptop)", 200, #""Price":7,"#, #""SpecialFeature":"new""#),
            Exchange("PATCH \(Self.laptop)/Category\n\n{\"Description\":\"new\"}", 204),
            Exchange("PATCH Company\n\n{\"CEO\":\"Ada\"}", 204), Exchange("GET Company/CEO/$value", 200, "Ada"),
            Exchange("PATCH \(Self.text)\n\n{\"Name\":\"new\"}", 204), Exchange("GET \(Self.text)", 200, #""new""#),
            Exchange("PATCH $entity?$id=\(Self.mug)\(price)", 204), Exchange("DELETE \(Self.mug)", 204),
            Exchange("DELETE \(Self.mug)", 404), Exchange("GET \(Self.mug)", 404),
            Exchange("DELETE \(Self.text)", 204), Exchange("GET \(Self.text)/$value", 404))
    }

    /// [OData-Protocol, section 13.1.1, items 19, 20, 27 and 28; sections 8.3.2, 8.3.4 and 11.4.2]
    @Test("POST of entities and related entities, with Location and OData-EntityId")
    func creation() async throws {
        let pot = #"\#n\#n{"Name":"Tea Pot","Price":12.5}"#
        try await SampleClient.check(
            Exchange(
                "POST Products\(pot)", 201, "Location: http://service.test/Products(", "ETag: W/", #""Version":1"#),
            Exchange("GET {Location}", 200, "Tea Pot"), Exchange("DELETE {Location}", 204),
            Exchange(
                "POST Products\nPrefer: return=minimal\(pot)", 204, "OData-EntityId: http://service.test/Products(",
                "Location: http://service.test/Products(", "Preference-Applied: return=minimal"),
            Exchange("GET {OData-EntityId}", 200, "Tea Pot"),
            Exchange("POST Products\nPrefer: return=representation\(pot)", 201, "Applied: return=representation"),
            Exchange("POST \(Self.kitchen)/Products\(pot)", 201, "Location: http://service.test/Products("),
            Exchange("GET {Location}/Category/Name/$value", 200, "Kitchen"),
            Exchange("POST Products?$select=Name\(pot)", 201, "Tea Pot", absent: [#""Price":"#]),
            Exchange("POST Products?$expand=Category&$select=Name\(pot)", 201, #""Category":null"#),
            Exchange("POST ReadOnlyItems\n\n{\"Name\":\"x\"}", 405, "Allow: GET, HEAD, OPTIONS\n"),
            Exchange(
                "POST MediaItems\nContent-Type: text/plain\nSlug: greeting\n\nhello", 201, "Location: ", #""Size":5"#),
            Exchange("GET {Location}/$value", 200, "Content-Type: text/plain", "hello"),
            Exchange("POST \(Self.laptop)/Descriptions\n\n{\"LanguageKey\":\"IT\",\"Description\":\"x\"}", 201),
            Exchange("POST Categories\n\n{\"Name\":\"Kitchen\"}", 409))
    }

    /// [OData-Protocol, section 13.1.1, items 21, 22 and 25; section 13.2.1, items 19 and 22; section 11.4.6]
    @Test("References: POST, PUT and DELETE")
    func references() async throws {
        let related = "\(Self.chair)/RelatedProducts"
        let toMouse = #"\#n\#n{"@odata.id":"\#(Self.mouse)"}"#
        try await SampleClient.check(
            Exchange("POST \(related)/$ref\(toMouse)", 204), Exchange("GET \(related)/$count", 200, "\n1"),
            Exchange("POST \(related)/$ref\n\n{\"@id\":\"http://service.test/\(Self.mug)\"}", 204),
            Exchange("DELETE \(related)(a0000001-0000-4000-8000-000000000003)/$ref", 204),
            Exchange("DELETE \(related)/$ref?$id=http://service.test/\(Self.mouse)", 204),
            Exchange("GET \(related)/$count", 200, "\n0"), Exchange("GET \(Self.mouse)", 200),
            Exchange("PUT \(related)/$ref\n\n{\"value\":[{\"@odata.id\":\"\(Self.mug)\"}]}", 204),
            Exchange("GET \(related)/$ref", 200, Self.mug, absent: [Self.mouse]),
            Exchange("PUT \(Self.chair)/Category/$ref\n\n{\"@odata.id\":\"\(Self.kitchen)\"}", 204),
            Exchange("GET \(Self.chair)/Category/$ref", 200, Self.kitchen),
            Exchange("DELETE \(Self.chair)/Category/$ref", 204), Exchange("GET \(Self.chair)/Category", 204),
            Exchange("GET \(Self.kitchen)", 200), Exchange("POST \(related)/$ref\n\n{}", 400),
            Exchange("PUT \(Self.chair)/Category/$ref\n\n{\"@odata.id\":\"\(Self.new)\"}", 400))
    }

    /// [OData-Protocol, section 13.1.1, item 26; sections 8.2.4, 8.2.5 and 11.4.1.1; RFC 9110, section 13]
    @Test("Conditions with weak and strong ETags")
    func conditions() async throws {
        let price = "\n\n{\"Price\":7}"
        try await SampleClient.check(
            Exchange("GET \(Self.laptop)", 200, "ETag: W/"),
            Exchange("GET \(Self.laptop)\nIf-None-Match: {ETag}", 304, "ETag: W/"),
            Exchange("GET \(Self.laptop)\nIf-None-Match: \"x\", {ETag}", 304),
            Exchange("HEAD \(Self.laptop)\nIf-None-Match: {ETag}", 304),
            Exchange("GET \(Self.laptop)\nIf-Match: {ETag}", 200),
            Exchange("PATCH \(Self.laptop)\nIf-Match: W/\"other\"\(price)", 412),
            Exchange("GET \(Self.laptop)", 200, "ETag: W/"),
            Exchange("PUT \(Self.laptop)/Price\nIf-Match: W/\"other\"\n\n{\"value\":8}", 412),
            Exchange("PATCH \(Self.laptop)\nIf-Match: W/\"other\", {ETag}\(price)", 204, "ETag: W/"),
            Exchange("DELETE \(Self.laptop)\nIf-Match: \"old\"", 412),
            Exchange("GET \(Self.laptop)", 200),
            Exchange("DELETE \(Self.laptop)\nIf-None-Match: {ETag}", 412),
            Exchange("DELETE \(Self.laptop)\nIf-Match: {ETag}", 204),
            Exchange("PATCH \(Self.laptop)\nIf-Match: *\(price)", 412, absent: ["Location"]),
            Exchange("GET Company", 200, "ETag: W/"), Exchange("PATCH Company\nIf-Match: {ETag}\n\n{}", 204),
            Exchange("GET \(Self.text)/$value", 200, "ETag: \""),
            Exchange("GET \(Self.text)/$value\nIf-None-Match: {ETag}", 304),
            Exchange("PUT \(Self.text)/$value\nContent-Type: text/plain\nIf-Match: \"old\"\n\nnew", 412),
            Exchange("GET \(Self.text)/$value\nIf-Match: {ETag}", 200, "A note"),
            Exchange("PUT \(Self.text)/$value\nContent-Type: text/plain\nIf-Match: {ETag}\n\nnew", 204, "ETag: \""),
            Exchange("GET \(Self.text)/$value", 200, "new"))
    }

    /// [OData-Protocol, section 13.1.1, item 29; section 11.4.4]
    @Test("Upserts")
    func upserts() async throws {
        let body = #"\#n\#n{"Name":"New","Price":1}"#
        try await SampleClient.check(
            Exchange("PATCH \(Self.new)\nIf-Match: *\(body)", 412),
            Exchange("PATCH \(Self.new)\(body)", 201, "Location: http://service.test/\(Self.new)", #""Name":"New""#),
            Exchange("PATCH \(Self.new)\nIf-None-Match: *\(body)", 412), Exchange("PUT \(Self.new)\(body)", 204),
            Exchange("DELETE \(Self.new)", 204),
            Exchange(
                "PUT \(Self.new)\nIf-None-Match: *\nPrefer: return=minimal\(body)", 204,
                "OData-EntityId: http://service.test/\(Self.new)\n", "Location: http://service.test/\(Self.new)\n"),
            Exchange("PUT \(Self.new)\n\n{\"Name\":\"New\"}", 400, "Price"),
            Exchange("PUT ReadOnlyItems(b0000003-0000-4000-8000-000000000001)\n\n{\"Name\":\"x\"}", 405))
    }

    /// [OData-Protocol, section 13.1.1, items 30 and 31; sections 11.4.9.1 to 11.4.9.3]
    @Test("Properties are set, changed in part and taken away")
    func properties() async throws {
        let address = "\(Self.laptop)/ShippingAddress"
        try await SampleClient.check(
            Exchange("PUT \(Self.laptop)/Price\n\n{\"value\":5}", 204, "ETag: W/"),
            Exchange("PATCH \(Self.laptop)/Name\n\n{\"value\":\"New\"}", 204),
            Exchange("PUT \(Self.laptop)/Description/$value\nContent-Type: text/plain\n\ndetails", 204),
            Exchange("GET \(Self.laptop)", 200, #""Name":"New""#, #""Price":5,"#, #""Description":"details""#),
            Exchange("PATCH \(address)\n\n{\"City\":\"Tacoma\"}", 204),
            Exchange("GET \(address)", 200, #""Street":"123 Tech Way","City":"Tacoma""#),
            Exchange("PUT \(address)\n\n{\"City\":\"Olympia\"}", 204),
            Exchange("GET \(address)", 200, #""City":"Olympia","Street":null"#),
            Exchange("DELETE \(address)/City", 204), Exchange("GET \(address)/City", 204),
            Exchange("DELETE \(address)", 204), Exchange("GET \(address)", 204),
            Exchange("DELETE \(Self.laptop)/Name", 400),
            Exchange(
                "PUT \(Self.laptop)/Price\nPrefer: return=representation\n\n{\"value\":6}", 200, #""value":6"#,
                "Preference-Applied: return=representation"))
    }

    /// [OData-Protocol, section 13.1.1, item 32; section 13.2.1, items 20 and 21; sections 11.4.2.2 and 11.4.3.1]
    @Test("Deep inserts and deep updates, whole or not at all")
    func deep() async throws {
        let spade = #"{"Name":"Spade","Price":20,"Descriptions":[{"LanguageKey":"EN","Description":"For digging"}]}"#
        let bad = #"{"Name":"Rake"}"#
        try await SampleClient.check(
            Exchange("POST Categories\n\n{\"Name\":\"Garden\",\"Products\":[\(spade)]}", 201, "Spade", "For digging"),
            Exchange("POST Categories\n\n{\"Name\":\"Yard\",\"Products\":[\(spade),\(bad)]}", 400, "Price"),
            Exchange("GET Categories?$filter=Name eq 'Yard'", 200, #""value":[]"#),
            Exchange(
                "PATCH \(Self.laptop)\n\n{\"Descriptions\":[{\"LanguageKey\":\"EN\",\"Description\":\"one\"}]}", 204),
            Exchange("GET \(Self.laptop)/Descriptions", 200, #""one""#, absent: [#""DE""#]),
            Exchange(
                "PATCH \(Self.laptop)\n\n{\"Descriptions@delta\":[{\"LanguageKey\":\"FR\",\"Description\":\"two\"}]}",
                204
            ), Exchange("GET \(Self.laptop)/Descriptions/$count", 200, "\n2"),
            Exchange(
                "PUT \(Self.mug)\n\n{\"Name\":\"Mug\",\"Price\":3,\"RelatedProducts\":[{\"@id\":\"\(Self.mouse)\"}]}",
                204),
            Exchange("GET \(Self.mug)/RelatedProducts", 200, "Wireless Mouse"),
            Exchange("PATCH \(Self.mug)\n\n{\"Category\":{\"@id\":\"\(Self.kitchen)\"},\"Price\":4}", 204))
    }

    /// [OData-Protocol, section 11.4.2.2: a binding that leads nowhere is an error of the request]
    @Test("A binding leads to an entity")
    func bindings() async throws {
        let missing = "Categories(b0000002-0000-4000-8000-000000000009)"
        func pot(_ id: String) -> String { #"{"Name":"Pot","Price":1,"Category@odata.bind":"\#(id)"}"# }
        try await SampleClient.check(
            Exchange("POST Products\n\n\(pot(Self.kitchen))", 201), Exchange("POST Products\n\n\(pot(missing))", 400),
            Exchange("PATCH \(Self.laptop)\n\n{\"Category@odata.bind\":\"\(missing)\"}", 400),
            Exchange("POST \(Self.laptop)/RelatedProducts/$ref\n\n{\"@odata.id\":\"\(Self.new)\"}", 400),
            Exchange("POST Products\n\n\(pot("http://elsewhere.test/Categories(1)"))", 400))
    }

    /// [OData-Protocol, section 13.1.1, item 33; section 13.2.1, items 24 to 27; sections 11.4.11 to 11.4.14]
    @Test("Changes of many entities")
    func sets() async throws {
        let cheap = "Products/$filter(Price lt 100)/$each"
        try await SampleClient.check(
            Exchange("PATCH \(cheap)\n\n{\"Rating\":9}", 204, absent: ["Location", "OData-EntityId"]),
            Exchange("GET Products/$count?$filter=Rating eq 9", 200, "\n2"),
            Exchange(
                "PATCH \(cheap)?$select=Name,Rating\nPrefer: return=representation\n\n{\"Rating\":8}", 200,
                "Preference-Applied: return=representation", #"$metadata#Products(Name,Rating)","value":[{"#,
                #""Rating":8"#, "Coffee Mug", absent: ["Laptop", #""Price":"#]),
            Exchange("PATCH \(cheap)\nPrefer: return=representation\n\n{\"Price\":500}", 200, #""Price":500"#),
            Exchange("PATCH \(cheap)\nPrefer: return=representation\n\n{\"Price\":500}", 200, #""value":[]"#),
            Exchange(
                "PATCH Products/$each\nPrefer: return=minimal\n\n{\"Rating\":1}", 204,
                "Preference-Applied: return=minimal"),
            Exchange("DELETE Products/$filter(Price lt 600)/$each\nPrefer: return=representation", 204),
            Exchange("PATCH Products\n\n{\"value\":[{\"@id\":\"\(Self.laptop)\",\"Price\":9}]}", 204),
            Exchange(
                "PATCH Products\n\n{\"@context\":\"#$delta\",\"value\":[{\"@removed\":{},\"@id\":\"\(Self.laptop)\"}]}",
                204), Exchange("GET \(Self.laptop)", 404),
            Exchange("POST Products/ComplianceService.SpecialProduct\n\n{\"Name\":\"S\",\"Price\":1}", 201, "Special"))
    }

    /// [OData-Protocol, section 13.2.1, item 25; sections 11.4.12 and 11.4.14]
    @Test("Changes of all entities of a derived type")
    func derivedSets() async throws {
        let special = "Products/ComplianceService.SpecialProduct"
        try await SampleClient.check(
            Exchange("GET \(special)/$count", 200, "\n3"), Exchange("GET Products/$count", 200, "\n7"),
            Exchange("PATCH \(special)/$each\n\n{\"SpecialFeature\":\"new\",\"Rating\":9}", 204),
            Exchange("GET Products/$count?$filter=Rating eq 9", 200, "\n3"),
            Exchange("GET \(special)/$count?$filter=SpecialFeature eq 'new'", 200, "\n3"),
            Exchange("PATCH \(special)/$filter(Price gt 1500)/$each\n\n{\"Rating\":8}", 204),
            Exchange("GET \(special)/$count?$filter=Rating eq 9", 200, "\n2"),
            Exchange("PATCH \(special)\n\n{\"value\":[{\"@id\":\"\(Self.laptop)\",\"SpecialFeature\":\"one\"}]}", 204),
            Exchange("GET \(Self.laptop)", 200, #""SpecialFeature":"one""#),
            Exchange("PATCH Products/$each\n\n{\"SpecialFeature\":\"x\"}", 400),
            Exchange("DELETE \(special)/$each", 204), Exchange("GET \(special)/$count", 200, "\n0"),
            Exchange("GET Products/$count", 200, "\n4"))
    }
}
