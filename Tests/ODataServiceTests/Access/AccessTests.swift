import ByteStreams
import HTTPTypes
import ODataService
import Testing

@Suite("Who may use a service")
struct AccessTests {
    private func respond(
        _ responder: any HTTPResponder, _ fields: HTTPFields, method: HTTPRequest.Method = .get
    ) async -> HTTPResponse {
        let request = HTTPRequest(
            method: method, scheme: "http", authority: "service.test", path: "/Products", headerFields: fields)
        return await responder.respond(to: request, body: .empty, root: RequestText.root).head
    }

    @Test(
        "credentials are asked for, and checked whole",
        arguments: [
            (nil, 401), ("Basic YWRhOnNlY3JldA==", 200), ("basic YWRhOnNlY3JldA==", 200), ("Basic YWRhOnNlY3JldA", 401),
            ("Basic", 401), ("Basic YWRhOnNlY3JldA==YWRhOnNlY3JldA==", 401), ("Bearer token-1", 200),
            ("Bearer token-2", 200), ("Bearer token-3", 401), ("Bearer ", 401), ("Digest x", 401), ("", 401),
        ] as [(String?, Int)])
    func credentials(authorization: String?, status: Int) async throws {
        var credentials = ServiceCredentials()
        credentials.add(user: "ada", password: "secret")
        credentials.add(token: "token-1")
        credentials.add(token: "token-2")
        let file = try PublishedFile()
        let responder = AuthenticatingResponder(file.service, credentials: credentials)
        var fields = HTTPFields()
        fields[.authorization] = authorization
        let response = await respond(responder, fields)
        #expect(response.status.code == status)
        #expect((response.headerFields[.wwwAuthenticate] != nil) == (status == 401))
    }

    @Test("pages of an origin that is allowed read responses, and ask before")
    func crossOrigin() async throws {
        let file = try PublishedFile()
        let responder = CrossOriginResponder(file.service, policy: .origins(["https://app.example"]))
        let page: HTTPFields = [.origin: "https://app.example"]
        let read = await respond(responder, page)
        #expect(read.headerFields[.accessControlAllowOrigin] == "https://app.example")
        #expect(read.headerFields[.accessControlExposeHeaders]?.contains("ETag") == true)
        #expect(read.headerFields[.vary]?.hasSuffix("Origin") == true)
        var asking = page
        asking[.accessControlRequestMethod] = "PATCH"
        asking[.accessControlRequestHeaders] = "if-match, prefer"
        let preflight = await respond(responder, asking, method: .options)
        #expect(preflight.status == .noContent)
        #expect(preflight.headerFields[.accessControlAllowMethods]?.contains("PATCH") == true)
        #expect(preflight.headerFields[.accessControlAllowHeaders] == "if-match, prefer")
        asking[.origin] = "https://other.example"
        #expect(await respond(responder, asking, method: .options).status == .forbidden)
        #expect(
            await respond(responder, [.origin: "https://other.example"]).headerFields[.accessControlAllowOrigin] == nil)
    }

    private typealias Page = (method: HTTPRequest.Method, origin: String?, site: String?, status: Int)

    private static let pages: [Page] = [
        (.get, "https://other.example", "cross-site", 200), (.head, "null", "cross-site", 200),
        (.options, "https://other.example", "cross-site", 204), (.post, nil, nil, 415),
        (.post, "http://service.test", nil, 415), (.post, "http://SERVICE.test:80", "same-origin", 415),
        (.post, "https://service.test", nil, 415), (.post, "https://service.test:443", "same-origin", 415),
        (.post, nil, "same-origin", 415), (.post, nil, "none", 415), (.delete, nil, nil, 405),
        (.post, "https://other.example", nil, 403), (.post, "null", nil, 403), (.post, "", nil, 403),
        (.post, nil, "cross-site", 403), (.post, nil, "Cross-Site", 403), (.post, nil, "same-site", 403),
        (.post, "http://service.test", "cross-site", 403), (.post, "http://service.test:8080", nil, 403),
        (.post, "http://app.service.test", "same-site", 403), (.post, "http://service.test.example", nil, 403),
        (.post, "http://service.test, http://service.test", nil, 403), (.post, "service.test", nil, 403),
        (.put, "https://other.example", nil, 403), (.patch, "https://other.example", nil, 403),
        (.delete, "https://other.example", nil, 403), (HTTPRequest.Method("MERGE")!, "https://other.example", nil, 403),
    ]

    @Test("pages of other sites change nothing", arguments: pages.indices)
    func crossSite(index: Int) async throws {
        let page = Self.pages[index]
        let file = try PublishedFile()
        var fields: HTTPFields = [.contentType: "text/plain"]
        fields[.origin] = page.origin
        fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = page.site
        let response = await respond(file.service, fields, method: page.method)
        #expect(response.status.code == page.status, "\(page)")
    }

    @Test(
        "of all ways to change something, and whatever the body is called",
        arguments: [
            "POST Products", "POST $batch", "POST Products/$query", "POST Products(1)/Discount", "POST v2/Products",
            "POST Products(1)\nX-HTTP-Method: DELETE\nMaxDataServiceVersion: 2.0", "PUT Products(1)/Category/$ref",
            "POST Photos", "PUT Photos(1)/$value", "DELETE Products(1)",
        ])
    func crossSiteWays(request: String) async throws {
        let file = try PublishedFile()
        for type in ["", "\nContent-Type: text/plain", "\nContent-Type: application/json"] {
            let response = try await file.responseText("\(request)\nOrigin: https://other.example\(type)\n\n{}")
            #expect(response.hasPrefix("403") && response.contains("https://other.example"), "\(response)")
        }
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
    }

    @Test("pages that CORS allows may change something", arguments: [nil, "https://app.example"] as [String?])
    func allowedSite(origin: String?) async throws {
        let file = try PublishedFile()
        let policy = origin.map { CrossOriginPolicy.origins([$0]) } ?? .any
        let responder = CrossOriginResponder(file.service, policy: policy)
        let page: HTTPFields = [.origin: "https://app.example", .contentType: "text/plain"]
        #expect(await respond(responder, page, method: .post).status.code == 415)
        let other: HTTPFields = [.origin: "https://other.example", .contentType: "text/plain"]
        #expect(await respond(responder, other, method: .post).status.code == (origin == nil ? 415 : 403))
    }

    @Test(
        "JSON in a type that pages send unasked makes nothing",
        arguments: [
            "POST Products\nContent-Type: text/plain",
            "POST Products\nContent-Type: application/x-www-form-urlencoded",
            "POST Products\nContent-Type: multipart/form-data; boundary=b",
            "POST Products(1)/Category/$ref", "POST $batch",
            "POST $batch\nContent-Type: text/plain",
        ])
    func untypedBody(request: String) async throws {
        let file = try PublishedFile()
        let response = try await file.responseText(request + "\n\n" + #"{"ID":9,"Name":"X","requests":[]}"#)
        #expect(response.hasPrefix("415") || response.hasPrefix("405"), "\(response)")
        #expect(try await file.responseText("GET Products/$count") == "200\n\n4")
    }
}
