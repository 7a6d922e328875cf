import ODataModel
import ODataOnline
import ODataQuery
import ODataStores
import ODataTransport
import Testing

@Suite struct OnlineMetadataTests {
    private func metadata(_ type: String, etag: String?, more: String = "") -> ScriptedService.Response {
        var headers = ["Content-Type": "application/xml"]
        headers["ETag"] = etag
        return .response(
            200, headers,
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="\(type)">
            <Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(more)</EntityType>
            <EntityContainer Name="C"><EntitySet Name="Things" EntityType="M.\(type)"/></EntityContainer></Schema>
            </edmx:DataServices></edmx:Edmx>
            """)
    }

    @Test func theModelOfTodayIsAskedForByItsETag() async throws {
        let service = ScriptedService([
            metadata("A", etag: #""1""#), .response(304), metadata("B", etag: #""2""#), .response(503),
        ])
        let store = try OnlineStore(serviceRoot: "http://h/root/", transport: service)
        let first = try await store.model()
        #expect(try await store.currentModel() === first)
        #expect(try await store.currentModel().entitySet(named: "Things")?.type.name.name == "B")
        #expect(try await store.model().entitySet(named: "Things")?.type.name.name == "B")
        await #expect(throws: ODataError.self) { try await store.currentModel() }
        #expect(try await store.model().entitySet(named: "Things")?.type.name.name == "B")
        #expect(service.sent.map { $0.field("If-None-Match") } == [nil, #""1""#, #""1""#, #""2""#])
    }

    @Test(arguments: [200, 403, 404, 410, 500, 501])
    func metadataThatAreRefusedSayNothingOfTheRequest(status: Int) async throws {
        let service = ScriptedService([.response(status)])
        let store = try OnlineStore(serviceRoot: "http://h/root/", transport: service)
        let known = ScriptedService([metadata("A", etag: nil)])
        let model = try await OnlineStore(serviceRoot: "http://h/root/", transport: known).model()
        let path = try QueryParser(model: model).path("Things(1)")
        let error = await #expect(throws: ODataError.self) { try await store.change(ChangeRequest(path, .delete)) }
        #expect(error?.code == .unreachable)
        #expect(error?.isOutcomeUnknown == false)
        #expect(service.sent.map(\.line) == ["GET http://h/root/$metadata"])
    }

    @Test func whatCannotBeUsedOfTheMetadataIsTold() async throws {
        let property = #"<Property Name="Text" Type="Edm.String" MaxLength="wide"/>"#
        let service = ScriptedService([metadata("A", etag: nil, more: property), metadata("B", etag: nil)])
        let store = try OnlineStore(serviceRoot: "http://h/root/", transport: service)
        #expect(store.metadataDiagnostics.isEmpty)
        let type = try await store.model().entitySet(named: "Things")?.type
        #expect(type?.property(named: "Text")?.type == .string)
        #expect(store.metadataDiagnostics.map(\.message) == ["wide is not a value for MaxLength."])
        #expect(store.metadataDiagnostics.first?.line == 3)
        _ = try await store.currentModel()
        #expect(store.metadataDiagnostics.isEmpty)
    }

    @Test func aModelThatTheAppGaveStays() async throws {
        let service = ScriptedService([])
        var configuration = OnlineStore.Configuration()
        configuration.model = try EdmModel(schemas: [])
        let store = try OnlineStore(serviceRoot: "http://h/root/", transport: service, configuration: configuration)
        #expect(try await store.currentModel().entitySets.isEmpty)
        #expect(service.sent.isEmpty)
    }
}
