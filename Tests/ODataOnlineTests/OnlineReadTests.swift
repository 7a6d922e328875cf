import ODataFormats
import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@Suite struct OnlineReadTests {
    /// Those that are true or false: others have no place in a row.
    @Test(arguments: [nil, "Shop.*"])
    func annotationsComeWhereTheyAreAskedFor(annotations: String?) async throws {
        let entity = #"{"ID":1,"@Shop.new":true,"@Shop.old":false,"@Shop.note":"x","@odata.etag":"1","Name":"Tea"}"#
        let shop = try Shop(.json(#"{"value":[\#(entity),{"ID":2,"@Shop.old":true}]}"#))
        var request = ReadRequest(try shop.parser.query("Products"))
        request.annotations = annotations
        let found = try await shop.store.entities(request).map(\.annotations)
        #expect(shop.service.sent.first?.field("Prefer") == annotations.map { "odata.include-annotations=\"\($0)\"" })
        let expected: [[String: EdmValue]] = [
            ["Shop.new": .boolean(true), "Shop.old": .boolean(false)], ["Shop.old": .boolean(true)],
        ]
        #expect(found == (annotations == nil ? [[:], [:]] : expected))
    }

    /// A service may page what is expanded too.
    @Test func childrenOfWhichAServiceSendsAPartAreReadWhole() async throws {
        let first =
            #"{"ID":1,"Products":[{"ID":1,"Name":"Tea"}],"Products@odata.nextLink":"Categories(1)/Products?page=1"}"#
        let second = #"{"ID":2,"Products":[{"ID":4,"Name":"Bread"}]}"#
        let shop = try Shop(
            .json(#"{"value":[{"ID":1},{"ID":2}]}"#), .json(#"{"value":[\#(first),\#(second)]}"#),
            .json(#"{"value":[{"ID":2,"Name":"Cake"}],"@odata.nextLink":"Categories(1)/Products?page=2"}"#),
            .json(#"{"value":[{"ID":3,"Name":"Coffee"}]}"#))
        let categories = EntityCollections(shop.store)["Categories"]
        let children = try await categories.children(of: try await categories.findAll(), "Products")
        let names: [[EdmValue?]] = [[.string("Tea"), .string("Cake"), .string("Coffee")], [.string("Bread")]]
        #expect(children.map { $0.map { $0["Name"] } } == names)
        #expect(
            shop.service.sent.map(\.line) == [
                "GET http://h/root/Categories", "GET http://h/root/Categories?$filter=ID%20in%20(1,2)&$expand=Products",
                "GET http://h/root/Categories(1)/Products?page=1", "GET http://h/root/Categories(1)/Products?page=2",
            ])
    }

    /// At two depths, in the middle of a page and at its end.
    @Test func pagesInsidePagesComeTogether() async throws {
        let product =
            #"{"ID":1,"Name":"Tea","Category":{"ID":1,"Products":[{"ID":1}],"Products@odata.nextLink":"inner"}}"#
        let shop = try Shop(
            .json(
                #"{"value":[{"ID":1,"Products":[\#(product)],"Products@odata.nextLink":"outer"},"#
                    + #"{"ID":2,"Products":[{"ID":4,"Category":null}]}]}"#),
            .json(#"{"value":[{"ID":5},{"ID":6}]}"#),
            .json(#"{"value":[{"ID":7,"Category":{"ID":1,"Products":[],"Products@odata.nextLink":"last"}}]}"#),
            .json(#"{"value":[{"ID":8}]}"#))
        let query = try shop.parser.query("Categories?$expand=Products($expand=Category($expand=Products))")
        let found = try await shop.store.entities(query)
        #expect(found.map { Self.tree($0) } == ["1[1[1[1[] 5[] 6[]]] 7[1[8[]]]]", "2[4[]]"])
        #expect(shop.service.sent.map { $0.line.split(separator: "/").last }.dropFirst() == ["inner", "outer", "last"])
    }

    private static func tree(_ entity: EdmEntity) -> String {
        let children = entity.expanded.sorted { $0.key < $1.key }.flatMap { _, expanded in
            switch expanded {
            case .one(let entity): entity.map { [$0] } ?? []
            case .many(let entities, _): entities
            }
        }
        return "\(entity["ID"]?.lexical ?? "")[\(children.map(tree).joined(separator: " "))]"
    }

    private func rows(_ result: ReadResult) async throws -> (entities: [EdmEntity], next: String?) {
        guard case .entities(let reader) = result.body else { return ([], nil) }
        var entities: [EdmEntity] = []
        var next: String?
        while let block = try await reader.next() {
            entities += EntityAssembler(shape: reader.shape).entities(in: block)
            next = block.nextLink ?? next
        }
        return (entities, next)
    }

    @Test func entitiesAreAskedForAndRead() async throws {
        let shop = try Shop(.json(#"{"value":[{"ID":1,"Name":"Tea"}]}"#, ["Preference-Applied": "odata.track-changes"]))
        var request = ReadRequest(try shop.parser.query("Products?$filter=ID gt 0"))
        request.maxPageSize = 10
        request.tracksChanges = true
        let result = try await shop.store.read(request)
        #expect(result.tracksChanges)
        #expect(try await rows(result).entities.map { $0["Name"] } == [.string("Tea")])
        let sent = shop.service.sent[0]
        #expect(sent.line.hasPrefix("GET http://h/root/Products?$filter=ID%20gt%200"))
        #expect(sent.field("Accept") == "application/json;odata.metadata=minimal")
        #expect(sent.field("OData-MaxVersion") == "4.01")
        #expect(sent.field("Prefer") == "odata.maxpagesize=10, odata.track-changes")
    }

    @Test func whatOnlyLegacyServicesHaveIsNotSent() async throws {
        let shop = try Shop([])
        let parser = QueryParser(model: try await shop.store.model(), conventions: .legacy)
        let request = ReadRequest(try parser.query("Products?$filter=replace(Name,'a','b') eq 'x'"))
        let error = await #expect(throws: ODataError.self) { _ = try await shop.store.read(request) }
        #expect(error?.code == .notImplemented)
        #expect(shop.service.sent.isEmpty)
    }

    @Test(arguments: [
        ("Products?$skiptoken=2", "http://h/root/Products?$skiptoken=2"),
        ("?$skip=2", "http://h/root/Products?$skip=2"),
        ("http://h/root/Products?p=2", "http://h/root/Products?p=2"),
        ("https://inside:8443/root/Products?p=2", "http://h/root/Products?p=2"), ("/x/y?p=2", "http://h/x/y?p=2"),
    ])
    func aNextLinkLeadsBackToTheService(link: String, expected: String) async throws {
        let shop = try Shop(.json(#"{"value":[],"@odata.nextLink":"\#(link)"}"#), .json(#"{"value":[]}"#))
        let next = try #require(try await rows(try await shop.read("Products")).next)
        _ = try await shop.store.read(ReadRequest(try shop.parser.query("Products"), continuation: next))
        #expect(shop.service.sent.last?.line == "GET \(expected)")
    }

    @Test(arguments: [["Products?p=2"], ["Products?p=2", "Products?p=3"], ["Products?p=2", "Products?p=3", "?p=4"]])
    func nextLinksThatGoInACircleAreAnError(links: [String]) async throws {
        let pages = (0..<12).map {
            ScriptedService.Response.json(#"{"value":[],"@odata.nextLink":"\#(links[$0 % links.count])"}"#)
        }
        let shop = try Shop(pages)
        let error = await #expect(throws: ODataError.self) {
            try await shop.store.entities(try shop.parser.query("Products"))
        }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.hasPrefix("The service repeats a next link: http://h/root/Products?p=") == true)
        #expect(shop.service.sent.count < 9)
    }

    @Test func aNextLinkToAnotherHostIsRefused() async throws {
        let shop = try Shop(.json(#"{"value":[],"@odata.nextLink":"http://evil/Products"}"#))
        let error = await #expect(throws: ODataError.self) { try await rows(try await shop.read("Products")) }
        #expect(error?.code == .invalidResponse)
    }

    @Test func countsAndValues() async throws {
        let shop = try Shop(
            .response(200, ["Content-Type": "text/plain"], "\u{FEFF}17\n"), .json(#"{"value":"Tea"}"#), .response(204),
            .response(200, ["Content-Type": "text/plain"], "raw"))
        guard case .count(17) = try await shop.read("Products/$count").body else { throw Unexpected() }
        guard case .value(.string("Tea"), _) = try await shop.read("Products(1)/Name").body else { throw Unexpected() }
        guard case .nothing = try await shop.read("Products(1)/Name").body else { throw Unexpected() }
        guard case .value(.string("raw"), _) = try await shop.read("Products(1)/Name/$value").body else {
            throw Unexpected()
        }
    }

    @Test func whatDidNotChangeIsNotSent() async throws {
        let shop = try Shop(.response(304, ["ETag": "\"1\""]))
        var request = ReadRequest(try shop.parser.query("Products(1)"))
        request.ifNoneMatch = "\"1\""
        guard case .notModified = try await shop.store.read(request).body else { throw Unexpected() }
        #expect(shop.service.sent[0].field("If-None-Match") == "\"1\"")
    }

    @Test(arguments: [
        (400, ODataError.Code.badRequest), (401, .unauthorized), (403, .forbidden), (404, .notFound), (410, .gone),
        (412, .preconditionFailed), (429, .unreachable), (500, .internalError), (501, .notImplemented),
        (503, .unreachable), (302, .invalidResponse),
    ])
    func aStatusBecomesACode(status: Int, code: ODataError.Code) async throws {
        let body = #"{"error":{"code":"X1","message":"Not so."}}"#
        let shop = try Shop(.response(status, ["Content-Type": "application/json", "Retry-After": "7"], body))
        let error = await #expect(throws: ODataError.self) { try await shop.read("Products") }
        #expect(error?.code == code)
        #expect(error?.status == status)
        #expect(error?.message == "Not so.")
        #expect(error?.service?.code == "X1")
        #expect(error?.retryAfter == 7)
        #expect(error?.request == "GET http://h/root/Products")
        #expect(error?.isOutcomeUnknown == false)
    }

    @Test func aLoginPageIsNotAResponse() async throws {
        let shop = try Shop(.response(200, ["Content-Type": "text/html"], "<html><title>Log in</title>"))
        let error = await #expect(throws: ODataError.self) { try await shop.read("Products") }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("text/html") == true)
        #expect(error?.message.contains("Log in") == true)
    }

    @Test(arguments: [#"{"value":[{"ID":1},{"ID":"#, #"{"value":[{"ID":1},!!"#, "", "<xml/>"])
    func aBrokenPageIsToldWithItsPlace(text: String) async throws {
        let shop = try Shop(.json(text))
        let error = await #expect(throws: ODataError.self) { try await rows(try await shop.read("Products")) }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("byte") == true)
    }

    @Test(arguments: [(TransportError.Code.truncated, ODataError.Code.unreachable), (.cancelled, .cancelled)])
    func aPageThatBreaksOffIsAnError(code: TransportError.Code, expected: ODataError.Code) async throws {
        let shop = try Shop(.broken(200, ["Content-Type": "application/json"], #"{"value":[{"ID":1},"#, code))
        let error = await #expect(throws: ODataError.self) { try await rows(try await shop.read("Products")) }
        #expect(error?.code == expected)
        #expect(error?.request == "GET http://h/root/Products")
    }

    @Test(arguments: ["", "h/root", "ftp://h/", "http://user:secret@h/"])
    func aServiceRootThatIsNone(root: String) {
        let error = #expect(throws: ODataError.self) { try Shop(root: root) }
        #expect(error?.code == .badRequest)
        #expect(error?.message.contains("secret") != true)
    }

    @Test func theMetadataIsFetchedOnceAndAgainAfterAFailure() async throws {
        let service = ScriptedService([
            .failure(.unreachable), .response(200, ["Content-Type": "text/html"], "<html/>"),
            // Cut off: a part of the model is none.
            .response(200, ["Content-Type": "application/xml"], String(Shop.metadata.dropLast(40))),
            .response(200, ["Content-Type": "application/xml", "OData-Version": "4.0"], Shop.metadata), .json("{}"),
        ])
        let store = try OnlineStore(serviceRoot: "http://h/root/", transport: service)
        for code in [ODataError.Code.unreachable, .invalidResponse, .invalidResponse] {
            let error = await #expect(throws: ODataError.self) { try await store.model() }
            #expect(error?.code == code)
        }
        let model = try await store.model()
        #expect(try await store.model() === model)
        _ = try? await store.read(ReadRequest(try QueryParser(model: model).query("Products")))
        #expect(service.sent.map(\.line).prefix(4) == Array(repeating: "GET http://h/root/$metadata", count: 4)[...])
        #expect(service.sent.last?.field("OData-Version") == "4.0")
    }
}

struct Unexpected: Error {}
