import Foundation
import OData
import ODataService
import ODataTesting
import Synchronization
import Testing

/// The store of the collections.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case file, online, offline
    /// A V2 service, whose messages are verbose JSON, or Atom.
    case v2, atom

    /// Those that know all of V4.
    static let allCases: [StoreKind] = [.file, .online, .offline]
    static let v2Stores: [StoreKind] = [.v2, .atom]

    var testDescription: String { rawValue }
}

/// A shop of three products, and a store of each kind for it.
final class Shop: Sendable {
    let file: SQLiteStore
    let store: any ODataStore
    let service: ShopService
    let requests: RequestCounter
    private let folder: URL

    /// - Parameters:
    ///   - metadata: Of a model of its own.
    ///   - entities: What the store has.
    ///   - sets: What an offline store downloads.
    init(
        _ kind: StoreKind, metadata: String = Shop.metadata, entities: [StoredEntity] = Shop.entities,
        sets: [String] = ["Products", "Categories", "Items", "Photos", "Favourite"]
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)")
        let (model, diagnostics) = try CSDL.read(xml: Array(metadata.utf8))
        guard diagnostics.isEmpty else { throw ODataError(.badRequest, "\(diagnostics)") }
        file = try SQLiteStore(model: model)
        try await file.load(entities)
        requests = RequestCounter(OperationStore(file, operations: ShopOperations.all(model)))
        switch kind {
        case .file: store = requests
        case .online:
            let transport = InProcessTransport(service: ODataService(store: requests))
            store = try OnlineStore(serviceRoot: "http://service.test/", transport: transport)
        case .v2, .atom:
            let transport = InProcessTransport(service: ODataService(store: requests))
            var configuration = OnlineStore.Configuration()
            if kind == .atom { configuration.legacy.format = .atom }
            store = try OnlineStore(
                serviceRoot: "http://service.test/v2/", transport: transport, configuration: configuration)
        case .offline:
            let offline = try OfflineStore(folder: folder.path, remote: requests)
            try await offline.open()
            for set in sets {
                try offline.addQuery(
                    DefiningQuery(name: set, query: set, retrievesStreams: set == "Photos"))
            }
            _ = try await offline.download()
            store = offline
        }
        service = ShopService(store)
    }

    deinit {
        try? (store as? OfflineStore)?.close()
        try? FileManager.default.removeItem(at: folder)
    }

    var collections: EntityCollections { service.collections }
    var products: EntityCollection<Product> { service.products }
    var items: EntityCollection<Item> { service.items }
    var categories: EntityCollection<Category> { service.categories }

    static let entities: [StoredEntity] = [
        stored("Categories", ["ID": .integer(1), "Name": .string("Drinks")]),
        stored("Categories", ["ID": .integer(2), "Name": .string("Food")]),
        stored(
            "Products",
            [
                "ID": .integer(1), "Name": .string("Chai"), "Price": decimal("18.5"), "CategoryID": .integer(1),
                "Color": .enumeration(Color.typeName, "Red"), "Tags": .collection([.string("hot"), .string("new")]),
                "Size": .complex(["Width": .double(2.5), "Unit": .string("cm")]),
            ]),
        stored(
            "Products",
            ["ID": .integer(2), "Name": .string("O'Neil & Co"), "Price": decimal("40"), "CategoryID": .integer(1)]),
        stored("Products", ["ID": .integer(3), "Name": .string("Bread"), "CategoryID": .integer(2)]),
        stored("Favourite", ["ID": .integer(77), "Name": .string("Air")]),
        stored("Items", ["ProductID": .integer(1), "Line": .integer(1), "Quantity": .integer(3)]),
        stored("Items", ["ProductID": .integer(1), "Line": .integer(2), "Quantity": .integer(8)]),
        stored("Items", ["ProductID": .integer(2), "Line": .integer(1), "Quantity": .integer(1)]),
    ]

    static func stored(_ set: String, _ values: EdmComplexValue) -> StoredEntity {
        StoredEntity(set, EntityPayload(values))
    }

    static func decimal(_ text: String) -> EdmValue { EdmDecimal(text).map(EdmValue.decimal) ?? .null }

    static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Color"><Member Name="Red" Value="0"/><Member Name="Blue" Value="1"/></EnumType>
          <ComplexType Name="Size">
            <Property Name="Width" Type="Edm.Double" Nullable="false"/><Property Name="Unit" Type="Edm.String"/>
          </ComplexType>
          <EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Price" Type="Edm.Decimal" Scale="variable"/>
            <Property Name="Color" Type="Shop.Color"/>
            <Property Name="CategoryID" Type="Edm.Int32"/>
            <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
            <Property Name="Size" Type="Shop.Size"/>
            <Property Name="Added" Type="Edm.String"/>
            <Property Name="Manual" Type="Edm.Stream"/>
            <NavigationProperty Name="Category" Type="Shop.Category" Partner="Products">
              <ReferentialConstraint Property="CategoryID" ReferencedProperty="ID"/>
            </NavigationProperty>
            <NavigationProperty Name="Items" Type="Collection(Shop.Item)" Partner="Product"/>
          </EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ProductID"/><PropertyRef Name="Line"/></Key>
            <Property Name="ProductID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Line" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Quantity" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Product" Type="Shop.Product" Partner="Items">
              <ReferentialConstraint Property="ProductID" ReferencedProperty="ID"/>
            </NavigationProperty>
          </EntityType>
          <EntityType Name="Category"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Products" Type="Collection(Shop.Product)" Partner="Category"/>
          </EntityType>
          <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Caption" Type="Edm.String"/>
          </EntityType>
          <Function Name="Dearest"><Parameter Name="count" Type="Edm.Int32" Nullable="false"/>
            <ReturnType Type="Collection(Shop.Product)" Nullable="false"/></Function>
          <Function Name="WithTax" IsBound="true"><Parameter Name="product" Type="Shop.Product" Nullable="false"/>
            <Parameter Name="rate" Type="Edm.Double" Nullable="false"/>
            <ReturnType Type="Edm.Double" Nullable="false"/></Function>
          <Action Name="Reprice" IsBound="true"><Parameter Name="product" Type="Shop.Product" Nullable="false"/>
            <Parameter Name="price" Type="Edm.Decimal" Nullable="false" Scale="variable"/>
            <ReturnType Type="Shop.Product" Nullable="false"/></Action>
          <EntityContainer Name="Container">
            <FunctionImport Name="Dearest" Function="Shop.Dearest" EntitySet="Products"/>
            <Singleton Name="Favourite" Type="Shop.Product">
              <NavigationPropertyBinding Path="Category" Target="Categories"/>
              <NavigationPropertyBinding Path="Items" Target="Items"/>
            </Singleton>
            <EntitySet Name="Photos" EntityType="Shop.Photo"/>
            <EntitySet Name="Products" EntityType="Shop.Product">
              <NavigationPropertyBinding Path="Category" Target="Categories"/>
              <NavigationPropertyBinding Path="Items" Target="Items"/>
            </EntitySet>
            <EntitySet Name="Items" EntityType="Shop.Item">
              <NavigationPropertyBinding Path="Product" Target="Products"/>
            </EntitySet>
            <EntitySet Name="Categories" EntityType="Shop.Category">
              <NavigationPropertyBinding Path="Products" Target="Products"/>
            </EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}

