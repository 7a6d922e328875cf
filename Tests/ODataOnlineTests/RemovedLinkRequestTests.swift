import ODataOnline
import ODataQuery
import ODataStores
import Testing

@Suite("Updates that remove the link of a single-valued navigation property")
struct RemovedLinkRequestTests {
    private static let unbound = EntityPayload.Binding(navigation: "Category", references: [])
    private static let cases: [(operation: ChangeRequest.Operation, line: String, body: String)] = [
        (.update(EntityPayload(bindings: [unbound])), "DELETE http://h/root/Products(1)/Category/$ref", ""),
        (
            .update(EntityPayload(nested: [.init(navigation: "Category", entities: [])])),
            "DELETE http://h/root/Products(1)/Category/$ref", ""
        ),
        (.update(EntityPayload(["Name": .string("a")])), "PATCH http://h/root/Products(1)", #"{"Name":"a"}"#),
    ]

    @Test("They are DELETE of the reference", arguments: cases)
    func alone(operation: ChangeRequest.Operation, line: String, body: String) async throws {
        let shop = try Shop(.response(204))
        var request = ChangeRequest(try shop.parser.path("Products(1)"), operation)
        request.ifMatch = "\"1\""
        _ = try await shop.store.change(request)
        #expect(shop.service.sent.map(\.line) == [line])
        #expect(shop.service.sent[0].body == body)
        #expect(shop.service.sent[0].field("If-Match") == "\"1\"")
    }

    @Test("A create does not say so")
    func create() async throws {
        let shop = try Shop(.response(201, ["Location": "http://h/root/Products(7)"]))
        _ = try await shop.change("Products", .create(EntityPayload(["ID": .integer(7)], bindings: [Self.unbound])))
        #expect(shop.service.sent[0].body == #"{"ID":7}"#)
    }

    @Test("With other changes, and in replacements, they are parts of one change set")
    func together() async throws {
        for operation: ChangeRequest.Operation in [
            .update(EntityPayload(["Name": .string("a")], bindings: [Self.unbound])),
            .replace(EntityPayload(bindings: [Self.unbound])),
        ] {
            let shop = try Shop(.response(405))
            await #expect(throws: ODataError.self) { _ = try await shop.change("Products(1)", operation) }
            #expect(shop.service.sent.map(\.line) == ["POST http://h/root/$batch"])
            let body = shop.service.sent[0].body
            #expect(body.contains("DELETE") && body.contains("Products(1)/Category/$ref"))
            #expect(!body.contains("bind"))
        }
    }

    @Test("In a change set of the app, what takes more than one request is refused by name")
    func refused() async throws {
        let shop = try Shop()
        let mixed = EntityPayload(["Name": .string("a")], bindings: [Self.unbound])
        let requests = [
            ChangeRequest(try shop.parser.path("Products(2)"), .delete),
            ChangeRequest(try shop.parser.path("Products(1)"), .update(mixed)),
        ]
        await #expect {
            _ = try await shop.store.changeSet(requests)
        } throws: {
            "\($0)".contains("Products(1)/Category") && ($0 as? ODataError)?.requestIndex == 1
        }
        #expect(shop.service.sent.isEmpty)
    }
}
