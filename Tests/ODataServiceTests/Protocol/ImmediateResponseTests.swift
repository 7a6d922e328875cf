import ByteStreams
import Foundation
import HTTPTypes
import ODataService
import ODataStores
import Testing

@Suite("Responses that need not be waited for", .timeLimit(.minutes(5)))
struct ImmediateResponseTests {
    private static let numbers = """
        CREATE TABLE Numbers (ID INTEGER PRIMARY KEY, Square INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO Numbers SELECT i, i * i FROM n;
        """

    private let file: PublishedFile

    init() throws { file = try PublishedFile(also: Self.numbers) }

    /// `GET Products(1)`, with the lines of the headers behind it.
    private func request(_ text: String) -> HTTPRequest {
        let lines = text.split(separator: "\n")
        let parts = lines[0].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        var request = HTTPRequest(
            method: HTTPRequest.Method(String(parts[0])) ?? .get, scheme: "http", authority: "service.test",
            path: "/" + parts[1])
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            if let name = HTTPField.Name(String(pair[0])) { request.headerFields[name] = String(pair[1].dropFirst()) }
        }
        return request
    }

    private func immediate(_ request: HTTPRequest) -> ServiceResponse? {
        file.service.immediateResponse(to: request, root: RequestText.root, context: ResponderContext())
    }

    private func ordinary(_ request: HTTPRequest) async -> ServiceResponse {
        await file.service.respond(to: request, body: .empty, root: RequestText.root)
    }

    /// The response without a wait, once the request is known; a machine with other work may take several attempts.
    private func known(_ request: HTTPRequest) async throws -> ServiceResponse {
        for _ in 0..<1000 {
            for _ in 0..<3 { _ = await ordinary(request) }
            for _ in 0..<65 { if let response = immediate(request) { return response } }
        }
        return try #require(immediate(request))
    }

    private func text(_ response: ServiceResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: 10_000_000), as: UTF8.self)
    }

    /// What a server responds with.
    private func current(_ request: HTTPRequest) async throws -> String {
        if let response = immediate(request) { return try await text(response) }
        return try await text(await ordinary(request))
    }

    @Test(
        "They are those of other requests, byte for byte",
        arguments: [
            "Products(1)", "Products(2)?$select=Name", "Products", "Products?$filter=Price%20gt%204&$orderby=Name",
            "Products?$filter=Price%20gt%201000", "Products?$expand=Category&$count=true", "Products(1)/Category",
            "Categories(1)?$expand=Products($select=Name;$orderby=Price%20desc;$top=1)", "Categories(1)/Products",
            "Products?$top=2&$format=json", "Products\nPrefer: odata.maxpagesize=2",
            "Products\nPrefer: omit-values=nulls", "Products(1)\nAccept: application/json;odata.metadata=full",
            "Products(1)\nAccept: application/json;metadata=none\nOData-MaxVersion: 4.01",
            "Products(1)\nOData-MaxVersion: 4.0", "$metadata", "$metadata\nAccept: application/json",
            "$metadata\nAccept-Encoding: gzip", "", "\nAccept: application/json;odata.metadata=none",
        ])
    func same(_ line: String) async throws {
        let request = request("GET \(line)")
        let response = try await known(request)
        let other = await ordinary(request)
        #expect(response.head == other.head)
        #expect(response.head.status == .ok)
        #expect(response.body.length == other.body.length)
        #expect(try await response.body.collect(upTo: 1_000_000) == other.body.collect(upTo: 1_000_000))
    }

    @Test("An ETag that still holds has no body")
    func unchanged() async throws {
        var request = request("GET $metadata")
        request.headerFields[.ifNoneMatch] = try await known(request).head.headerFields[.eTag]
        let response = try await known(request)
        #expect(response.head == (await ordinary(request)).head)
        #expect(response.head.status == .notModified)
        #expect(response.body.length == 0)
    }

    @Test(
        "Other requests, errors and long results are not among them",
        arguments: [
            "HEAD Products(1)", "POST Products", "DELETE Products(1)", "OPTIONS Products", "GET Products(99)",
            "GET Nothing", "GET Products?$filter=Nothing%20eq%201", "GET Products(1)/Name", "GET Products/$count",
            "GET Photos(1)/$value", "GET v2/Products", "GET Products\nMaxDataServiceVersion: 2.0",
            "GET Products\nPrefer: respond-async", "GET Products\nOData-MaxVersion: 3.0",
            "GET Products\nOData-Isolation: snapshot", "GET Products\nPrefer: odata.track-changes",
            "GET Products\nUpload-Complete: ?1", "GET Products\nAccept: text/html", "GET $uploads/1", "GET $async/1",
            "GET $all", "GET Double(number=2)", "GET Products/shop.Below(price=5)", "GET Numbers",
            "GET Products/$query", "GET Products?$skiptoken=abc", "GET Products(4)/Category",
        ])
    func ordinary(_ line: String) async throws {
        let request = request(line)
        _ = await ordinary(self.request("GET Products"))
        for _ in 0..<4 {
            let isNil = immediate(request) == nil
            #expect(isNil)
            _ = try? await ordinary(request).body.collect(upTo: 1_000_000)
        }
    }

    @Test("A long result does not keep short ones of the same set from being there")
    func neighbour() async throws {
        let long = request("GET Numbers")
        for _ in 0..<3 { #expect(try await current(long).contains("\"ID\":3000,")) }
        let short = try await known(request("GET Numbers(7)"))
        #expect(try await text(short).contains("\"Square\":49"))
        let isNil = immediate(long) == nil
        #expect(isNil)
    }

    @Test("Each sees what this service has changed")
    func ownChange() async throws {
        let request = request("GET Products(1)")
        for name in ["Green tea", "Black tea", "White tea"] {
            _ = try await known(request)
            let change = "PATCH Products(1)\nContent-Type: application/json\n\n{\"Name\":\"\(name)\"}"
            #expect(try await file.text.responseText(change).hasPrefix("20"))
            #expect(try await current(request).contains("\"Name\":\"\(name)\""))
        }
    }

    @Test(
        "Each sees what another program has changed: values, values of other types, the schema",
        arguments: [
            ("UPDATE Products SET Name = 'Other' WHERE ID = 1", "\"Name\":\"Other\""),
            ("UPDATE Products SET Price = 'dear' WHERE ID = 1", "\"Price\":\"dear\""),
            ("ALTER TABLE Products ADD COLUMN Colour TEXT DEFAULT 'red'", "\"Colour\":\"red\""),
            ("ALTER TABLE Products RENAME COLUMN Name TO Title", "\"Title\":\"Tea\""),
        ])
    func foreignChange(sql: String, expected: String) async throws {
        let (entity, set) = (request("GET Products(1)"), request("GET Products"))
        _ = try await known(entity)
        _ = try await known(set)
        try file.execute(sql)
        #expect(try await current(entity).contains(expected))
        #expect(try await current(set).contains(expected))
        #expect(try await text(known(entity)).contains(expected))
        let isNew = try await current(request("GET $metadata")).contains("Colour")
        #expect(isNew == sql.contains("Colour"))
    }

    @Test("There is none while the file is away")
    func removed() async throws {
        let request = request("GET Products(1)")
        _ = try await known(request)
        _ = try await known(self.request("GET $metadata"))
        let (path, away) = (file.folder.appendingPathComponent("shop.db"), file.folder.appendingPathComponent("away"))
        try FileManager.default.moveItem(at: path, to: away)
        let isNil = immediate(request) == nil && immediate(self.request("GET $metadata")) == nil
        try FileManager.default.moveItem(at: away, to: path)
        #expect(isNil)
        #expect(try await text(known(request)).contains("\"Tea\""))
    }

    @Test("Behind a policy for other origins there are those for requests of no origin")
    func crossOrigin() async throws {
        var request = request("GET Products(1)")
        _ = try await known(request)
        let responder = CrossOriginResponder(file.service, policy: .any)
        func immediate() -> ServiceResponse? {
            responder.immediateResponse(to: request, root: RequestText.root, context: ResponderContext())
        }
        let own = try await known(request)
        var found: ServiceResponse?
        for _ in 0..<10_000 where found == nil { found = immediate() }
        #expect(found?.head == own.head)
        request.headerFields[.origin] = "https://app.example"
        let isNil = immediate() == nil
        #expect(isNil)
    }
}
