import ODataService
import Testing

@Suite("Protocol")
struct ProtocolTests {
    /// A request, what its response begins with (the status, then headers), and what it contains.
    struct Case: CustomTestStringConvertible {
        var request: String
        var headers: [String]
        var start: String
        var part: String

        init(_ request: String, _ headers: [String] = [], _ start: String, _ part: String = "") {
            self.request = request
            self.headers = headers
            self.start = start
            self.part = part
        }

        var testDescription: String { request }
    }

    private func check(_ item: Case, in file: PublishedFile) async throws {
        let response = try await file.responseText(item.request, showing: item.headers)
        #expect(response.hasPrefix(item.start), "\(response)")
        if !item.part.isEmpty { #expect(response.contains(item.part), "\(response)") }
    }

    @Test(
        "negotiates versions",
        arguments: [
            Case("GET /", ["OData-Version"], "200\nOData-Version: 4.01"),
            Case("GET /\nOData-MaxVersion: 4.0", ["OData-Version"], "200\nOData-Version: 4.0"),
            Case("GET /\nOData-MaxVersion: 5.0", ["OData-Version"], "200\nOData-Version: 4.01"),
            Case("GET /\nOData-MaxVersion: 3.0", ["OData-Version"], "400"),
            Case("GET /\nOData-Version: 5.0", [], "400"), Case("GET /\nOData-Unknown: x", [], "200"),
            Case(
                "GET $metadata\nOData-MaxVersion: 4.0", ["OData-Version"], "200\nOData-Version: 4.0", "Version=\"4.0\""),
            Case("GET $metadata", ["Content-Type"], "200\nContent-Type: application/xml", "Version=\"4.01\""),
        ])
    func versions(item: Case) async throws { try await check(item, in: PublishedFile()) }

    @Test(
        "negotiates formats",
        arguments: [
            Case(
                "GET $metadata?$format=json", ["Content-Type"], "200\nContent-Type: application/json",
                "$EntityContainer"),
            Case("GET $metadata?$format=xml", ["Content-Type"], "200\nContent-Type: application/xml"),
            Case("GET $metadata\nAccept: application/json", ["Content-Type"], "200\nContent-Type: application/json"),
            Case(
                "GET $metadata\nAccept: application/json;q=0.5, application/xml", ["Content-Type"],
                "200\nContent-Type: application/xml"),
            Case("GET $metadata\nAccept: text/html", [], "406"), Case("GET $metadata?$format=text/html", [], "406"),
            Case("GET Products?format=json&top=1", [], "200"), Case("GET Products?$format=nothing", [], "406"),
            Case("GET Products?$FORMAT=json&$TOP=1", [], "200"),
            Case("GET Products(1)?$format=json;metadata=none", [], "200\n\n{\"ID\":1"),
            Case(
                "GET Products(1)?$select=ID\nOData-MaxVersion: 4.01\nAccept: application/json;metadata=minimal", [],
                "200",
                "{\"@context\":"),
            Case("GET Products?$format=json&$format=json", [], "400"),
            Case("GET Products(1)?$format=json;IEEE754Compatible=maybe", [], "406"),
            Case("POST Products\nContent-Type: text/plain\n\nx", [], "415"),
            Case("POST Products\nContent-Type: application/json;charset=utf-16\n\n{}", [], "415"),
            Case("GET Products?$index=1", [], "400"),
            Case("POST Products?$index=1\nContent-Type: application/json\n\n{\"Name\":\"x\"}", [], "400"),
            Case("GET $metadata?$top=1", [], "400"), Case("GET /?$filter=ID eq 1", [], "400"),
        ])
    func formats(item: Case) async throws { try await check(item, in: PublishedFile()) }

    @Test(
        "varies",
        arguments: [
            Case("GET Products(1)", ["Vary"], "200\nVary: Accept, OData-MaxVersion, Prefer"),
            Case("HEAD Products(1)", ["Content-Length", "OData-Version"], "200\nContent-Length: "),
            Case("OPTIONS Products(1)", ["Allow"], "204\nAllow: GET, PATCH, PUT, DELETE, HEAD, OPTIONS"),
            Case("BREW Products", [], "501"), Case("POST Products(1)", ["Allow"], "405\nAllow: GET, PATCH"),
            Case("DELETE Products", ["Allow"], "405\nAllow: GET, POST, PATCH, HEAD, OPTIONS"),
            Case(
                "PATCH Products\nContent-Type: application/json\n\n{\"Name\":\"x\"}", ["Allow"],
                "405\nAllow: GET, POST, HEAD, OPTIONS"),
            Case("GET Products\nOData-Isolation: snapshot", [], "412"),
            Case("GET Products\nIsolation: snapshot", [], "412"), Case("GET Products\nOData-Isolation: x", [], "400"),
            Case("GET Products?$schemaversion=*&$top=1", [], "200"), Case("GET Products?$schemaversion=7", [], "404"),
        ])
    func headers(item: Case) async throws { try await check(item, in: PublishedFile()) }

    @Test(
        "takes preferences, and says which it took",
        arguments: [
            Case(
                "GET Products?$select=Price\nPrefer: omit-values=nulls, odata.maxpagesize=2", ["Preference-Applied"],
                "200\nPreference-Applied: odata.maxpagesize=2, omit-values=nulls"),
            Case(
                "GET Products(3)?$select=Name,Price\nPrefer: omit-values=nulls", ["Preference-Applied"],
                "200\nPreference-Applied: omit-values=nulls", #""Name":"Bread"}"#),
            Case(
                "GET Products?$top=1\nPrefer: maxpagesize=x, unknown=7", ["Preference-Applied"],
                "200\nPreference-Applied: -"),
            Case(
                "GET Products?$expand=Category\nPrefer: odata.callback; url=\"http://x\", odata.allow-entityreferences",
                ["Preference-Applied"], "200\nPreference-Applied: -", #""Category":{"#),
            Case(
                "GET Products\nPrefer: allow-entityreferences, maxpagesize=2, callback; url=\"http://x\"",
                ["Preference-Applied"], "200\nPreference-Applied: maxpagesize=2"),
            Case(
                "GET Products\nPrefer: track-changes", ["Preference-Applied"],
                "200\nPreference-Applied: track-changes", "@odata.deltaLink"),
            Case(
                "PATCH Products(1)\nPrefer: return=representation\nContent-Type: application/json\n\n{\"Price\":3}",
                ["Preference-Applied"],
                "200\nPreference-Applied: return=representation"),
            Case(
                "PATCH Products(1)\nPrefer: return=everything\nContent-Type: application/json\n\n{\"Price\":3}",
                ["Preference-Applied"],
                "204\nPreference-Applied: -"),
        ])
    func preferences(item: Case) async throws { try await check(item, in: PublishedFile()) }

    @Test(
        "finds resources by whatever URL the standard has",
        arguments: [
            Case("GET $entity?$id=Products(1)&$select=Name", [], "200", #""Name":"Tea""#),
            Case("GET $entity?$id=http://service.test/Products(1)", [], "200", #""Name":"Tea""#),
            Case("GET $entity?id=http%3A%2F%2Fservice.test%2FProducts(1)", [], "200", #""Name":"Tea""#),
            Case("GET $entity", [], "400"), Case("GET $entity?$id=http://elsewhere/Products(1)", [], "404"),
            Case("GET $entity?$id=Products(99)", [], "404"),
            Case("GET $entity?$id=Products", [], "400", "not the id of an entity"),
            Case("GET $entity?$id=Products/$count", [], "400", "not the id of an entity"),
            Case("GET $entity?$id=Products(1)/Name", [], "400", "not the id of an entity"),
            Case("GET $entity?$id=Products(1)/$ref", [], "400"), Case("GET $entity?$id=$metadata", [], "400"),
            Case("DELETE $entity?$id=Products", [], "400"),
            Case("GET $entity?$id=Products(1)/Category", [], "200"),
            Case(
                "POST Products/$query\nContent-Type: text/plain\n\n$filter=Name eq 'Tea'&$select=Name", [], "200", "[{"),
            Case("POST Products/$query?$top=1\nContent-Type: text/plain\n\n%24select=Name", [], "200", "Name"),
            Case("POST Products/$query\nContent-Type: application/json\n\n{}", [], "415"),
            Case("GET Products/$query", [], "405"),
            Case("POST Products(1)/$query\nContent-Type: text/plain\n\n$select=Name", [], "200"),
            Case("GET Products(1)/Category/$ref", [], "200", "Categories(1)"),
            Case("GET Categories/$count", ["Content-Type"], "200\nContent-Type: text/plain\n\n2"),
        ])
    func resources(item: Case) async throws { try await check(item, in: PublishedFile()) }

    @Test(
        "asks for an ETag where it is configured so",
        arguments: [
            Case("PATCH Products(1)\nContent-Type: application/json\n\n{\"Price\":3}", [], "428"),
            Case("DELETE Products(4)", [], "428"),
            Case("PUT Products(1)/Name\n\n{\"value\":\"x\"}", [], "428"),
            Case("DELETE Products(4)\nIf-Match: *", [], "204"),
            Case("PATCH Products(1)\nIf-Match: W/\"0\"\nContent-Type: application/json\n\n{\"Price\":3}", [], "412"),
            Case("POST Products\nContent-Type: application/json\n\n{\"Name\":\"x\"}", [], "201"),
        ])
    func required(item: Case) async throws {
        try await check(item, in: PublishedFile(configure: { $0.requiresETags = true }))
    }

    @Test(
        "updates collections with deltas",
        arguments: [
            (
                "PATCH Products\nContent-Type: application/json\n\n"
                    + #"{"value":[{"ID":1,"Price":9},{"Name":"New"}]}"#, "5"
            ),
            (
                "PATCH Products\nContent-Type: application/json\n\n"
                    + ##"{"@context":"#$delta","value":[{"@id":"Products(4)","@removed":{"reason":"deleted"}}]}"##, "3"
            ),
        ])
    func collections(request: String, count: String) async throws {
        let file = try PublishedFile()
        #expect(try await file.responseText(request) == "204")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n\(count)")
    }

    @Test("limits what clients ask for")
    func limits() async throws {
        var limits = ServiceLimits()
        limits.expandDepth = 2
        limits.pageSize = 2
        let file = try PublishedFile(limits: limits)
        let deep = try await file.responseText("GET Products?$expand=Category($expand=Products($expand=Category))")
        #expect(deep.hasPrefix("400"), "\(deep)")
        let page = try await file.responseText(
            "GET Products?$select=ID\nPrefer: maxpagesize=100", showing: ["Preference-Applied"])
        #expect(page.hasPrefix("200\nPreference-Applied: -"), "\(page)")
        #expect(page.contains("nextLink"))
    }
}
