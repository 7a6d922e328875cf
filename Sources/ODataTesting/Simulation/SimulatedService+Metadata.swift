extension SimulatedService {
    static let sets = ["Jobs", "Parts", "Labels", "Pictures"]
    static let singleton = "Settings"
    /// The members of the complex value `Place`, which jobs and parts have.
    static let placeMembers = ["Street", "City"]

    /// Jobs with parts (a referential constraint), labels (many to many, a link table) and pictures (streams), and a
    /// singleton, whose type has a key. Jobs and parts have a complex value.
    static let metadata = """
        <?xml version="1.0" encoding="UTF-8"?>
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01">
          <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml">
            <edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/>
          </edmx:Reference>
          <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml">
            <edmx:Include Namespace="Org.OData.Capabilities.V1" Alias="Capabilities"/>
          </edmx:Reference>
          <edmx:DataServices>
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Sim">
              <ComplexType Name="Place">
                <Property Name="Street" Type="Edm.String" MaxLength="20"/>
                <Property Name="City" Type="Edm.String" MaxLength="20"/>
              </ComplexType>
              <EntityType Name="Job">
                \(key("Edm.Int64"))
                \(values)
                <Property Name="Place" Type="Sim.Place"/>
                <NavigationProperty Name="Parts" Type="Collection(Sim.Part)" Partner="Job">
                  <OnDelete Action="SetNull"/>
                </NavigationProperty>
                <NavigationProperty Name="Labels" Type="Collection(Sim.Label)" Partner="Jobs"/>
              </EntityType>
              <EntityType Name="Part">
                \(key("Edm.Int64"))
                \(values)
                <Property Name="Place" Type="Sim.Place"/>
                <Property Name="JobID" Type="Edm.Int64"/>
                <NavigationProperty Name="Job" Type="Sim.Job" Partner="Parts">
                  <ReferentialConstraint Property="JobID" ReferencedProperty="ID"/>
                </NavigationProperty>
              </EntityType>
              <EntityType Name="Label">
                \(key("Edm.Guid"))
                \(values)
                <NavigationProperty Name="Jobs" Type="Collection(Sim.Job)" Partner="Labels"/>
              </EntityType>
              <EntityType Name="Picture" HasStream="true">
                \(key("Edm.Guid"))
                \(values)
              </EntityType>
              <EntityType Name="Setting">
                \(key("Edm.Int64"))
                \(values)
              </EntityType>
              <EntityContainer Name="Container">
                <EntitySet Name="Jobs" EntityType="Sim.Job">
                  <NavigationPropertyBinding Path="Parts" Target="Parts"/>
                  <NavigationPropertyBinding Path="Labels" Target="Labels"/>
                  \(tracking)
                </EntitySet>
                <EntitySet Name="Parts" EntityType="Sim.Part">
                  <NavigationPropertyBinding Path="Job" Target="Jobs"/>
                  \(tracking)
                </EntitySet>
                <EntitySet Name="Labels" EntityType="Sim.Label">
                  <NavigationPropertyBinding Path="Jobs" Target="Jobs"/>
                  \(tracking)
                </EntitySet>
                <EntitySet Name="Pictures" EntityType="Sim.Picture">
                  \(tracking)
                </EntitySet>
                <Singleton Name="Settings" Type="Sim.Setting"/>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """

    private static func key(_ type: String) -> String {
        """
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="\(type)" Nullable="false">
          <Annotation Term="Core.ComputedDefaultValue" Bool="true"/>
        </Property>
        """
    }

    private static let values = """
        <Property Name="Marker" Type="Edm.String" MaxLength="20"/>
        <Property Name="First" Type="Edm.String" MaxLength="20"/>
        <Property Name="Second" Type="Edm.String" MaxLength="20"/>
        """

    private static let tracking = """
        <Annotation Term="Capabilities.ChangeTracking"><Record><PropertyValue Property="Supported" Bool="true"/></Record></Annotation>
        """
}
