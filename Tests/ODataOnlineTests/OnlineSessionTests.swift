import ByteStreams
import ODataFormats
import ODataMetadata
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

/// Tokens and cookies of a store that was told nothing of them.
@Suite struct OnlineSessionTests {
    @Test func aServiceThatWantsATokenGetsOne() async throws {
        let shop = try Shop(
            .response(403, ["X-CSRF-Token": "Required"]),
            .response(200, ["X-CSRF-Token": "t1", "Set-Cookie": "s=1; Path=/root"]), .response(204), .response(204))
        _ = try await shop.change("Products(1)", .delete)
        _ = try await shop.change("Products(2)", .update(EntityPayload()))
        let sent = shop.service.sent
        #expect(
            sent.map(\.line) == [
                "DELETE http://h/root/Products(1)", "HEAD http://h/root/", "DELETE http://h/root/Products(1)",
                "PATCH http://h/root/Products(2)",
            ])
        #expect(sent.map { $0.field("X-CSRF-Token") } == [nil, "Fetch", "t1", "t1"])
        #expect(sent.map { $0.field("Cookie") } == [nil, nil, "s=1", "s=1"])
    }

    /// It is not the change that is refused: all others would be too.
    @Test func aChangeWithoutATokenIsUnauthorized() async throws {
        let shop = try Shop(.response(403, ["X-CSRF-Token": "Required"]), .response(404), .response(404))
        let error = await #expect(throws: ODataError.self) { try await shop.change("Products(1)", .delete) }
        #expect(error?.code == .unauthorized)
        #expect(error?.isOutcomeUnknown == false)
        #expect(shop.service.sent.count == 3)
    }

    @Test func aStreamThatCanBeReadOnceIsNotLost() async throws {
        let shop = try Shop(.response(200, ["X-CSRF-Token": "t1"]), .response(204))
        let once = ByteContent(try DataSource([65]).open(at: 0), length: 1)
        _ = try await shop.change("Photos(1)", .replaceStream(MediaContent(once, contentType: "image/png")))
        #expect(shop.service.sent.map(\.line) == ["HEAD http://h/root/", "PUT http://h/root/Photos(1)/$value"])
        #expect(shop.service.sent[1].field("X-CSRF-Token") == "t1")
        #expect(shop.service.sent[1].body == "A")
    }

    @Test func anAppCanDoWithout() async throws {
        let service = ScriptedService([.response(403, ["X-CSRF-Token": "Required", "Set-Cookie": "s=1"]), .json("{}")])
        var configuration = OnlineStore.Configuration()
        configuration.model = try CSDL.read(xml: Array(Shop.metadata.utf8)).model
        configuration.csrf = nil
        configuration.cookies = nil
        let store = try OnlineStore(serviceRoot: "http://h/root", transport: service, configuration: configuration)
        let parser = QueryParser(model: try await store.model())
        await #expect(throws: ODataError.self) {
            try await store.change(ChangeRequest(try parser.path("Products(1)"), .delete))
        }
        _ = try await store.read(ReadRequest(try parser.query("Products")))
        #expect(service.sent.count == 2)
        #expect(service.sent[1].field("Cookie") == nil)
    }
}
