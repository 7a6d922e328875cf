import OData

/// A travel service whose values are of derived and open types. It has members that came after the structures of these
/// tests were made.
enum Travel {
    /// What the service has got since.
    static let added = [
        #"<Member Name="Export" Value="4"/>"#, #"<Property Name="Zip" Type="Edm.String"/>"#,
    ]

    /// What the structures were made of.
    static var earlier: String { added.reduce(metadata) { $0.replacing($1, with: "") } }

    static func store(_ kind: StoreKind) async throws -> Shop {
        try await Shop(
            kind, metadata: metadata, entities: entities, sets: ["People", "PlanItems", "Airlines", "Countries"])
    }

    /// As the service has it.
    static let permits = EdmEnumType(
        name: EdmQualifiedName("Travel.Permits"), isFlags: true,
        members: [.init(name: "Read", value: 1), .init(name: "Write", value: 2), .init(name: "Export", value: 4)])
    static let eventLocation = EdmQualifiedName("Travel.EventLocation")

    static let entities: [StoredEntity] = [
        Shop.stored("Countries", ["Code": .string("CH"), "Name": .string("Switzerland")]),
        Shop.stored("Airlines", ["Code": .string("LX"), "Name": .string("Swiss")]),
        Shop.stored(
            "People",
            [
                "UserName": .string("russell"), "Name": .string("Russell"),
                "Mood": .enumeration(Mood.typeName, "Happy"),
                "Permits": .enumeration(Permits.type.name, "Read,Export"),
                "Nicks": .collection([.string("Rus"), .null]), "Tags": .collection([.string("new")]),
                "AddressInfo": .collection([
                    .complex(["Address": .string("Quai 1"), "City": .string("Bern"), "Zip": .string("3000")]),
                    .complex(
                        EdmComplexValue(
                            [
                                .init(name: "City", value: .string("Zug")),
                                .init(name: "BuildingInfo", value: .string("Hall 7")),
                                .init(name: "Floor", value: .string("second")),
                            ], type: eventLocation)),
                ]),
            ]),
        flight,
        StoredEntity("PlanItems", EntityPayload(["ID": .integer(2), "Note": .string("Dinner")])),
    ]

    private static var flight: StoredEntity {
        var payload = EntityPayload(["ID": .integer(1), "Note": .string("Home"), "FlightNumber": .string("LX 38")])
        payload.type = EdmQualifiedName("Travel.Flight")
        payload.bindings = [.init(navigation: "Airline", references: [.url("Airlines('LX')")])]
        return StoredEntity("PlanItems", payload)
    }

    static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Travel" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Mood"><Member Name="Calm" Value="0"/><Member Name="Happy" Value="1"/></EnumType>
          <EnumType Name="Permits" IsFlags="true"><Member Name="Read" Value="1"/><Member Name="Write" Value="2"/>
            <Member Name="Export" Value="4"/></EnumType>
          <ComplexType Name="Location" OpenType="true">
            <Property Name="Address" Type="Edm.String"/>
            <Property Name="City" Type="Edm.String" Nullable="false"/>
            <Property Name="Zip" Type="Edm.String"/>
            <NavigationProperty Name="Country" Type="Travel.Country"/>
          </ComplexType>
          <ComplexType Name="EventLocation" BaseType="Travel.Location">
            <Property Name="BuildingInfo" Type="Edm.String"/>
          </ComplexType>
          <EntityType Name="Person" OpenType="true"><Key><PropertyRef Name="UserName"/></Key>
            <Property Name="UserName" Type="Edm.String" Nullable="false"/>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
            <Property Name="Mood" Type="Travel.Mood"/>
            <Property Name="Permits" Type="Travel.Permits"/>
            <Property Name="Nicks" Type="Collection(Edm.String)" Nullable="true"/>
            <Property Name="Tags" Type="Collection(Edm.String)"/>
            <Property Name="AddressInfo" Type="Collection(Travel.Location)" Nullable="false"/>
            <Property Name="Home" Type="Travel.Location"/>
          </EntityType>
          <EntityType Name="PlanItem"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Note" Type="Edm.String"/>
          </EntityType>
          <EntityType Name="Flight" BaseType="Travel.PlanItem">
            <Property Name="FlightNumber" Type="Edm.String" Nullable="false"/>
            <NavigationProperty Name="Airline" Type="Travel.Airline"/>
          </EntityType>
          <EntityType Name="Airline"><Key><PropertyRef Name="Code"/></Key>
            <Property Name="Code" Type="Edm.String" Nullable="false"/>
            <Property Name="Name" Type="Edm.String" Nullable="false"/>
          </EntityType>
          <EntityType Name="Country"><Key><PropertyRef Name="Code"/></Key>
            <Property Name="Code" Type="Edm.String" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
          </EntityType>
          <EntityContainer Name="Container">
            <EntitySet Name="People" EntityType="Travel.Person">
              <NavigationPropertyBinding Path="Home/Country" Target="Countries"/>
            </EntitySet>
            <EntitySet Name="PlanItems" EntityType="Travel.PlanItem">
              <NavigationPropertyBinding Path="Travel.Flight/Airline" Target="Airlines"/>
            </EntitySet>
            <EntitySet Name="Airlines" EntityType="Travel.Airline"/>
            <EntitySet Name="Countries" EntityType="Travel.Country"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}
