import AsyncHTTPTransport
import OData
import ODataServer
import ODataService
import ODataTesting
import Testing

@Suite("The article on running a service")
struct ServiceSnippets {
    @Test("An SQLite file is served, with a function, to those who have a password")
    func served() async throws {
        let site = try FieldSite()
        let file = site.folder + "/other.db"
        try FieldServiceSample.create(at: file)
        // snippet: publishing a file
        var published = SQLiteStore.Configuration()
        published.media = [MediaColumn(set: "Photos", column: "Content", contentType: "image/png")]
        published.tracksChanges = true
        let store = try SQLiteStore(path: file, configuration: published)
        // end
        // snippet: adding a function
        var operations = OperationHandlers()
        let count = EdmOperationDeclaration(
            kind: .function, name: EdmQualifiedName("Field.OpenWork"), result: .init(type: .int32))
        operations.function(count, importName: "OpenWork") { call in
            let query = try QueryParser(model: call.model).query(
                "WorkOrders?$filter=State eq 'open'&$select=WorkOrderID")
            return .value(.integer(Int64(try await call.store.entities(query).count)))
        }
        let extended = OperationStore(store, operations: operations)
        // end
        // snippet: starting a server
        var configuration = ODataService.Configuration()
        configuration.limits.pageSize = 500
        configuration.requiresETags = true
        var credentials = ServiceCredentials()
        credentials.add(user: "ada", password: "secret")
        let service = AuthenticatingResponder(
            ODataService(store: extended, configuration: configuration), credentials: credentials)
        let server = try await ODataServer.start(service: service, port: 0)
        show(server.rootURL)
        // end
        let transport = AsyncHTTPTransport()
        var client = OnlineStore.Configuration()
        client.middleware = [BasicAuthentication(user: "ada", password: "secret")]
        let online = try OnlineStore(serviceRoot: server.rootURL, transport: transport, configuration: client)
        let query = try QueryParser(model: try await online.model()).query("OpenWork()")
        guard case .value(.integer(let number), _) = try await online.read(ReadRequest(query)).body else {
            Issue.record("no number")
            return
        }
        #expect(number > 0)
        let nobody = try OnlineStore(serviceRoot: server.rootURL, transport: transport)
        await #expect { try await nobody.model() } throws: { ($0 as? ODataError)?.code == .unauthorized }
        try await transport.shutdown()
        // snippet: stopping a server
        try await server.stop()
        try store.close()
        // end
    }

    @Test("A store that is declared in memory is served like a file")
    func declared() async throws {
        // snippet: a declared model
        let csdl = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="Notes" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
            <EntityContainer Name="Container"><EntitySet Name="Notes" EntityType="Notes.Note"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        let store = try SQLiteStore(model: CSDL.read(xml: Array(csdl.utf8)).model)
        try await store.load([StoredEntity("Notes", EntityPayload(["ID": .integer(1), "Text": .string("First")]))])
        // end
        let query = try QueryParser(model: try await store.model()).query("Notes")
        #expect(try await store.entities(query).map { $0["Text"] } == [.string("First")])
        try store.close()
    }
}
