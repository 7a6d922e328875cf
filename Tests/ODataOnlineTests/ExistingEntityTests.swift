import ODataModel
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@testable import ODataOnline

@Suite("An update makes no entity where there is none")
struct ExistingEntityTests {
    private static let done = ScriptedService.Response.response(
        200, ["Content-Type": "application/json", "OData-Version": "4.0"], #"{"ID":1,"Name":"Tea"}"#)
    private static let payload = EntityPayload(["Name": .string("Tea")])

    private func request(_ shop: Shop) throws -> ChangeRequest {
        ChangeRequest(try shop.parser.path("Products(1)"), .update(Self.payload))
    }

    private func conditions(_ shop: Shop) -> [String?] {
        shop.service.sent.filter { !$0.line.hasPrefix("GET ") }.map { $0.field("If-Match") }
    }

    @Test("If-Match is * where the entity has no ETag and the app does not allow a creation")
    func header() async throws {
        let shop = try Shop(Self.done, Self.done, Self.done, Self.done)
        var request = try request(shop)
        _ = try await shop.store.change(request)
        request.operation = .replace(Self.payload)
        _ = try await shop.store.change(request)
        request.ifMatch = "W/\"1\""
        _ = try await shop.store.change(request)
        (request.ifMatch, request.allowsCreate) = (nil, true)
        _ = try await shop.store.change(request)
        #expect(conditions(shop) == ["*", "*", "W/\"1\"", nil])
    }

    @Test(
        "A service that refuses it gets the update without, once the entity is found", arguments: [400, 412, 500, 501])
    func refused(status: Int) async throws {
        let shop = try Shop(.response(status), Self.done, Self.done, Self.done)
        _ = try await shop.store.change(try request(shop))
        _ = try await shop.store.change(try request(shop))
        #expect(conditions(shop) == ["*", nil, nil])
        #expect(shop.store.learnedTraits.refusals == [.init("if-match", of: "Products")])
    }

    @Test("Where the entity is not there, nothing is sent again and nothing is learned", arguments: [404, 412])
    func gone(status: Int) async throws {
        let shop = try Shop(.response(status), .response(404))
        let error = await #expect(throws: ODataError.self) { try await shop.store.change(try request(shop)) }
        #expect(error?.status == status && error?.isOutcomeUnknown == false)
        #expect(conditions(shop) == ["*"])
        #expect(shop.store.learnedTraits.refusals.isEmpty)
    }

    @Test("A service that has taken it before is believed")
    func taken() async throws {
        let shop = try Shop(Self.done, .response(412))
        _ = try await shop.store.change(try request(shop))
        await #expect(throws: ODataError.self) { try await shop.store.change(try request(shop)) }
        #expect(shop.service.sent.count == 2)
    }
}
