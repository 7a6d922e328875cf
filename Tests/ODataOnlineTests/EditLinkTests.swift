import ByteStreams
import ODataFormats
import ODataModel
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@testable import ODataOnline

/// Entities that are changed elsewhere than their keys tell, and ETags that are none.
@Suite("Edit links and empty ETags")
struct EditLinkTests {
    private static let done = ScriptedService.Response.response(204, ["OData-Version": "4.0"])

    private func read(_ shop: Shop, _ url: String) async throws -> [EdmEntity] {
        try await shop.store.entities(try shop.parser.query(url))
    }

    private func lines(_ shop: Shop) -> [String] {
        shop.service.sent.map { $0.line.replacing("http://h/root/", with: "", maxReplacements: 1) }
    }

    /// The edit link of `Products(1)`, and what is kept of it.
    private static let links: [(String, String?)] = [
        ("Edits(7)", "Edits(7)"), ("http://h/root/Categories(3)/Products(1)", "Categories(3)/Products(1)"),
        ("Products(2)", "Products(2)"), ("Edits(7)?draft=true", "Edits(7)?draft=true"), ("/root/E/1", "E/1"),
        ("/other/Products(1)", "http://h/other/Products(1)"), ("http://inside/root/Edits(7)", "Edits(7)"),
        ("Products(1)", nil), ("http://h/root/Products(ID=1)", nil), ("Products(1)/Shop.Product", nil), ("", nil),
        ("http://evil.test/Products(1)", nil), ("javascript:1", nil),
    ]

    @Test(
        "A link that differs from the convention is used for changes and what lies below; to no other host",
        arguments: links)
    func used(link: String, kept: String?) async throws {
        let entity = #"{"@odata.id":"Products(1)","@odata.editLink":"\#(link)","ID":1,"Name":"Tea"}"#
        let shop = try Shop(
            .json(#"{"value":[\#(entity)]}"#), Self.done, Self.done, Self.done, Self.done, .json(#"{"ID":3}"#))
        #expect(try await read(shop, "Products").map(\.editLink) == [kept])
        _ = try await shop.change("Products(1)", .update(EntityPayload()))
        _ = try await shop.change("Products(1)", .replace(EntityPayload()))
        _ = try await shop.change("Products(1)", .delete)
        _ = try await shop.change("Products(1)/Category", .removeReference(nil))
        _ = try await read(shop, "Products(1)/Category?$select=ID")
        let base = kept ?? "Products(1)"
        let (path, query) = (String(base.prefix { $0 != "?" }), base.drop { $0 != "?" })
        let below = query.isEmpty ? "?$select=ID" : "\(query)&$select=ID"
        let expected = [
            "PATCH \(base)", "PUT \(base)", "DELETE \(base)", "DELETE \(path)/Category/$ref\(query)",
            "GET \(path)/Category\(below)",
        ]
        #expect(lines(shop).dropFirst().map { $0.replacing("http://h/other", with: "http://h/other") } == expected)
        #expect(shop.service.sent.allSatisfy { $0.line.contains(" http://h/") })
    }

    @Test("Where nothing lies at the link, the key is tried")
    func otherwise() async throws {
        let entity = #"{"@odata.editLink":"Edits(7)","ID":1,"Name":"Tea"}"#
        let shop = try Shop(.json(entity), .response(404), .json(entity), .response(404), .response(404))
        for _ in 0..<2 { #expect(try await read(shop, "Products(1)").count == 1) }
        await #expect(throws: ODataError.self) { _ = try await read(shop, "Products(1)/Category") }
        #expect(
            lines(shop) == [
                "GET Products(1)", "GET Edits(7)", "GET Products(1)", "GET Edits(7)/Category",
                "GET Products(1)/Category",
            ])
    }

    @Test(
        "An entity in a response to a change tells its link too, and so does one that is expanded; the app may give one"
    )
    func told() async throws {
        let body = #"{"@odata.context":"$metadata#Products/$entity","@odata.editLink":"Edits(7)","ID":1,"Name":"Tea"}"#
        let expanded = #"{"ID":5,"Products":[{"ID":2,"@odata.editLink":"Edits(8)"}]}"#
        let shop = try Shop(
            .response(201, ["Content-Type": "application/json"], body), .json(expanded), Self.done, Self.done, Self.done
        )
        _ = try await shop.change("Products", .create(EntityPayload()))
        _ = try await read(shop, "Categories(5)?$expand=Products")
        for id in [1, 2] { _ = try await shop.change("Products(\(id))", .delete) }
        var request = ChangeRequest(try shop.parser.path("Products(9)"), .update(EntityPayload()))
        request.editLink = "Edits(9)"
        _ = try await shop.store.change(request)
        #expect(lines(shop).suffix(3) == ["DELETE Edits(7)", "DELETE Edits(8)", "PATCH Edits(9)"])
        request.editLink = "http://evil.test/Edits(9)"
        await #expect(throws: ODataError.self) { try await shop.store.change(request) }
        #expect(shop.service.sent.count == 5)
    }

    @Test("Parts of a batch have the link")
    func batch() async throws {
        let shop = try Shop(.json(#"{"@odata.editLink":"Edits(7)","ID":1}"#), .response(500))
        _ = try await read(shop, "Products(1)")
        let path = try shop.parser.path("Products(1)")
        _ = await shop.store.batch([[ChangeRequest(path, .delete)], [ChangeRequest(path, .update(EntityPayload()))]])
        let body = try #require(shop.service.sent.last?.body)
        #expect(body.contains("DELETE Edits(7) HTTP") && body.contains("PATCH Edits(7) HTTP"))
    }

    @Test(
        "An empty ETag is none, in headers and annotations",
        arguments: ["", " ", #""""#, #"W/"""#])
    func emptyTags(tag: String) async throws {
        let text = tag.replacing("\"", with: "\\\"")
        let photo = #"{"@odata.etag":"\#(text)","@odata.mediaEtag":"\#(text)","ID":1}"#
        let shop = try Shop(.json(photo, ["ETag": tag]), .response(204, ["ETag": tag]), .response(200, ["ETag": tag]))
        let found = try await shop.read("Photos(1)")
        #expect(found.etag == nil)
        guard case .entities(let reader) = found.body, let block = try await reader.next() else {
            return #expect(Bool(false))
        }
        let entity = try #require(EntityAssembler(shape: reader.shape).entities(in: block).first)
        #expect(entity.etag == nil && entity.media?.etag == nil)
        #expect(try await shop.change("Products(1)", .update(EntityPayload())).etag == nil)
        let stream = try await shop.store.readStream(StreamRequest(try shop.parser.path("Photos(1)")))
        #expect(stream.etag == nil)
    }
}
