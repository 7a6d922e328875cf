import ByteStreams
import Foundation
import HTTPTypes
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
import Synchronization

/// A service with what the sample has not: relations without constraints, contained entities, derived and open types,
/// singletons. Payloads of it can be replaced by what other services would send.
struct ShopService {
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:DataServices>
            <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Order">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Note" Type="Edm.String"/>
                <Property Name="Rank" Type="Edm.Int32"/>
                <Property Name="ModifiedAt" Type="Edm.DateTimeOffset"/>
                <NavigationProperty Name="Items" Type="Collection(Shop.Item)" Partner="Order"/>
                <NavigationProperty Name="Tags" Type="Collection(Shop.Tag)" Partner="Orders"/>
                <NavigationProperty Name="Remarks" Type="Collection(Shop.Remark)" ContainsTarget="true"/>
              </EntityType>
              <EntityType Name="Item">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="OrderID" Type="Edm.Int32"/>
                <Property Name="Quantity" Type="Edm.Int32"/>
                <NavigationProperty Name="Order" Type="Shop.Order" Partner="Items">
                  <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/>
                </NavigationProperty>
              </EntityType>
              <EntityType Name="Tag">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/>
                <NavigationProperty Name="Orders" Type="Collection(Shop.Order)" Partner="Tags"/>
              </EntityType>
              <EntityType Name="Remark">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Text" Type="Edm.String"/>
                <Property Name="Scan" Type="Edm.Stream"/>
              </EntityType>
              <EntityType Name="Vehicle">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/>
              </EntityType>
              <EntityType Name="Car" BaseType="Shop.Vehicle">
                <Property Name="Doors" Type="Edm.Int32"/>
                <Property Name="Plan" Type="Edm.Stream"/>
                <NavigationProperty Name="Stickers" Type="Collection(Shop.Tag)"/>
              </EntityType>
              <EntityType Name="Thing" OpenType="true">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.String" Nullable="false"/>
                <NavigationProperty Name="Seller" Type="Shop.Customer"/>
              </EntityType>
              <EntityType Name="Settings">
                <Property Name="Theme" Type="Edm.String"/>
              </EntityType>
              <ComplexType Name="Place">
                <Property Name="Floor" Type="Edm.Int32"/>
                <Property Name="Door" Type="Edm.String"/>
              </ComplexType>
              <ComplexType Name="Address">
                <Property Name="Street" Type="Edm.String"/>
                <Property Name="City" Type="Edm.String"/>
                <Property Name="Place" Type="Shop.Place"/>
                <Property Name="Tags" Type="Collection(Edm.String)"/>
              </ComplexType>
              <EntityType Name="Customer">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/>
                <Property Name="Address" Type="Shop.Address"/>
                <NavigationProperty Name="Labels" Type="Collection(Shop.Tag)"/>
              </EntityType>
              <EntityContainer Name="Container">
                <EntitySet Name="Customers" EntityType="Shop.Customer"/>
                <Singleton Name="Company" Type="Shop.Customer">
                  <NavigationPropertyBinding Path="Labels" Target="Tags"/>
                </Singleton>
                <EntitySet Name="Orders" EntityType="Shop.Order">
                  <NavigationPropertyBinding Path="Items" Target="Items"/>
                  <NavigationPropertyBinding Path="Tags" Target="Tags"/>
                </EntitySet>
                <EntitySet Name="Items" EntityType="Shop.Item">
                  <NavigationPropertyBinding Path="Order" Target="Orders"/>
                </EntitySet>
                <EntitySet Name="Tags" EntityType="Shop.Tag">
                  <NavigationPropertyBinding Path="Orders" Target="Orders"/>
                  <Annotation Term="Org.OData.Capabilities.V1.ChangeTracking">
                    <Record><PropertyValue Property="Supported" Bool="false"/></Record>
                  </Annotation>
                </EntitySet>
                <EntitySet Name="Vehicles" EntityType="Shop.Vehicle">
                  <NavigationPropertyBinding Path="Shop.Car/Stickers" Target="Tags"/>
                </EntitySet>
                <EntitySet Name="Things" EntityType="Shop.Thing">
                  <NavigationPropertyBinding Path="Seller" Target="Company"/>
                  <Annotation Term="Org.OData.Capabilities.V1.CountRestrictions">
                    <Record><PropertyValue Property="Countable" Bool="false"/></Record>
                  </Annotation>
                </EntitySet>
                <Singleton Name="Settings" Type="Shop.Settings"/>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """

    let tables: SQLiteStore
    let responses = FixedResponses()
    private let model: EdmModel

    init(tracksChanges: Bool = true) async throws {
        var configuration = SQLiteStore.Configuration()
        configuration.tracksChanges = tracksChanges
        model = try CSDL.read(xml: Array(Self.metadata.utf8)).model
        tables = try SQLiteStore(model: model, path: nil, rules: TableRules(), configuration: configuration)
    }

    /// Orders 1 to 3 with two items, a tag and a remark each; tag 9 belongs to all.
    func fill() async throws {
        try await create("Tags", ["ID": .integer(9), "Name": .string("all")])
        for id in Int64(1)...3 {
            try await create("Tags", ["ID": .integer(id), "Name": .string("tag \(id)")])
            try await create(
                "Orders", ["ID": .integer(id), "Note": .string("note \(id)"), "Rank": .integer(10 * id)])
            for item in 1...Int64(2) {
                try await create(
                    "Items", ["ID": .integer(10 * id + item), "OrderID": .integer(id), "Quantity": .integer(item)])
            }
            for tag in [id, 9] { try await link("Orders(\(id))/Tags", to: "Tags(\(tag))") }
            // The same key below each order.
            try await create("Orders(\(id))/Remarks", ["ID": .integer(1), "Text": .string("remark \(id)")])
        }
    }

    func path(_ url: String) throws -> ResourcePath { try QueryParser(model: model).query(url).path }

    func create(_ path: String, _ properties: EdmComplexValue) async throws {
        _ = try await tables.change(ChangeRequest(self.path(path), .create(EntityPayload(properties))))
    }

    func update(_ path: String, _ properties: EdmComplexValue) async throws {
        var request = try ChangeRequest(self.path(path), .update(EntityPayload(properties)))
        request.allowsCreate = true
        _ = try await tables.change(request)
    }

    func upload(_ path: String, _ text: String) async throws {
        let content = MediaContent(ByteContent(Array(text.utf8)), contentType: "text/plain")
        _ = try await tables.change(ChangeRequest(self.path(path), .replaceStream(content)))
    }

    func delete(_ path: String) async throws { _ = try await tables.change(ChangeRequest(self.path(path), .delete)) }

    func link(_ path: String, to target: String) async throws {
        _ = try await tables.change(ChangeRequest(self.path(path), .addReference(.path(self.path(target)))))
    }

    /// An offline store over HTTP requests to the service.
    ///
    /// - Parameters:
    ///   - version: `v2` publishes the service as V2.
    ///   - usesAtom: Whether a V2 service is asked for Atom.
    func device(
        _ queries: [DefiningQuery], version: String? = nil, usesAtom: Bool = false,
        configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) async throws -> ShopDevice {
        try await ShopDevice(
            queries, remote: responses.remote(over: tables, version: version, usesAtom: usesAtom), configure: configure)
    }

    /// The same without HTTP.
    func directDevice(_ queries: [DefiningQuery]) async throws -> ShopDevice {
        try await ShopDevice(queries, remote: tables) { _ in }
    }
}

/// The response instead of the service's own payloads.
final class FixedResponses: Sendable {
    private struct State {
        var bodies: [(start: String, fault: TransportFault)] = []
        var requests: [String] = []
    }

    private let state = Mutex(State())

    /// The requests whose path and query begin with `start` get `body`.
    func set(_ start: String, _ body: String) {
        set(start, .body(Array(body.utf8), contentType: "application/json"))
    }

    func set(_ start: String, _ fault: TransportFault) {
        state.withLock { state in
            state.bodies.removeAll { $0.start == start }
            state.bodies.append((start, fault))
        }
    }

    /// A service over `store`, asked over HTTP.
    ///
    /// - Parameters:
    ///   - version: `v2` publishes it as V2.
    ///   - usesAtom: Whether it is asked for Atom then.
    func remote(
        over store: any ODataStore, version: String? = nil, usesAtom: Bool = false
    ) throws -> OnlineStore {
        let root = "http://service.test/" + (version.map { "\($0)/" } ?? "")
        let direct = InProcessTransport(service: ODataService(store: store))
        let transport = FaultTransport(next: direct, plan: FaultPlan { [self] in response(to: $0.request) })
        var configuration = OnlineStore.Configuration()
        if usesAtom { configuration.legacy.format = .atom }
        return try OnlineStore(serviceRoot: root, transport: transport, configuration: configuration)
    }

    func clear() { state.withLock { $0 = State() } }

    /// Paths and queries, decoded.
    var requests: [String] { state.withLock { $0.requests } }

    func response(to request: HTTPRequest) -> TransportFault? {
        let path = (request.path ?? "").removingPercentEncoding ?? ""
        return state.withLock { state in
            state.requests.append(path)
            return state.bodies.filter { path.hasPrefix($0.start) }.max { $0.start.count < $1.start.count }?.fault
        }
    }
}

/// An offline store over the shop.
struct ShopDevice {
    let folder: TemporaryFolder
    let store: OfflineStore

    init(
        _ queries: [DefiningQuery], remote: any ODataStore, configure: (inout OfflineStore.Configuration) -> Void
    ) async throws {
        folder = try TemporaryFolder()
        var configuration = Device.configuration()
        configure(&configuration)
        configuration.keep(folder)
        store = try OfflineStore(folder: folder.path + "/store", remote: remote, configuration: configuration)
        try await store.open()
        for query in queries { try store.addQuery(query) }
    }

    func entities(_ url: String) async throws -> [EdmEntity] { try await store.entities(try await store.query(url)) }

    /// `["1 note 1", …]`: the values of some properties of each entity.
    func lines(_ url: String, _ names: String...) async throws -> [String] {
        try await entities(url).map { entity in
            names.map { entity[$0]?.lexical ?? "-" }.joined(separator: " ")
        }
    }

    func text(_ path: String) async throws -> String {
        let result = try await store.readStream(StreamRequest(try store.path(path)))
        return String(decoding: try await result.content.collect(upTo: 1 << 20), as: UTF8.self)
    }

    func refresh() async throws -> DownloadReport.Query {
        let report = try await store.download()
        guard let query = report.queries.first else { throw ODataError(.internalError, "There is no query.") }
        return query
    }
}