/// Passes everything on, and counts what was asked.
final class RequestCounter: ODataStore {
    private let base: any ODataStore
    private let state = Mutex<[String]>([])
    private let changed = Mutex<[ChangeRequest]>([])

    init(_ base: any ODataStore) { self.base = base }

    /// The changes since the last look.
    var changeRequests: [ChangeRequest] {
        changed.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }

    /// Their URLs.
    var changes: [String] { changeRequests.map(\.target.url) }

    /// The URLs that were read since the last look.
    var reads: [String] {
        state.withLock { urls in
            defer { urls = [] }
            return urls
        }
    }

    var recognizesRepeatedRequests: Bool { base.recognizesRepeatedRequests }

    func recognizesRepeatedCalls(of action: EdmOperationDeclaration) -> Bool {
        base.recognizesRepeatedCalls(of: action)
    }

    func model() async throws -> EdmModel { try await base.model() }

    func read(_ request: ReadRequest) async throws -> ReadResult {
        state.withLock { $0.append(request.query.url) }
        return try await base.read(request)
    }

    func change(_ request: ChangeRequest) async throws -> ChangeResult {
        changed.withLock { $0.append(request) }
        return try await base.change(request)
    }

    func changeSet(_ requests: [ChangeRequest]) async throws -> [ChangeResult] {
        changed.withLock { $0 += requests }
        return try await base.changeSet(requests)
    }

    func readStream(_ request: StreamRequest) async throws -> StreamResult { try await base.readStream(request) }
}
