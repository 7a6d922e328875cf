import Testing

@Suite("The compliance sample as V2")
struct ComplianceV2Tests {
    private static let laptop = "v2/Products(guid'a0000001-0000-4000-8000-000000000001')"
    private static let json = "\nAccept: application/json"

    private static func filter(_ text: String) -> String {
        "GET v2/Products?$select=Name&$orderby=ShippingTime&$filter=\(text)\(json)"
    }

    @Test("Durations are text in metadata, payloads and literals")
    func durations() async throws {
        try await SampleClient.check(
            Exchange(
                "GET v2/$metadata", 200, #"<Property Name="ShippingTime" Type="Edm.String"/>"#,
                #"<Property Name="OpenTime" Type="Edm.Time" Precision="12"/>"#),
            Exchange("GET \(Self.laptop)\(Self.json)", 200, #""ShippingTime":"P1D""#, #""OpenTime":"PT9H30M""#),
            Exchange("GET \(Self.laptop)", 200, "<d:ShippingTime>P1D</d:ShippingTime>"),
            Exchange("GET \(Self.laptop)/ShippingTime/$value", 200, "P1D"),
            Exchange("GET \(Self.laptop)/ShippingTime\(Self.json)", 200, #"{"d":{"ShippingTime":"P1D"}}"#),
            Exchange(Self.filter("ShippingTime eq 'PT24H'"), 200, #""Name":"Laptop""#, absent: ["Mouse"]),
            Exchange(Self.filter("Offset lt 'PT0S'"), 200, #""Name":"Wireless Mouse""#, absent: ["Laptop"]),
            Exchange(Self.filter("ShippingTime gt 'P1D'"), 200, #""Name":"Coffee Mug""#, absent: ["Laptop", "Mouse"]),
            Exchange(Self.filter("ShippingTime gt time'PT2H'"), 200, #""Name":"Laptop""#, absent: ["Mouse"]),
            Exchange(Self.filter("ShippingTime eq 'long'"), 400, "Edm.Duration"),
            Exchange(Self.filter("startswith(ShippingTime,'P1')"), 400, "Edm.Duration", "ShippingTime"))
    }

    /// [OData-Protocol, section 11.2.4.1; MS-ODATA, section 2.2.6.4.1]
    @Test("Null has no raw value: V4 says that there is no content, V2 that it is not found")
    func nullRawValues() async throws {
        let (key, other) = ("a0000001-0000-4000-8000-000000000001", "b0000000-0000-4000-8000-000000000001")
        let client = try await SampleClient()
        try await client.check(Exchange("PATCH Products(\(key))\n\n{\"Data\":null,\"Description\":null}", 204))
        for name in ["Data", "Description"] {
            try await client.check(Exchange("GET Products(\(key))/\(name)/$value", 204))
            try await client.check(Exchange("GET Products(\(other))/\(name)/$value", 404))
            try await client.check(Exchange("GET \(Self.laptop)/\(name)/$value", 404, "is null"))
            try await client.check(Exchange("GET v2/Products(guid'\(other)')/\(name)/$value", 404))
        }
    }

    @Test("Durations are created and changed as text, in JSON and in Atom")
    func changes() async throws {
        let client = try await SampleClient()
        let json = "\nContent-Type: application/json\nAccept: application/json\n\n"
        try await client.check(
            Exchange(
                "POST v2/Products\(json){\"Name\":\"Long\",\"Price\":1,\"Status\":\"1\",\"Version\":1,"
                    + "\"ShippingTime\":\"P40D\",\"Offset\":\"-PT36H\"}", 201, #""Offset":"-P1DT12H""#,
                #""ShippingTime":"P40D""#))
        try await client.check(Exchange("MERGE \(Self.laptop)\(json){\"ShippingTime\":\"-P2D\"}", 204))
        try await client.check(Exchange("GET \(Self.laptop)/ShippingTime/$value", 200, "-P2D"))
        let atom = """
            <entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><content type="application/xml">\
            <m:properties><d:ShippingTime>P3D</d:ShippingTime></m:properties></content></entry>
            """
        try await client.check(Exchange("MERGE \(Self.laptop)\nContent-Type: application/atom+xml\n\n\(atom)", 204))
        try await client.check(Exchange("GET \(Self.laptop)/ShippingTime/$value", 200, "P3D"))
        try await client.check(Exchange("MERGE \(Self.laptop)\(json){\"ShippingTime\":\"long\"}", 400, "ShippingTime"))
        try await client.check(Exchange("MERGE \(Self.laptop)\(json){\"OpenTime\":\"PT24H\"}", 400, "OpenTime"))
    }
}
