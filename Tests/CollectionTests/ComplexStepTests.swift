import OData
import ODataModel
import Testing

@Suite("Relations in complex properties, by name")
struct ComplexStepTests {
    @Test("are one step of an expansion", arguments: [StoreKind.file, .online])
    func expanding(kind: StoreKind) async throws {
        let shop = try await Shop(kind, metadata: Self.metadata, entities: [])
        for (navigation, set, expected) in [
            ("Address/Country", "Places", "Places?$expand=Address/Country"),
            ("Home", "Places", "Places?$expand=Home"),
            ("Places/Address/Country", "Countries", "Countries?$expand=Places($expand=Address/Country)"),
            ("Address/Country/Places", "Places", "Places?$expand=Address/Country($expand=Places)"),
        ] { #expect(try await shop.collections[set].expand(navigation).bound().url == expected) }
    }

    @Test("stay with entities that are made into rows, as those of snapshots are")
    func rows() throws {
        let (model, _) = try CSDL.read(xml: Array(Self.metadata.utf8))
        let (places, countries) = (
            try #require(model.entitySet(named: "Places")), try #require(model.entitySet(named: "Countries"))
        )
        let country = EdmEntity(type: countries.type, entitySet: countries, properties: ["ID": .integer(1)])
        let place = EdmEntity(
            type: places.type, entitySet: places, properties: ["ID": .integer(7)],
            expanded: ["Address/Country": .one(country), "Home": .one(nil)])
        let rows = EntityRows([place], model: model)
        let found = EntityAssembler(shape: rows.shape).entities(in: rows.block)
        guard case .one(let read) = found.first?.expanded["Address/Country"] else {
            Issue.record("no country")
            return
        }
        #expect(read?["ID"] == .integer(1) && found.first?.expanded.count == 2)
    }

    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Map" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <ComplexType Name="Address">
            <Property Name="City" Type="Edm.String"/><Property Name="CountryID" Type="Edm.Int32"/>
            <NavigationProperty Name="Country" Type="Map.Country">
              <ReferentialConstraint Property="CountryID" ReferencedProperty="ID"/>
            </NavigationProperty>
          </ComplexType>
          <EntityType Name="Place"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Address" Type="Map.Address"/>
            <Property Name="HomeID" Type="Edm.Int32"/>
            <NavigationProperty Name="Home" Type="Map.Country" Partner="Places">
              <ReferentialConstraint Property="HomeID" ReferencedProperty="ID"/>
            </NavigationProperty>
          </EntityType>
          <EntityType Name="Country"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Places" Type="Collection(Map.Place)" Partner="Home"/>
          </EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="Places" EntityType="Map.Place">
              <NavigationPropertyBinding Path="Address/Country" Target="Countries"/>
              <NavigationPropertyBinding Path="Home" Target="Countries"/>
            </EntitySet>
            <EntitySet Name="Countries" EntityType="Map.Country">
              <NavigationPropertyBinding Path="Places" Target="Places"/>
            </EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}
