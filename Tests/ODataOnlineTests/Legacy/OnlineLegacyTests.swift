import ByteStreams
import ODataFormats
import ODataMetadata
import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

/// A scripted service of V2.
private struct Shop2 {
    let service: ScriptedService
    let store: OnlineStore
    let parser: QueryParser

    init(_ responses: ScriptedService.Response..., configure: (inout OnlineStore.Configuration) -> Void = { _ in })
        throws
    {
        let model = try CSDL.read(xml: Array(Self.metadata.utf8)).model
        var configuration = OnlineStore.Configuration()
        configuration.model = model
        configuration.version = .v2
        configure(&configuration)
        service = ScriptedService(responses)
        store = try OnlineStore(serviceRoot: "http://h/root", transport: service, configuration: configuration)
        parser = QueryParser(model: model)
    }

    func change(_ path: String, _ operation: ChangeRequest.Operation) async throws -> ChangeResult {
        try await store.change(ChangeRequest(try parser.path(path), operation))
    }

    static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <edmx:DataServices m:DataServiceVersion="2.0"><Schema Namespace="Shop"
        xmlns="http://schemas.microsoft.com/ado/2008/09/edm"><EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Products" EntityType="Shop.Product"/><EntitySet Name="Categories" EntityType="Shop.Category"/>
        <AssociationSet Name="A" Association="Shop.A"><End Role="P" EntitySet="Products"/>
        <End Role="C" EntitySet="Categories"/></AssociationSet>
        <FunctionImport Name="Top" EntitySet="Products" ReturnType="Collection(Shop.Product)" m:HttpMethod="GET">
        <Parameter Name="after" Type="Edm.DateTime"/></FunctionImport>
        <FunctionImport Name="Rate" ReturnType="Edm.Int32" m:HttpMethod="POST"><Parameter Name="stars" Type="Edm.Int64"/>
        </FunctionImport></EntityContainer>
        <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Made" Type="Edm.DateTime"/>
        <NavigationProperty Name="Category" Relationship="Shop.A" FromRole="P" ToRole="C"/></EntityType>
        <EntityType Name="Category"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Guid" Nullable="false"/>
        <NavigationProperty Name="Products" Relationship="Shop.A" FromRole="C" ToRole="P"/></EntityType>
        <Association Name="A"><End Role="P" Type="Shop.Product" Multiplicity="*"/>
        <End Role="C" Type="Shop.Category" Multiplicity="0..1"/></Association></Schema></edmx:DataServices></edmx:Edmx>
        """
}

@Suite("Services of V2")
struct OnlineLegacyTests {
    private static let version = ["DataServiceVersion": "2.0"]

    /// The id, which is the edit link; empty ETags are none.
    @Test(
        "Edit links that differ from the convention are used, empty ETags are not",
        arguments: [OnlineStore.LegacyOptions.Format.json, .atom])
    func editLinks(_ format: OnlineStore.LegacyOptions.Format) async throws {
        let atom = { (link: String) in
            """
            <entry xmlns="http://www.w3.org/2005/Atom" m:etag='W/""'
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
            xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"><id>http://h/root/Products(1L)</id>
            <link rel="edit" href="\(link)"/><content type="application/xml"><m:properties>
            <d:ID m:type="Edm.Int64">1</d:ID></m:properties></content></entry>
            """
        }
        let json = { (link: String) in
            #"{"d":{"__metadata":{"uri":"http://h/root/\#(link)","etag":""},"ID":"1"}}"#
        }
        for (link, used) in [
            ("Edits(7L)", "Edits(7L)"), ("Products(1L)", "Products(1L)"), ("Products(ID=1L)", "Products(1L)"),
            ("Categories(3)/Products(1L)", "Categories(3)/Products(1L)"),
        ] {
            let response: ScriptedService.Response =
                format == .json
                ? .json(json(link)) : .response(200, ["Content-Type": "application/atom+xml"], atom(link))
            let shop = try Shop2(response, .response(204), .response(204), .json(json("x"))) {
                $0.legacy.format = format
            }
            let entity = try await shop.store.entities(try shop.parser.query("Products(1)")).first
            #expect(entity?.etag == nil && entity?.editLink == (used == "Products(1L)" ? nil : used))
            _ = try await shop.change("Products(1)", .update(EntityPayload(["Name": .string("Tea")])))
            _ = try await shop.change("Products(1)", .delete)
            _ = try? await shop.store.entities(try shop.parser.query("Products(1)/Category"))
            let lines = shop.service.sent.dropFirst().map { $0.line.replacing("http://h/root/", with: "") }
            #expect(lines.prefix(3) == ["MERGE \(used)", "DELETE \(used)", "GET \(used)/Category"])
        }
    }

    @Test("The version is chosen by the metadata")
    func version() async throws {
        let service = ScriptedService([
            .response(200, ["Content-Type": "application/xml"], Shop2.metadata),
            .json(#"{"d":{"results":[{"__metadata":{"uri":"http://h/root/Products(1L)"},"ID":"1"}]}}"#),
        ])
        let store = try OnlineStore(serviceRoot: "http://h/root", transport: service)
        let parser = QueryParser(model: try await store.model())
        let products = try await store.entities(try parser.query("Products?$filter=ID eq 1&$count=true"))
        #expect(products.map { $0["ID"] } == [.integer(1)])
        #expect(service.sent[0].field("MaxDataServiceVersion") == "3.0")
        #expect(service.sent[0].field("OData-MaxVersion") == "4.01")
        #expect(service.sent[1].line == "GET http://h/root/Products?$filter=ID%20eq%201L&$inlinecount=allpages")
        #expect(service.sent[1].field("Accept") == "application/json")
        #expect(service.sent[1].field("MaxDataServiceVersion") == "2.0")
        #expect(service.sent[1].field("OData-MaxVersion") == nil)
    }

    @Test("A version that is known goes with the request for the metadata", arguments: [ODataVersion.v2, .v401])
    func knownVersion(_ version: ODataVersion) async throws {
        let service = ScriptedService([.response(200, ["Content-Type": "application/xml"], Shop2.metadata)])
        var configuration = OnlineStore.Configuration()
        configuration.version = version
        let store = try OnlineStore(serviceRoot: "http://h/root", transport: service, configuration: configuration)
        _ = try await store.model()
        #expect(service.sent[0].field("MaxDataServiceVersion") == (version == .v2 ? "2.0" : nil))
        #expect(service.sent[0].field("OData-MaxVersion") == (version == .v2 ? nil : "4.01"))
    }

    @Test("Updates are merges, tunnelled where that is asked for", arguments: [false, true])
    func merge(isTunnelled: Bool) async throws {
        let shop = try Shop2(.response(204, Self.version)) { $0.legacy.tunnelsMethods = isTunnelled }
        var request = ChangeRequest(
            try shop.parser.path("Products(1)"),
            .update(EntityPayload(["Made": .dateTimeOffset(try #require(EdmDateTimeOffset("2012-05-29T09:13:28Z")))])))
        request.ifMatch = "W/\"1\""
        let result = try await shop.store.change(request)
        #expect(result.entity == nil)
        let sent = shop.service.sent[0]
        #expect(sent.line == "\(isTunnelled ? "POST" : "MERGE") http://h/root/Products(1L)")
        #expect(sent.field("X-HTTP-Method") == (isTunnelled ? "MERGE" : nil))
        #expect(sent.field("DataServiceVersion") == "2.0")
        #expect(sent.field("If-Match") == "W/\"1\"")
        #expect(sent.body == #"{"__metadata":{"type":"Shop.Product"},"Made":"/Date(1338282808000)/"}"#)
    }

    @Test("Links, null and function imports are written as V2 has them")
    func words() async throws {
        let done = ScriptedService.Response.response(204, Self.version)
        let shop = try Shop2(done, done, done, done, .json(#"{"d":{"Rate":5}}"#), .json(#"{"d":{"results":[]}}"#))
        let category = "Categories(01234567-89ab-cdef-0123-456789abcdef)"
        let product = EntityReference.path(try shop.parser.path("Products(2)"))
        _ = try await shop.change("\(category)/Products/$ref", .addReference(product))
        _ = try await shop.change("\(category)/Products/$ref", .removeReference(product))
        _ = try await shop.change("Products(2)/Category/$ref", .removeReference(nil))
        _ = try await shop.change("Products(2)/Name", .setValue(.null))
        let rate = try #require(shop.parser.resourceOfImport("Rate", in: try await shop.store.model()))
        let result = try await shop.store.change(ChangeRequest(rate, .call(arguments: ["stars": .integer(5)])))
        guard case .value(.integer(5), _)? = result.called?.body else {
            Issue.record("The action's result is \(String(describing: result.called))")
            return
        }
        _ = try await shop.store.read(ReadRequest(try shop.parser.query("Top(after=2012-05-29T09:13:28Z)")))
        let set = "http://h/root/Categories(guid'01234567-89ab-cdef-0123-456789abcdef')/$links/Products"
        #expect(
            shop.service.sent.map(\.line) == [
                "POST \(set)", "DELETE \(set)(2L)", "DELETE http://h/root/Products(2L)/$links/Category",
                "DELETE http://h/root/Products(2L)/Name/$value", "POST http://h/root/Rate?stars=5L",
                "GET http://h/root/Top?after=datetime'2012-05-29T09:13:28'",
            ])
        #expect(shop.service.sent[0].body == #"{"uri":"http://h/root/Products(2L)"}"#)
    }

    @Test(
        "What names another value or has no property of the entity is not the response of a change",
        arguments: [
            (#"{"d":{"x":1}}"#, false, false), (#"{"d":{"session":"expired"}}"#, false, false),
            (#"{"x":1}"#, false, false), (#"{"d":{}}"#, false, false),
            (#"{"d":{"ID":"7","Name":"Tea"}}"#, false, false),
            (#"{"d":{"ID":"1","Name":"Tea"}}"#, true, false), (#"{"d":{"Rate":1}}"#, false, true),
            (#"{"d":{"results":{"Rate":1}}}"#, false, true), (#"{"Rate":1}"#, false, true),
        ])
    func strays(_ body: String, isEntity: Bool, isValue: Bool) async throws {
        let payload = EntityPayload(["ID": .integer(1), "Name": .string("Tea")])
        let parser = try Shop2().parser
        let rate = try #require(parser.resourceOfImport("Rate", in: try await Shop2().store.model()))
        let cases: [(ResourcePath, ChangeRequest.Operation, Bool)] = [
            (try parser.path("Products"), .create(payload), isEntity),
            (try parser.path("Products(1)"), .update(payload), isEntity),
            (try parser.path("Products(1)"), .delete, isEntity),
            (rate, .call(arguments: ["stars": .integer(5)]), isValue),
        ]
        for (path, operation, isOwn) in cases {
            let shop = try Shop2(.json(body))
            do {
                _ = try await shop.store.change(ChangeRequest(path, operation))
                #expect(isOwn, "\(operation)")
            } catch let error as ODataError {
                #expect(!isOwn && error.isOutcomeUnknown, "\(operation) \(error)")
            }
        }
    }

    @Test("A change set goes as multipart, and its errors are understood in XML too")
    func batch() async throws {
        let error =
            "<error xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><code>5</code>"
            + "<message xml:lang=\"en\">In use.</message></error>"
        let body =
            "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 409 Conflict\r\nContent-Type: application/xml\r\n\r\n"
            + "\(error)\r\n--b--\r\n"
        let shop = try Shop2(.response(202, ["Content-Type": "multipart/mixed; boundary=b"], body)) {
            $0.legacy.format = .atom
            $0.batchEncoding = .json
        }
        let requests = [
            ChangeRequest(try shop.parser.path("Products(1)"), .update(EntityPayload(["Name": .null]))),
            ChangeRequest(try shop.parser.path("Products(2)"), .delete),
        ]
        let failure = await #expect(throws: ODataError.self) { try await shop.store.changeSet(requests) }
        #expect(failure?.code == .conflict)
        #expect(failure?.message == "In use.")
        let sent = shop.service.sent[0]
        #expect(sent.field("Content-Type")?.hasPrefix("multipart/mixed") == true)
        #expect(sent.body.contains("MERGE Products(1L) HTTP/1.1"))
        #expect(sent.body.contains("Content-Type: application/atom+xml"))
        #expect(sent.body.contains("<d:Name m:null=\"true\"/>"))
    }

    @Test("Deltas are read and followed")
    func delta() async throws {
        let feed = """
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0">
            <at:deleted-entry ref="http://h/root/Products(1L)" when="2024-01-01T00:00:00Z"/>
            <link rel="delta" href="http://h/root/Products?!deltatoken='2'"/></feed>
            """
        let atom = ["Content-Type": "application/atom+xml;type=feed"]
        let shop = try Shop2(.response(200, atom, feed), .response(200, atom, feed)) { $0.legacy.format = .atom }
        var request = ReadRequest(try shop.parser.query("Products"))
        request.tracksChanges = true
        guard case .entities(let reader) = try await shop.store.read(request).body else { return }
        let block = try #require(try await reader.next())
        #expect(block.rows.map(\.change) == [.deleted])
        request.continuation = block.deltaLink
        _ = try await shop.store.read(request)
        #expect(shop.service.sent[1].line == "GET http://h/root/Products?!deltatoken='2'")
        #expect(shop.service.sent[1].field("Accept") == "application/atom+xml")
    }

    @Test("The format can be asked for in the URL")
    func formatOption() async throws {
        let shop = try Shop2(.json(#"{"d":{"results":[]}}"#)) { $0.legacy.usesFormatOption = true }
        _ = try await shop.store.read(ReadRequest(try shop.parser.query("Products")))
        #expect(shop.service.sent[0].line == "GET http://h/root/Products?$format=json")
    }
}

extension QueryParser {
    /// The path of an action import, which has no URL of its own to be parsed where arguments are needed.
    fileprivate func resourceOfImport(_ name: String, in model: EdmModel) -> ResourcePath? {
        guard let found = model.operationImport(named: name),
            let operation = model.operations(named: found.operation).first
        else { return nil }
        return ResourcePath(root: .operation(OperationCall(operation, importName: name)))
    }
}
