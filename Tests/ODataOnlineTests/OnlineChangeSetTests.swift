import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@Suite struct OnlineChangeSetTests {
    private func requests(_ shop: Shop) throws -> [ChangeRequest] {
        var update = ChangeRequest(try shop.parser.path("Products(1)"), .update(EntityPayload(["Name": .null])))
        update.contentID = "r2"
        return [update, ChangeRequest(try shop.parser.path("Products(2)"), .delete)]
    }

    private let multipart = ["Content-Type": "multipart/mixed; boundary=b"]

    private func part(_ headers: String, _ response: String, boundary: String) -> String {
        "--\(boundary)\r\nContent-Type: application/http\r\n\(headers)\r\n\(response)\r\n"
    }

    @Test func allChangesGetResponsesInTheirOrder() async throws {
        let body =
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
            + part("Content-ID: r2x\r\n", "HTTP/1.1 204 No Content\r\n\r\n", boundary: "c")
            + part("Content-ID: r2\r\n", "HTTP/1.1 204 No Content\r\nETag: \"2\"\r\n\r\n", boundary: "c")
            + "--c--\r\n--b--\r\n"
        let shop = try Shop(.response(200, multipart, body))
        let results = try await shop.store.changeSet(try requests(shop))
        #expect(results.map(\.etag) == ["\"2\"", nil])
        let sent = shop.service.sent[0]
        #expect(sent.line == "POST http://h/root/$batch")
        #expect(sent.body.contains("PATCH Products(1) HTTP/1.1"))
        #expect(sent.body.contains("DELETE Products(2) HTTP/1.1"))
    }

    @Test func theChangeThatFailedIsTold() async throws {
        let response =
            "HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\n\r\n"
            + #"{"error":{"code":"X","message":"In use."}}"#
        let body = part("Content-ID: r2x\r\n", response, boundary: "b") + "--b--\r\n"
        let shop = try Shop(.response(200, multipart, body))
        let error = await #expect(throws: ODataError.self) { try await shop.store.changeSet(try requests(shop)) }
        #expect(error?.code == .conflict)
        #expect(error?.message == "In use.")
        #expect(error?.requestIndex == 1)
        #expect(error?.isOutcomeUnknown == false)
    }

    @Test(arguments: [
        ScriptedService.Response.response(200, ["Content-Type": "text/html"], "<html/>"), .failure(.interrupted),
        .response(200, ["Content-Type": "multipart/mixed; boundary=b"], "--b--\r\n"),
    ])
    func aResponseWithoutAResultLeavesTheOutcomeUnknown(response: ScriptedService.Response) async throws {
        let shop = try Shop(response)
        let error = await #expect(throws: ODataError.self) { try await shop.store.changeSet(try requests(shop)) }
        #expect(error?.isOutcomeUnknown == true)
    }
}
