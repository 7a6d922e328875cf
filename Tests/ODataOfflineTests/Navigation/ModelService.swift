import ODataFormats
import ODataMetadata
import ODataModel
import ODataOffline
import ODataOnline
import ODataQuery
import ODataSQLite
import ODataService
import ODataStores
import ODataTesting
import Testing

/// Where a request is answered.
enum StorePlace: CaseIterable {
    case tables, service, device

    func store(_ service: ModelService, _ device: OfflineStore) -> any ODataStore {
        switch self {
        case .tables: service.tables
        case .service: service.online
        case .device: device
        }
    }
}

/// A service over the tables of a model, asked over HTTP, and devices of it.
struct ModelService {
    /// `Items` with `Cat` and `Cats`, which no referential constraint tells.
    static let itemsAndCats = """
        <EntityType Name="Cat"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
          <NavigationProperty Name="Cat" Type="NS.Cat"/>
          <NavigationProperty Name="Cats" Type="Collection(NS.Cat)"/></EntityType>
        <EntityContainer Name="C">
          <EntitySet Name="Items" EntityType="NS.Item">
            <NavigationPropertyBinding Path="Cat" Target="Cats"/><NavigationPropertyBinding Path="Cats" Target="Cats"/>
          </EntitySet>
          <EntitySet Name="Cats" EntityType="NS.Cat"/></EntityContainer>
        """

    let tables: SQLiteStore
    /// The response instead, and which requests came.
    let responses = FixedResponses()
    let online: OnlineStore
    let model: EdmModel
    let parser: QueryParser

    /// - Parameters:
    ///   - metadata: A document of one schema, `NS`: its content.
    ///   - version: `v2` publishes the service as V2.
    ///   - usesAtom: Whether a V2 service is asked for Atom.
    init(schema: String, version: String? = nil, usesAtom: Bool = false) throws {
        try self.init(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="NS" xmlns="http://docs.oasis-open.org/odata/ns/edm">\(schema)</Schema>
            </edmx:DataServices></edmx:Edmx>
            """, version: version, usesAtom: usesAtom)
    }

    /// - Parameter metadata: The whole document.
    init(_ metadata: String, version: String? = nil, usesAtom: Bool = false) throws {
        model = try CSDL.read(xml: Array(metadata.utf8)).model
        tables = try SQLiteStore(model: model)
        parser = QueryParser(model: model)
        online = try responses.remote(over: tables, version: version, usesAtom: usesAtom)
    }

    func path(_ url: String) throws -> ResourcePath { try parser.query(url).path }

    func request(_ url: String, _ body: String, on store: any ODataStore, creates: Bool) async throws {
        let path = try path(url)
        let type = try #require(path.entityType(in: model))
        let payload = try JSONPayload.entity(
            Array(body.utf8), type: type, model: model, parser: parser, serviceRoot: nil)
        _ = try await store.change(ChangeRequest(path, creates ? .create(payload) : .update(payload)))
    }

    /// At the service.
    func create(_ url: String, _ body: String) async throws {
        try await request(url, body, on: tables, creates: true)
    }

    /// At the service.
    func update(_ url: String, _ body: String) async throws {
        try await request(url, body, on: tables, creates: false)
    }

    /// The names of the entities, or their keys where they have none; none where nothing is found.
    func names(_ url: String, on store: any ODataStore) async throws -> [String] {
        do {
            return try await store.entities(try parser.query(url)).map { ($0["Name"] ?? $0["ID"] ?? .null).lexical }
        } catch let error as ODataError where error.code == .notFound { return [] }
    }

    /// An offline store that has downloaded `queries`.
    func device(
        _ queries: [String], configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws -> (store: OfflineStore, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        var configuration = Device.configuration()
        configure(&configuration)
        let store = try OfflineStore(folder: folder.path + "/store", remote: online, configuration: configuration)
        try await store.open()
        for (index, query) in queries.enumerated() {
            try store.addQuery(DefiningQuery(name: "q\(index)", query: query))
        }
        try await store.download()
        return (store, folder)
    }
}
