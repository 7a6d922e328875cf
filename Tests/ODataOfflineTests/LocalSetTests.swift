import Foundation
import ODataModel
import ODataOffline
import ODataQuery
import ODataSQLite
import ODataStores
import Testing

@Suite("Client-only sets")
struct LocalSetTests {
    private func csdl(more: String = "") -> String {
        """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:DataServices>
            <Schema Namespace="App" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Draft">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Text" Type="Edm.String"/>
                <Property Name="OrderID" Type="Edm.Int64"/>\(more)
                <NavigationProperty Name="Order" Type="Main.Order">
                  <ReferentialConstraint Property="OrderID" ReferencedProperty="OrderID"/>
                </NavigationProperty>
              </EntityType>
              <EntityContainer Name="Local">
                <EntitySet Name="Drafts" EntityType="App.Draft">
                  <NavigationPropertyBinding Path="Order" Target="Orders"/>
                </EntitySet>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """
    }

    private func device() async throws -> Device {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        let type = try #require(try await device.store.model().entitySet(named: "Orders")?.type.name)
        try await device.store.addLocalSets(csdl: csdl().replacing("Main.Order", with: "\(type)"))
        try await device.store.download()
        return device
    }

    @Test("Take all requests, are never uploaded, and are there after a restart")
    func wholeLife() async throws {
        let device = try await device()
        try await device.create("Drafts", #"{"Text":"first","OrderID":3}"#)
        try await device.create("Drafts", #"{"ID":17,"Text":"second"}"#)
        try await device.create("Drafts", #"{"Text":"third"}"#)
        try await device.update("Drafts(17)", #"{"Text":"changed"}"#)
        try await device.delete("Drafts(2)")
        #expect(try await device.store.queueEntries().isEmpty)
        try await device.store.upload()
        try await device.store.download()
        #expect(try await device.values("Drafts?$orderby=ID", "Text") == [.string("first"), .string("changed")])
        #expect(try await device.values("Drafts?$filter=Order/Amount eq 30&$expand=Order", "ID") == [.integer(1)])
        try device.store.close()
        let again = try OfflineStore(folder: device.folder.path + "/store", remote: nil)
        #expect(try await again.entities(try await again.query("Drafts")).count == 2)
        try again.clear()
        #expect(try await again.entities(try await again.query("Drafts")).isEmpty)
    }

    @Test("Are declared as a schema too, with a relation to the service's entities")
    func schema() async throws {
        let device = try await Device([.init(name: "orders", query: "Orders")])
        try await device.store.download()
        let order = try #require(try await device.store.model().entitySet(named: "Orders")?.type.name)
        let draft = EdmStructuredTypeDeclaration(
            name: EdmQualifiedName(namespace: "App", name: "Draft"), key: ["ID"],
            properties: [
                EdmProperty(name: "ID", type: .int32, isNullable: false), EdmProperty(name: "Text", type: .string),
                EdmProperty(name: "OrderID", type: .int64),
            ],
            navigationProperties: [
                EdmNavigationProperty(
                    name: "Order", target: order, isCollection: false,
                    constraints: [.init(property: "OrderID", referencedProperty: "OrderID")])
            ])
        let set = EdmEntitySetDeclaration(name: "Drafts", type: draft.name, bindings: ["Order": "Orders"])
        try await device.store.addLocalSets(EdmSchema(namespace: "App", types: [draft], entitySets: [set]))
        try await device.create("Drafts", #"{"Text":"first","OrderID":3}"#)
        #expect(try await device.values("Drafts?$filter=Order/Amount eq 30", "Text") == [.string("first")])
        #expect(try await device.store.queueEntries().isEmpty)
        let taken = EdmSchema(namespace: order.namespace, types: [draft], entitySets: [set])
        await #expect(throws: ODataError.self) { try await device.store.addLocalSets(taken) }
    }

    @Test("Follow an order that gets its key from the service")
    func identity() async throws {
        let device = try await device()
        let made = try await device.create("Orders", #"{"Note":"new"}"#)
        let path = try #require(made.path)
        guard case .key(let key)? = path.segments.last else { return }
        try await device.create("Drafts", #"{"ID":1,"OrderID":\#(key.values[0].lexical)}"#)
        #expect(try await device.store.upload().isComplete)
        #expect(try await device.values("Drafts", "OrderID") == [.integer(Int64(SampleService.orders + 1))])
    }

    @Test("A live query hears that its set is taken away", .timeLimit(.minutes(1)))
    func liveQuery() async throws {
        let device = try await device()
        let store = device.store
        var results = store.live(try await store.query("Drafts")).makeAsyncIterator()
        #expect(try await results.next()?.get() != nil)
        let type = try #require(try await store.model().entitySet(named: "Orders")?.type.name)
        let others = csdl().replacing("Main.Order", with: "\(type)").replacing("Draft", with: "Memo")
        try await store.addLocalSets(csdl: others)
        let next = await results.next()
        #expect(throws: ODataError.self) { try next?.get() }
    }

    @Test("A declaration may grow, but not drop what is used, nor clash with the service")
    func declarations() async throws {
        let device = try await device()
        let type = try #require(try await device.store.model().entitySet(named: "Orders")?.type.name)
        try await device.create("Drafts", #"{"Text":"first"}"#)
        let grown = csdl(more: #"<Property Name="Done" Type="Edm.Boolean"/>"#)
        try await device.store.addLocalSets(csdl: grown.replacing("Main.Order", with: "\(type)"))
        try await device.update("Drafts(1)", #"{"Done":true}"#)
        let text = grown.replacing("Main.Order", with: "\(type)")
        for wrong in [
            text.replacing(#"Name="Text" Type="Edm.String""#, with: #"Name="Text" Type="Edm.Int32""#),
            text.replacing(#"EntitySet Name="Drafts""#, with: #"EntitySet Name="Orders""#),
            text.replacing(#"ReferencedProperty="OrderID""#, with: #"ReferencedProperty="None""#), "<nothing/>",
        ] {
            await #expect(throws: ODataError.self) { try await device.store.addLocalSets(csdl: wrong) }
        }
        #expect(throws: ODataError.self) { try device.store.addQuery(.init(name: "drafts", query: "Drafts")) }
        #expect(try await device.values("Drafts", "Done") == [.boolean(true)])
    }
}
