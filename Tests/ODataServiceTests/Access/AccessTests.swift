import ByteStreams
import HTTPTypes
import ODataService
import Testing

@Suite("Who may use a service")
struct AccessTests {
    private func answer(
        _ responder: any HTTPResponder, _ fields: HTTPFields, method: HTTPRequest.Method = .get
    ) async -> HTTPResponse {
        let request = HTTPRequest(
            method: method, scheme: "http", authority: "service.test", path: "/Products", headerFields: fields)
        return await responder.respond(to: request, body: .empty, root: RequestText.root).response
    }

    @Test(
        "credentials are asked for, and checked whole",
        arguments: [
            (nil, 401), ("Basic YWRhOnNlY3JldA==", 200), ("basic YWRhOnNlY3JldA==", 200), ("Basic YWRhOnNlY3JldA", 401),
            ("Basic", 401), ("Basic YWRhOnNlY3JldA==YWRhOnNlY3JldA==", 401), ("Bearer token-1", 200),
            ("Bearer token-2", 200), ("Bearer token-3", 401), ("Bearer ", 401), ("Digest x", 401), ("", 401),
        ] as [(String?, Int)])
    func credentials(authorization: String?, status: Int) async throws {
        var credentials = Credentials()
        credentials.add(user: "ada", password: "secret")
        credentials.add(token: "token-1")
        credentials.add(token: "token-2")
        let file = try PublishedFile()
        let responder = AuthenticatingResponder(file.service, credentials: credentials)
        var fields = HTTPFields()
        fields[.authorization] = authorization
        let response = await answer(responder, fields)
        #expect(response.status.code == status)
        #expect((response.headerFields[.wwwAuthenticate] != nil) == (status == 401))
    }

    @Test("pages of an origin that is allowed read answers, and ask before")
    func crossOrigin() async throws {
        let file = try PublishedFile()
        let responder = CrossOriginResponder(file.service, policy: .origins(["https://app.example"]))
        let page: HTTPFields = [.origin: "https://app.example"]
        let read = await answer(responder, page)
        #expect(read.headerFields[.accessControlAllowOrigin] == "https://app.example")
        #expect(read.headerFields[.accessControlExposeHeaders]?.contains("ETag") == true)
        #expect(read.headerFields[.vary]?.hasSuffix("Origin") == true)
        var asking = page
        asking[.accessControlRequestMethod] = "PATCH"
        asking[.accessControlRequestHeaders] = "if-match, prefer"
        let preflight = await answer(responder, asking, method: .options)
        #expect(preflight.status == .noContent)
        #expect(preflight.headerFields[.accessControlAllowMethods]?.contains("PATCH") == true)
        #expect(preflight.headerFields[.accessControlAllowHeaders] == "if-match, prefer")
        asking[.origin] = "https://other.example"
        #expect(await answer(responder, asking, method: .options).status == .forbidden)
        #expect(
            await answer(responder, [.origin: "https://other.example"]).headerFields[.accessControlAllowOrigin] == nil)
    }
}
