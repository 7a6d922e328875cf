import ByteStreams
import ODataFormats
import ODataMetadata
import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

/// Operations, values, references and batches: what is sent for each, and what comes of the response.
@Suite struct OnlineOperationTests {
    private func shop(
        _ responses: [ScriptedService.Response], _ configure: (inout OnlineStore.Configuration) -> Void = { _ in }
    ) throws -> (service: ScriptedService, store: OnlineStore, parser: QueryParser) {
        var configuration = OnlineStore.Configuration()
        let model = try CSDL.read(xml: Array(Self.metadata.utf8)).model
        configuration.model = model
        configure(&configuration)
        let service = ScriptedService(responses)
        let store = try OnlineStore(serviceRoot: "http://h/root", transport: service, configuration: configuration)
        return (service, store, QueryParser(model: model))
    }

    private static let tea = #"{"ID":1,"Name":"Tea"}"#

    private func text(_ body: ReadResult.Body) async throws -> String {
        switch body {
        case .entities(let reader):
            var names: [String] = []
            while let block = try await reader.next() {
                let entities = EntityAssembler(shape: reader.shape).entities(in: block)
                names += entities.map { entity in
                    if case .string(let name)? = entity["Name"] { name } else { entity.id ?? "?" }
                }
            }
            return names.joined(separator: ",")
        case .value(let value, _): return String(decoding: value.jsonText, as: UTF8.self)
        case .count(let count): return "\(count)"
        case .nothing: return "nothing"
        case .notModified: return "not modified"
        }
    }

