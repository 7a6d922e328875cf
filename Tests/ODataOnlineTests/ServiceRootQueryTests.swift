import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import Testing

@Suite("What a service root has of a query is carried on each request")
struct ServiceRootQueryTests {
    private static func shop(
        _ responses: [ScriptedService.Response], root: String = "http://h/root?sap-client=100"
    ) throws -> Shop {
        try Shop(responses, root: root)
    }

    @Test(
        "Reads, counts, values, streams and references",
        arguments: [
            ("Products", "Products?sap-client=100"), ("Products?$top=5", "Products?$top=5&sap-client=100"),
            ("Products(1)/Name", "Products(1)/Name?sap-client=100"),
            ("Products/$count", "Products/$count?sap-client=100"),
            ("Categories(1)/Products/$ref", "Categories(1)/Products/$ref?sap-client=100"),
        ])
    func reads(url: String, sent: String) async throws {
        let shop = try Self.shop([.response(404)])
        _ = try? await shop.read(url)
        #expect(shop.service.sent.map { $0.line.removingPercentEncoding } == ["GET http://h/root/\(sent)"])
    }

    @Test(
        "The root may end with a slash or not, and have several options",
        arguments: [
            ("http://h/root?a=1&b=2", "http://h/root/Products?a=1&b=2"),
            ("http://h/root/?a=1", "http://h/root/Products?a=1"), ("http://h?a=1", "http://h/Products?a=1"),
            ("http://h/root/?", "http://h/root/Products"), ("http://h/root/?a", "http://h/root/Products?a"),
        ])
    func roots(root: String, sent: String) async throws {
        let shop = try Self.shop([.response(404)], root: root)
        _ = try? await shop.read("Products")
        #expect(shop.service.sent.map(\.line) == ["GET \(sent)"])
    }

    @Test(
        "Next links carry it, whether they have it or not; foreign ones do not",
        arguments: [
            ("Products?$skiptoken=2", "http://h/root/Products?$skiptoken=2&sap-client=100"),
            (
                "http://h/root/Products?sap-client=100&$skiptoken=2",
                "http://h/root/Products?sap-client=100&$skiptoken=2"
            ),
            ("http://h/root/Products?sap%2Dclient=200", "http://h/root/Products?sap%2Dclient=200"),
            ("http://inside/root/Products?$skiptoken=2", "http://h/root/Products?$skiptoken=2&sap-client=100"),
            ("?$skiptoken=2", "http://h/root/Products?$skiptoken=2&sap-client=100"),
        ])
    func nextLinks(link: String, sent: String) async throws {
        let page = #"{"value":[{"ID":1,"Name":"a"}],"@odata.nextLink":"\#(link)"}"#
        let shop = try Self.shop([.json(page), .json(#"{"value":[]}"#)])
        _ = try await shop.store.entities(try shop.parser.query("Products"))
        #expect(shop.service.sent.last?.line == "GET \(sent)")
    }

    @Test("Streams, by path and by link; those of other hosts have nothing of it")
    func streams() async throws {
        let shop = try Self.shop([.response(200), .response(200), .response(200)])
        var request = StreamRequest(try shop.parser.path("Photos(1)"))
        _ = try await shop.store.readStream(request)
        for link in ["media/1", "http://cdn.test/1"] {
            request.readLink = link
            _ = try await shop.store.readStream(request)
        }
        #expect(
            shop.service.sent.map(\.line) == [
                "GET http://h/root/Photos(1)/$value?sap-client=100", "GET http://h/root/media/1?sap-client=100",
                "GET http://cdn.test/1",
            ])
    }

    @Test("Changes, tokens and references; an id with the query is that of its entity")
    func changes() async throws {
        let created = ["Location": "http://h/root/Products(5)?sap-client=100"]
        let shop = try Self.shop([.response(201, created), .response(204), .response(204)])
        let payload = EntityPayload(["Name": .string("a")])
        let result = try await shop.change("Products", .create(payload))
        #expect(result.path?.url == "Products(5)")
        let category = EntityReference.path(try shop.parser.path("Categories(1)"))
        _ = try await shop.change("Products(5)/Category", .addReference(category))
        _ = try await shop.change(
            "Categories(1)/Products", .removeReference(.path(try shop.parser.path("Products(5)"))))
        #expect(
            shop.service.sent.map(\.line) == [
                "POST http://h/root/Products?sap-client=100",
                "PUT http://h/root/Products(5)/Category/$ref?sap-client=100",
                "DELETE http://h/root/Categories(1)/Products/$ref?$id=http://h/root/Products(5)&sap-client=100",
            ])
        #expect(shop.service.sent[1].body.contains(#""http://h/root/Categories(1)""#))
    }

    @Test("The parts of a batch, and the batch", arguments: [OnlineStore.BatchEncoding.multipart, .json])
    func batch(encoding: OnlineStore.BatchEncoding) async throws {
        var configuration = OnlineStore.Configuration()
        configuration.model = try await Self.shop([]).store.model()
        configuration.batchEncoding = encoding
        let service = ScriptedService([.response(400)])
        let store = try OnlineStore(
            serviceRoot: "http://h/root/?sap-client=100", transport: service, configuration: configuration)
        let parser = QueryParser(model: try await store.model())
        let change = ChangeRequest(
            try parser.path("Products(5)"), .update(EntityPayload(["Name": .string("a")])))
        _ = await store.batch([[change], [ChangeRequest(try parser.path("Products(6)"), .delete)]])
        let sent = try #require(service.sent.first)
        #expect(sent.line == "POST http://h/root/$batch?sap-client=100")
        #expect(sent.body.contains("Products(5)?sap-client=100") && sent.body.contains("Products(6)?sap-client=100"))
    }

    @Test("Metadata, and CSRF tokens")
    func metadata() async throws {
        let service = ScriptedService([
            .response(200, ["Content-Type": "application/xml"], Shop.metadata), .response(200, ["X-CSRF-Token": "t"]),
            .response(204),
        ])
        var configuration = OnlineStore.Configuration()
        configuration.csrf = .always
        let store = try OnlineStore(
            serviceRoot: "http://h/root?sap-client=100", transport: service, configuration: configuration)
        #expect(store.serviceRoot == "http://h/root/?sap-client=100")
        let path = try QueryParser(model: try await store.model()).path("Products(5)")
        _ = try await store.change(ChangeRequest(path, .delete))
        #expect(
            service.sent.map(\.line) == [
                "GET http://h/root/$metadata?sap-client=100", "HEAD http://h/root/?sap-client=100",
                "DELETE http://h/root/Products(5)?sap-client=100",
            ])
    }
}
