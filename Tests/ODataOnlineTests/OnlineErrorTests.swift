import ODataModel
import ODataStores
import ODataTransport
import Testing

/// What an app is told of a failure.
@Suite struct OnlineErrorTests {
    private func failure(_ body: String, type: String?, status: Int = 400) async throws -> ODataError {
        let shop = try Shop(.response(status, type.map { ["Content-Type": $0] } ?? [:], body))
        let error = await #expect(throws: ODataError.self) { try await shop.change("Products(1)", .delete) }
        return try #require(error)
    }

    static let inner = #"{"stack":"a\nb"}"#
    static let v4 = """
        {"error":{"code":"E1","message":"Not so.","target":"Name","details":[
        {"code":"D1","message":"Too long.","target":"Name"},{"code":"D2","message":"Not in use."}],
        "innererror":{"stack":"a\\nb"}}}
        """
    static let v2 = #"{"error":{"code":"E1","message":{"lang":"en","value":"Not so."},"innererror":{"stack":"a\nb"}}}"#
    static let sap = """
        {"error":{"code":"E1","message":{"lang":"en","value":"Not so."},"innererror":{"errordetails":[
        {"code":"D1","message":"Too long.","propertyref":"Name","severity":"error"},
        {"code":"D2","message":"Not in use.","target":""}]}}}
        """
    static let xml = """
        <?xml version="1.0" encoding="utf-8"?><error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <code>E1</code><message xml:lang="en">Not so.</message><innererror><errordetails>
        <errordetail><code>D1</code><message>Too long.</message><propertyref>Name</propertyref></errordetail>
        <errordetail><code>D2</code><message>Not in use.</message></errordetail></errordetails></innererror></error>
        """

    @Test(arguments: [
        (v4, "application/json", 2), ("\u{FEFF}" + v4, "application/json;charset=utf-8", 2), (v4, "text/plain", 2),
        (v2, "application/json", 0), (v2.replacing("\"error\"", with: "\"odata.error\"", maxReplacements: 1), "x/y", 0),
        (sap, "application/json", 2), (xml, "application/xml", 2), (xml, "application/atom+xml;charset=utf-8", 2),
    ])
    func theServicesErrorIsTold(body: String, type: String, details: Int) async throws {
        let error = try await failure(body, type: type)
        #expect(error.code == .badRequest && error.status == 400)
        #expect(error.message == "Not so.")
        #expect(error.request == "DELETE http://h/root/Products(1)")
        let service = try #require(error.service)
        #expect(service.code == "E1" && service.message == "Not so.")
        #expect(service.details.map(\.code) == ["D1", "D2"].prefix(details).map { $0 })
        #expect(service.details.first?.target == (details > 0 ? "Name" : nil))
        #expect(service.target == (body.contains("\"target\":\"Name\",\"details\"") ? "Name" : nil))
        #expect(service.innerError?.isEmpty == false)
    }

    @Test func theInnerErrorIsTheServicesText() async throws {
        #expect(try await failure(Self.v4, type: "application/json").service?.innerError == Self.inner)
    }

    @Test(
        arguments: [
            ("", nil, "The service returned 502."), (" \r\n", "text/plain", "The service returned 502."),
            ("No upstream", "text/plain", "The service returned 502: No upstream"),
            (
                "<!DOCTYPE html><html><head><title>502 Bad\nGateway</title><style>p{color:red}</style>"
                    + "<SCRIPT>if(a<b){}</SCRIPT></head><body><h1>Bad Gateway</h1><p>proxy&nbsp;7</p></body></html>",
                "text/html", "The service returned 502: 502 Bad Gateway Bad Gateway proxy&nbsp;7"
            ),
            ("<html><p>cut o", "text/html", "The service returned 502: cut o"),
            ("<html", "text/html", "The service returned 502."),
            ("{\"error\":\"text\"}", "application/json", "The service returned 502: {\"error\":\"text\"}"),
            ("<error><other/></error>", "application/xml", "The service returned 502."),
            ("\u{0}\u{1}\u{FFFD}", "application/octet-stream", "The service returned 502."),
        ] as [(String, String?, String)])
    func whatIsNoErrorOfODataIsQuoted(body: String, type: String?, message: String) async throws {
        let error = try await failure(body, type: type, status: 502)
        #expect(error.message == message)
        #expect(error.service == nil)
        #expect(error.code == .unreachable && error.isOutcomeUnknown)
    }

    @Test func aLongPageIsCut() async throws {
        let error = try await failure(String(repeating: "word ", count: 1000), type: "text/plain")
        #expect(error.message.count < 200)
        #expect(error.message.hasSuffix("…"))
    }

    @Test(arguments: [(303, true), (302, false), (307, false)])
    func aRedirectThatIsNotFollowedTellsWhere(status: Int, isUnknown: Bool) async throws {
        let shop = try Shop(.response(status, status == 307 ? [:] : ["Location": "/login"]))
        let error = await #expect(throws: ODataError.self) { try await shop.change("Products(1)", .delete) }
        #expect(error?.message.contains("/login") == (status != 307))
        #expect(error?.isOutcomeUnknown == isUnknown)
        #expect(shop.service.sent.count == 1)
    }

    @Test(arguments: [
        (TransportError.Code.unsupported, ODataError.Code.notImplemented), (.encoding, .invalidResponse),
        (.credentials, .unauthorized), (.redirect, .invalidResponse), (.invalidURL, .badRequest),
    ])
    func aFailureOfTheTransportHasItsRequest(code: TransportError.Code, expected: ODataError.Code) async throws {
        let shop = try Shop(.failure(code))
        let error = await #expect(throws: ODataError.self) { try await shop.read("Products") }
        #expect(error?.code == expected)
        #expect(error?.request == "GET http://h/root/Products")
        #expect((error?.cause as? TransportError)?.code == code)
    }
}