    @Test(arguments: [
        ("Best(count=2)", #"{"value":[\#(tea)]}"#, "Tea"), ("Best(count=2)?$top=1", #"{"value":[\#(tea)]}"#, "Tea"),
        ("Sum(a=1,b=2.5)", #"{"value":3.5}"#, "3.5"), ("Products(1)/Shop.Rival()", tea, "Tea"),
        ("Products/Shop.Cheapest()", tea, "Tea"), ("Products/$count", "17", "17"),
        ("Products/$count?$filter=ID gt 1", "3", "3"), ("Products(1)/Name", #"{"value":"Tea"}"#, #""Tea""#),
        ("Products(1)/Tags", #"{"value":["a","b"]}"#, #"["a","b"]"#), ("Me", tea, "Tea"),
        ("Products(1)/Size", #"{"Width":2}"#, #"{"Width":2}"#), ("Products(1)/Size/Width", #"{"value":2}"#, "2"),
        (
            "Products(1)/Category/$ref", ##"{"@odata.context":"$metadata#$ref","@odata.id":"Categories(5)"}"##,
            "Categories(5)"
        ),
        (
            "Categories(1)/Products/$ref", #"{"value":[{"@odata.id":"Products(1)"},{"@odata.id":"Products(2)"}]}"#,
            "Products(1),Products(2)"
        ),
        ("Products(1)/Category", "", "nothing"),
    ])
    func whatIsReadComes(url: String, body: String, expected: String) async throws {
        let type = body.first == "{" ? "application/json" : "text/plain"
        let (service, store, parser) = try shop([.response(body.isEmpty ? 204 : 200, ["Content-Type": type], body)])
        let result = try await store.read(ReadRequest(try parser.query(url)))
        #expect(try await text(result.body) == expected)
        #expect(service.sent[0].line == "GET http://h/root/" + url.replacing(" ", with: "%20"))
    }

    @Test(arguments: [
        ("Name", "text/plain", "Tea", EdmValue.string("Tea")),
        ("Picture", "application/octet-stream", "AB", .binary([65, 66])),
        ("Size/Width", "text/plain", "2", .integer(2)),
    ])
    func rawValuesAreReadAndWritten(property: String, type: String, text: String, value: EdmValue) async throws {
        let (service, store, parser) = try shop([
            .response(200, ["Content-Type": type], text), .response(204), .response(200, ["Content-Type": type], text),
        ])
        let query = try parser.query("Products(1)/\(property)/$value")
        guard case .value(value, _) = try await store.read(ReadRequest(query)).body else { throw Unexpected() }
        let path = try parser.path("Products(1)/\(property)")
        _ = try await store.change(ChangeRequest(path, .setRawValue(Array(text.utf8), contentType: type)))
        let stream = try await store.readStream(StreamRequest(try parser.path("Products(1)/\(property)/$value")))
        #expect(try await stream.content.collect(upTo: 100) == Array(text.utf8))
        #expect(service.sent[1].line == "PUT http://h/root/Products(1)/\(property)/$value")
        #expect(service.sent[1].field("Content-Type") == type)
        #expect(service.sent[1].body == text)
    }

    @Test func valuesAreWritten() async throws {
        let size = ["Width": .integer(2)] as EdmComplexValue
        let cases: [(String, ChangeRequest.Operation, String, String)] = [
            ("Products(1)/Size", .setValue(.complex(size)), "PUT Products(1)/Size", #"{"Width":2}"#),
            (
                "Products(1)/Tags", .setValue(.collection([.string("a")])), "PUT Products(1)/Tags",
                #"{"value":["a"]}"#
            ),
            ("Products(1)/Tags", .insertValue(.string("b"), at: nil), "POST Products(1)/Tags", #"{"value":"b"}"#),
            (
                "Products(1)/Tags", .insertValue(.string("b"), at: -1), "POST Products(1)/Tags?$index=-1",
                #"{"value":"b"}"#
            ),
            ("Me", .update(EntityPayload(["Name": .string("I")])), "PATCH Me", #"{"Name":"I"}"#),
        ]
        for (path, operation, line, body) in cases {
            let (service, store, parser) = try shop([.response(204)])
            _ = try await store.change(ChangeRequest(try parser.path(path), operation))
            #expect(service.sent[0].line.replacing("http://h/root/", with: "", maxReplacements: 1) == line)
            #expect(service.sent[0].body == body)
        }
    }

    @Test(arguments: [
        ("Products(1)/Shop.Rate", #"{"stars":5}"#, #"{"value":4.5}"#, "4.5"), ("Reset", "{}", "", "nothing"),
        ("Products/Shop.Discount", #"{"stars":5}"#, #"{"value":[\#(tea)]}"#, "Tea"),
    ])
    func actionsAreCalled(path: String, body: String, response: String, expected: String) async throws {
        let (service, store, parser) = try shop([
            .response(
                response.isEmpty ? 204 : 200, ["Content-Type": "application/json", "OData-Version": "4.0"], response)
        ])
        let arguments = body == "{}" ? EdmComplexValue() : ["stars": .integer(5)]
        let result = try await store.change(ChangeRequest(try parser.path(path), .call(arguments: arguments)))
        #expect(try await text(try #require(result.called).body) == expected)
        #expect(service.sent[0].line == "POST http://h/root/\(path)")
        #expect(service.sent[0].body == body)
    }

    /// What the service has shown with other requests says nothing of an action.
    @Test(arguments: [nil, true, false] as [Bool?])
    func anActionIsRepeatedWhereTheMetadataSayThatItIsRecognized(promise: Bool?) async throws {
        let accepted = ScriptedService.Response.response(204, ["Repeatability-Result": "accepted"])
        let (service, store, parser) = try shop([accepted, .failure(.timeout), accepted]) { configuration in
            configuration.middleware = [RetryMiddleware(pause: { _ in })]
            guard let promise, var schemas = configuration.model?.schemas else { return }
            schemas[0].containerAnnotations = [EdmAnnotation(term: EdmAnnotation.repeatability, value: .bool(promise))]
            configuration.model = EdmModel.lenient(schemas: schemas).model
        }
        let changes: [(String, ChangeRequest.Operation)] = [
            ("Products(1)", .delete), ("Reset", .call(arguments: EdmComplexValue())),
        ]
        for (path, operation) in changes {
            var request = ChangeRequest(try parser.path(path), operation)
            request.repeatability = RepeatabilityHeaders(requestID: path, firstSent: "Sun, 06 Nov 1994 08:49:37 GMT")
            _ = try? await store.change(request)
        }
        #expect(service.sent.count == (promise == true ? 3 : 2))
    }

    @Test func aWholeTreeIsCreated() async throws {
        let response = #"{"ID":1,"Products":[{"ID":7,"Name":"Tea"}]}"#
        let (service, store, parser) = try shop([
            .response(201, ["Content-Type": "application/json", "Location": "Categories(1)"], response)
        ])
        var payload = EntityPayload(["ID": .integer(1)])
        payload.nested = [.init(navigation: "Products", entities: [EntityPayload(["Name": .string("Tea")])])]
        let result = try await store.change(ChangeRequest(try parser.path("Categories"), .create(payload)))
        #expect(service.sent[0].body == #"{"ID":1,"Products":[{"Name":"Tea"}]}"#)
        guard case .many(let products, _)? = result.entity?.expanded["Products"] else { throw Unexpected() }
        #expect(products.first?["ID"] == .integer(7))
    }

    /// A later request of a set names the entity that an earlier one makes.
    @Test(arguments: [OnlineStore.BatchEncoding.multipart, .json])
    func aChangeSetRefersToItsOwnEntities(encoding: OnlineStore.BatchEncoding) async throws {
        let json = """
            {"responses":[{"id":"new","status":201,"headers":{"Location":"http://h/root/Categories(9)"},
            "body":{"ID":9}},{"id":"r2","status":204}]}
            """
        let multipart = [
            "--b", "Content-Type: multipart/mixed; boundary=c", "", "--c", "Content-Type: application/http",
            "Content-ID: new", "", "HTTP/1.1 201 Created", "Location: http://h/root/Categories(9)",
            "Content-Type: application/json", "", #"{"ID":9}"#, "--c", "Content-Type: application/http",
            "Content-ID: r2", "", "HTTP/1.1 204 No Content", "", "", "--c--", "--b--", "",
        ].joined(separator: "\r\n")
        let (service, store, parser) = try shop([
            encoding == .json
                ? .json(json) : .response(200, ["Content-Type": "multipart/mixed; boundary=b"], multipart)
        ]) { $0.batchEncoding = encoding }
        var create = ChangeRequest(try parser.path("Categories"), .create(EntityPayload(["ID": .integer(9)])))
        create.contentID = "new"
        let link = EntityPayload(
            ["ID": .integer(1)], bindings: [.init(navigation: "Category", references: [.url("$new")])])
        let requests = [create, ChangeRequest(try parser.path("Products"), .create(link))]
        let results = try await store.changeSet(requests)
        #expect(results.map(\.path)[0] == (try parser.path("Categories(9)")))
        let body = service.sent[0].body
        #expect(body.contains(#""Category@odata.bind":"$new""#))
        #expect(body.contains(encoding == .json ? #""dependsOn":["new"]"# : "Content-ID: new"))
        #expect(encoding == .multipart || body.contains(#""atomicityGroup":"g1""#))
    }

    static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop">
        <ComplexType Name="Size"><Property Name="Width" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Tags" Type="Collection(Edm.String)"/><Property Name="Size" Type="Shop.Size"/>
        <Property Name="Picture" Type="Edm.Binary"/>
        <NavigationProperty Name="Category" Type="Shop.Category"/></EntityType>
        <EntityType Name="Category"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Products" Type="Collection(Shop.Product)"/></EntityType>
        <Function Name="Best"><Parameter Name="count" Type="Edm.Int32"/>
        <ReturnType Type="Collection(Shop.Product)"/></Function>
        <Function Name="Sum"><Parameter Name="a" Type="Edm.Int32"/><Parameter Name="b" Type="Edm.Decimal" Scale="2"/>
        <ReturnType Type="Edm.Decimal" Scale="2"/></Function>
        <Function Name="Rival" IsBound="true"><Parameter Name="it" Type="Shop.Product"/>
        <ReturnType Type="Shop.Product"/></Function>
        <Function Name="Cheapest" IsBound="true"><Parameter Name="all" Type="Collection(Shop.Product)"/>
        <ReturnType Type="Shop.Product"/></Function>
        <Action Name="Rate" IsBound="true"><Parameter Name="it" Type="Shop.Product"/>
        <Parameter Name="stars" Type="Edm.Int32"/><ReturnType Type="Edm.Decimal" Scale="2"/></Action>
        <Action Name="Discount" IsBound="true"><Parameter Name="all" Type="Collection(Shop.Product)"/>
        <Parameter Name="stars" Type="Edm.Int32"/><ReturnType Type="Collection(Shop.Product)"/></Action>
        <Action Name="Reset"/>
        <EntityContainer Name="Container"><EntitySet Name="Products" EntityType="Shop.Product">
        <NavigationPropertyBinding Path="Category" Target="Categories"/></EntitySet>
        <EntitySet Name="Categories" EntityType="Shop.Category">
        <NavigationPropertyBinding Path="Products" Target="Products"/></EntitySet>
        <Singleton Name="Me" Type="Shop.Product"/>
        <FunctionImport Name="Best" Function="Shop.Best" EntitySet="Products"/>
        <FunctionImport Name="Sum" Function="Shop.Sum"/><ActionImport Name="Reset" Action="Shop.Reset"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
