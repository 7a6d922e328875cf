import ByteStreams
import ODataFormats
import ODataMetadata
import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@Suite struct OnlineChangeTests {
    @Test func aCreatedEntityIsRead() async throws {
        let headers = [
            "Content-Type": "application/json", "Location": "Products(7)", "ETag": "\"1\"",
            "Repeatability-Result": "accepted",
        ]
        let shop = try Shop(.response(201, headers, #"{"ID":7,"Name":"Tea"}"#))
        let category = EntityReference.path(try shop.parser.path("Categories(3)"))
        let payload = EntityPayload(
            ["Name": .string("Tea")], bindings: [.init(navigation: "Category", references: [category])])
        var request = ChangeRequest(try shop.parser.path("Products"), .create(payload))
        request.repeatability = RepeatabilityHeaders(requestID: "id", firstSent: "Sun, 06 Nov 1994 08:49:37 GMT")
        request.returnPreference = .representation
        let result = try await shop.store.change(request)
        #expect(result.path == (try shop.parser.path("Products(7)")))
        #expect(result.entity?["Name"] == .string("Tea"))
        #expect(result.etag == "\"1\"")
        #expect(result.isRepeatable)
        let sent = shop.service.sent[0]
        #expect(sent.line == "POST http://h/root/Products")
        #expect(sent.body == #"{"Name":"Tea","Category@odata.bind":"http://h/root/Categories(3)"}"#)
        #expect(sent.field("Prefer") == "return=representation")
        #expect(sent.field("Repeatability-Request-ID") == "id")
        #expect(sent.field("Repeatability-First-Sent") == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    /// In OASIS's header or in SAP Gateway's.
    @Test(arguments: [
        ("Repeatability-Result", "accepted", true), ("RepeatabilityResult", "Accepted", true),
        ("RepeatabilityResult", "rejected", false), ("RequestID", "accepted", false),
    ])
    func aServiceSaysThatItRecognizesTheRequest(name: String, value: String, isRepeatable: Bool) async throws {
        let shop = try Shop(.response(204, [name: value]))
        #expect(try await shop.change("Products(1)", .delete).isRepeatable == isRepeatable)
    }

    @Test(arguments: [
        (["OData-EntityId": "http://inside/root/Products(7)"], 204), (["Location": "http://h/root/Products(7)"], 201),
        (["Location": "Products(7)", "Content-Type": "application/json"], 201),
    ])
    func aResponseWithoutABodyIsEnough(headers: [String: String], status: Int) async throws {
        let shop = try Shop(.response(status, headers))
        let result = try await shop.change("Products", .create(EntityPayload(["ID": .integer(7)])))
        #expect(result.path == (try shop.parser.path("Products(7)")))
        #expect(result.entity == nil)
    }

    @Test func aBodyThatBreaksOffDoesNotUndoTheChange() async throws {
        let headers = ["Content-Type": "application/json", "Location": "http://h/root/Products(7)"]
        let shop = try Shop(.broken(201, headers, #"{"ID":7,"#, .truncated))
        let result = try await shop.change("Products", .create(EntityPayload()))
        #expect(result.path == (try shop.parser.path("Products(7)")))
    }

    @Test func eachOperationHasItsRequest() async throws {
        let product = EntityReference.url("Products(2)")
        let media = MediaContent(ByteContent([65]), contentType: "image/png")
        let cases: [(String, ChangeRequest.Operation, String, String)] = [
            ("Products(1)", .update(EntityPayload(["Name": .null])), "PATCH Products(1)", #"{"Name":null}"#),
            ("Products(1)", .replace(EntityPayload()), "PUT Products(1)", "{}"),
            ("Products(1)", .delete, "DELETE Products(1)", ""),
            ("Products(1)/Name", .setValue(.string("a")), "PUT Products(1)/Name", #"{"value":"a"}"#),
            ("Products(1)/Name", .setValue(.null), "DELETE Products(1)/Name", ""),
            ("Products(1)/Name", .setRawValue([66], contentType: nil), "PUT Products(1)/Name/$value", "B"),
            (
                "Categories(1)/Products", .addReference(product), "POST Categories(1)/Products/$ref",
                #"{"@odata.id":"http://h/root/Products(2)"}"#
            ),
            (
                "Products(1)/Category/$ref", .addReference(.url("Categories(2)")), "PUT Products(1)/Category/$ref",
                #"{"@odata.id":"http://h/root/Categories(2)"}"#
            ),
            (
                "Categories(1)/Products", .removeReference(product),
                "DELETE Categories(1)/Products/$ref?$id=http://h/root/Products(2)", ""
            ),
            ("Products(1)/Category", .removeReference(nil), "DELETE Products(1)/Category/$ref", ""),
            ("Photos", .createMedia(media, slug: "a"), "POST Photos", "A"),
            ("Photos(1)", .replaceStream(media), "PUT Photos(1)/$value", "A"),
            ("Photos(1)", .deleteStream, "DELETE Photos(1)/$value", ""),
        ]
        for (path, operation, line, body) in cases {
            let shop = try Shop(.response(204))
            _ = try await shop.change(path, operation)
            let sent = shop.service.sent[0]
            #expect(sent.line.replacing("http://h/root/", with: "", maxReplacements: 1) == line)
            #expect(sent.body == body)
        }
    }

    /// The version is the one that the service has told with an earlier response.
    @Test func aPayloadTellsItsVersionAndType() async throws {
        let media = MediaContent(ByteContent([65]), contentType: "image/png")
        let cases: [(String, ChangeRequest.Operation, String?)] = [
            ("Products", .create(EntityPayload(["Name": .string("Tea")])), "application/json"),
            ("Products(1)", .update(EntityPayload(["Name": .null])), "application/json"),
            ("Products(1)", .replace(EntityPayload()), "application/json"),
            ("Products(1)/Name", .setValue(.string("a")), "application/json"),
            ("Categories(1)/Products", .addReference(.url("Products(2)")), "application/json"),
            ("Photos", .createMedia(media, slug: nil), "image/png"), ("Products(1)", .delete, nil),
        ]
        for version in ["4.0", "4.01"] {
            for (path, operation, type) in cases {
                let shop = try Shop(.json(#"{"value":[]}"#, ["OData-Version": version]), .response(204))
                guard case .entities = try await shop.read("Products").body else { throw Unexpected() }
                _ = try await shop.change(path, operation)
                let sent = try #require(shop.service.sent.last)
                #expect(sent.field("OData-Version") == version, "\(sent.line)")
                #expect(sent.field("Content-Type") == type, "\(sent.line)")
            }
        }
    }

    @Test func aSlugIsEncoded() async throws {
        let shop = try Shop(.response(204))
        let media = MediaContent(ByteContent([65]), contentType: "image/png")
        _ = try await shop.change("Photos", .createMedia(media, slug: "a/b\\Café\r\n 50%.png"))
        #expect(shop.service.sent[0].field("Slug") == "Caf%C3%A9 50%25.png")
    }

    @Test(arguments: [
        (TransportError.Code.unreachable, false), (.insecure, false), (.redirect, false), (.credentials, false),
        (.timeout, true), (.interrupted, true), (.truncated, true), (.cancelled, true),
    ])
    func whetherTheServiceActedIsTold(code: TransportError.Code, isUnknown: Bool) async throws {
        let shop = try Shop(.failure(code))
        let error = await #expect(throws: ODataError.self) { try await shop.change("Products(1)", .delete) }
        #expect(error?.isOutcomeUnknown == isUnknown)
        #expect(error?.request == "DELETE http://h/root/Products(1)")
    }

    @Test(arguments: [
        (400, false), (409, false), (500, false), (429, false), (502, true), (504, true), (202, true), (408, true),
        (503, true),
    ])
    func aStatusTellsWhetherTheServiceActed(status: Int, isUnknown: Bool) async throws {
        let shop = try Shop(.response(status))
        let error = await #expect(throws: ODataError.self) { try await shop.change("Products(1)", .delete) }
        #expect(error?.isOutcomeUnknown == isUnknown)
    }

    @Test func aServiceThatSaysWhenToComeAgainHasNotActed() async throws {
        let shop = try Shop(.response(503, ["Retry-After": "7"]))
        let error = await #expect(throws: ODataError.self) { try await shop.change("Products(1)", .delete) }
        #expect(error?.isOutcomeUnknown == false)
        #expect(error?.retryAfter == 7)
    }

    /// Only where the metadata or a response promise it is a marked change repeated; a refusal after that leaves open
    /// what became of the first attempt.
    @Test(arguments: [false, true])
    func aMarkedChangeIsRepeatedWhereTheServiceRecognizesIt(isPromised: Bool) async throws {
        var schemas = try CSDL.read(xml: Array(Shop.metadata.utf8)).model.schemas
        if isPromised { schemas[0].containerAnnotations = [EdmAnnotation(term: EdmAnnotation.repeatability)] }
        let model = try EdmModel(schemas: schemas)
        let service = ScriptedService([
            .failure(.timeout), .response(409), .response(204, ["Repeatability-Result": "accepted"]),
            .failure(.timeout),
            .response(204),
        ])
        var configuration = OnlineStore.Configuration()
        configuration.model = model
        configuration.middleware = [RetryMiddleware(pause: { _ in })]
        let store = try OnlineStore(serviceRoot: "http://h/root", transport: service, configuration: configuration)
        var request = ChangeRequest(try QueryParser(model: model).path("Products(1)"), .delete)
        request.repeatability = RepeatabilityHeaders(requestID: "id", firstSent: "Sun, 06 Nov 1994 08:49:37 GMT")
        let error = await #expect(throws: ODataError.self) { try await store.change(request) }
        #expect(error?.isOutcomeUnknown == true)
        #expect(error?.status == (isPromised ? 409 : nil))
        if !isPromised { await #expect(throws: ODataError.self) { try await store.change(request) } }
        // The service says that it knows such requests: from then on they are repeated.
        _ = try await store.change(request)
        _ = try await store.change(request)
        #expect(service.sent.count == 5)
    }

    /// The service would take the properties for the stream.
    @Test func mediaEntitiesAreNotMadeWithoutStreams() async throws {
        let shop = try Shop()
        let error = await #expect(throws: ODataError.self) {
            try await shop.change("Photos", .create(EntityPayload(["ID": .integer(7)])))
        }
        #expect(error?.code == .badRequest && error?.isOutcomeUnknown == false)
        #expect(error?.message.contains("createMedia") == true)
        #expect(shop.service.sent.isEmpty)
    }

    /// A login page on the way must not pass for the service: what was sent would be lost.
    @Test(arguments: [
        ("text/html", "<html>Log in</html>"), ("application/json", "{\"ok\":"), ("application/json", "<html/>"),
    ])
    func aSuccessThatIsNotODataIsNone(type: String, body: String) async throws {
        for operation in [ChangeRequest.Operation.update(EntityPayload()), .create(EntityPayload())] {
            let shop = try Shop(.response(200, ["Content-Type": type], body))
            let path = if case .create = operation { "Products" } else { "Products(1)" }
            let error = await #expect(throws: ODataError.self) { try await shop.change(path, operation) }
            #expect(error?.code == .invalidResponse)
            #expect(error?.isOutcomeUnknown == true)
        }
        let shop = try Shop(.response(200, ["Content-Type": "text/html"], "<html/>"))
        await #expect(throws: ODataError.self) { try await shop.change("Products(1)", .delete) }
    }
}
