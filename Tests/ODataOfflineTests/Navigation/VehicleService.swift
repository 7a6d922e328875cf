/// A service whose derived types have navigation properties of the same names that lead to different sets.
enum VehicleService {
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="NS" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Party"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Cars" Type="Collection(NS.Car)" Partner="Owner"/>
          </EntityType>
          <EntityType Name="Vehicle"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Garage" Type="NS.Party"/>
          </EntityType>
          <EntityType Name="Car" BaseType="NS.Vehicle"><Property Name="OwnerID" Type="Edm.Int32"/>
            <NavigationProperty Name="Owner" Type="NS.Party" Partner="Cars">
              <ReferentialConstraint Property="OwnerID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Drivers" Type="Collection(NS.Party)"/>
          </EntityType>
          <EntityType Name="Taxi" BaseType="NS.Car"/>
          <EntityType Name="Truck" BaseType="NS.Vehicle"><Property Name="OwnerID" Type="Edm.Int32"/>
            <NavigationProperty Name="Owner" Type="NS.Party">
              <ReferentialConstraint Property="OwnerID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Drivers" Type="Collection(NS.Party)"/>
          </EntityType>
          <EntityContainer Name="C">
            <EntitySet Name="Vehicles" EntityType="NS.Vehicle">
              <NavigationPropertyBinding Path="NS.Car/Owner" Target="People"/>
              <NavigationPropertyBinding Path="NS.Truck/Owner" Target="Companies"/>
              <NavigationPropertyBinding Path="NS.Car/Drivers" Target="People"/>
              <NavigationPropertyBinding Path="NS.Truck/Drivers" Target="Companies"/>
              <NavigationPropertyBinding Path="Garage" Target="People"/>
              <NavigationPropertyBinding Path="NS.Truck/Garage" Target="Companies"/>
            </EntitySet>
            <EntitySet Name="People" EntityType="NS.Party">
              <NavigationPropertyBinding Path="Cars" Target="Vehicles"/></EntitySet>
            <EntitySet Name="Companies" EntityType="NS.Party"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    static func made(_ metadata: String = VehicleService.metadata) async throws -> ModelService {
        let service = try ModelService(metadata)
        for (id, person, company) in [(5, "Ann", "ACME"), (6, "Bob", "Bolt")] {
            try await service.create("People", #"{"ID":\#(id),"Name":"\#(person)"}"#)
            try await service.create("Companies", #"{"ID":\#(id),"Name":"\#(company)"}"#)
        }
        try await service.create(
            "Vehicles",
            ##"{"@type":"#NS.Car","ID":1,"OwnerID":5,"Drivers@bind":["People(6)"],"Garage@bind":"People(5)"}"##)
        try await service.create(
            "Vehicles",
            ##"{"@type":"#NS.Truck","ID":2,"OwnerID":5,"Drivers@bind":["Companies(6)"],"Garage@bind":"Companies(5)"}"##)
        try await service.create("Vehicles", ##"{"@type":"#NS.Taxi","ID":3,"OwnerID":6}"##)
        return service
    }

    static let queries = [
        "Vehicles?$expand=NS.Car/Owner,NS.Truck/Owner,NS.Car/Drivers,NS.Truck/Drivers,NS.Truck/Garage,NS.Car/Garage",
        "People", "Companies",
    ]
}
