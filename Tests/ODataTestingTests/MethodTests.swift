import Testing

/// [OData-Protocol, section 9.3.4: 405 Method Not Allowed; RFC 9110, section 10.2.1]
@Suite("Methods")
struct MethodTests {
    private static let laptop = "Products(a0000001-0000-4000-8000-000000000001)"
    private static let read = "GET, HEAD, OPTIONS"

    @Test(
        "Allow is the same for every method that is refused, and for OPTIONS",
        arguments: [
            ("GetTopProducts", read), ("GetTopProducts(count=1)", read), ("GetProductStats()", read),
            ("Products/ComplianceService.GetTopProducts()", read),
            ("Products/ComplianceService.GetTopProducts()/$ref", read),
            ("\(laptop)/ComplianceService.GetTotalPrice(taxRate=0.1)", read), ("$all", read), ("$all/$count", read),
            ("$crossjoin(Products,Categories)", read), ("Products/$count", read), ("$metadata", read), ("", read),
            ("ReadOnlyItems", read), ("Company", "GET, PATCH, PUT, HEAD, OPTIONS"), ("$batch", "POST, OPTIONS"),
            ("Process", "POST, OPTIONS"), ("Products/$query", "POST, OPTIONS"),
            ("\(laptop)/Photo", "GET, PUT, DELETE, HEAD, OPTIONS"),
            ("Products/$filter(Price lt 5)", "GET, PATCH, HEAD, OPTIONS"),
            ("Products/$filter(Price lt 5)/$each", "PATCH, DELETE, OPTIONS"),
        ])
    func allow(url: String, methods: String) async throws {
        let client = try await SampleClient()
        try await client.check(Exchange("OPTIONS \(url)", 204, "Allow: \(methods)\n"))
        let allowed = Set(methods.split(separator: ", ").map(String.init))
        for method in ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"] where !allowed.contains(method) {
            let body = method == "POST" || method == "PATCH" || method == "PUT" ? "\n\n{}" : ""
            try await client.check(Exchange("\(method) \(url)\(body)", 405, "Allow: \(methods)\n"))
        }
    }

    @Test("A function takes no changes whatever its parameters; $value of an entity without a stream takes nothing")
    func unbound() async throws {
        try await SampleClient.check(
            Exchange("POST FindProducts\n\n{\"name\":\"lap\"}", 405, "Allow: \(Self.read)\n"),
            Exchange("PATCH \(Self.laptop)/ComplianceService.GetTotalPrice\n\n{}", 405, "Allow: \(Self.read)\n"),
            Exchange("GET FindProducts", 404), Exchange("POST Nothing\n\n{}", 404),
            Exchange("POST \(Self.laptop)/$value\n\n{}", 405, "Allow: \n"),
            Exchange("PATCH \(Self.laptop)/$value\n\n{}", 405, "Allow: \n"),
            Exchange("GET \(Self.laptop)/$value", 400))
    }
}
