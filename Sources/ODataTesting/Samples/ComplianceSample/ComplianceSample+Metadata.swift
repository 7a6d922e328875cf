extension ComplianceSample {
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
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="ComplianceService">
              <Annotation Term="Core.SchemaVersion" String="1.0"/>
        \(types)
        \(container)
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """

    private static let types = """
              <EnumType Name="ProductStatus" UnderlyingType="Edm.Int32" IsFlags="true">
                <Member Name="None" Value="0"/>
                <Member Name="InStock" Value="1"/>
                <Member Name="OnSale" Value="2"/>
                <Member Name="Discontinued" Value="4"/>
                <Member Name="Featured" Value="8"/>
              </EnumType>
              <ComplexType Name="Address">
                <Property Name="Street" Type="Edm.String" MaxLength="100"/>
                <Property Name="City" Type="Edm.String" MaxLength="50"/>
                <Property Name="State" Type="Edm.String" MaxLength="2"/>
                <Property Name="PostalCode" Type="Edm.String" MaxLength="10"/>
                <Property Name="Country" Type="Edm.String" MaxLength="50"/>
              </ComplexType>
              <ComplexType Name="Dimensions">
                <Property Name="Length" Type="Edm.Double"/>
                <Property Name="Width" Type="Edm.Double"/>
                <Property Name="Height" Type="Edm.Double"/>
                <Property Name="Unit" Type="Edm.String" MaxLength="10"/>
              </ComplexType>
              <EntityType Name="Product">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false">
                  <Annotation Term="Core.ComputedDefaultValue" Bool="true"/>
                </Property>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="100">
                  <Annotation Term="Core.Description" String="What the product is called"/>
                </Property>
                <Property Name="Description" Type="Edm.String" MaxLength="500">
                  <Annotation Term="Core.Description" String="What there is to say about the product"/>
                </Property>
                <Property Name="Price" Type="Edm.Double" Nullable="false"/>
                <Property Name="Rating" Type="Edm.Byte" Nullable="false" DefaultValue="0"/>
                <Property Name="Temperature" Type="Edm.SByte" Nullable="false" DefaultValue="0"/>
                <Property Name="Quantity" Type="Edm.Int16" Nullable="false" DefaultValue="0"/>
                <Property Name="Weight" Type="Edm.Single" Nullable="false" DefaultValue="0"/>
                <Property Name="Data" Type="Edm.Binary"/>
                <Property Name="ReleaseDate" Type="Edm.Date"/>
                <Property Name="OpenTime" Type="Edm.TimeOfDay" Precision="12"/>
                <Property Name="ShippingTime" Type="Edm.Duration" Precision="12"/>
                <Property Name="ProcessingTime" Type="Edm.Duration" Precision="12"/>
                <Property Name="Offset" Type="Edm.Duration" Precision="12"/>
                <Property Name="CategoryID" Type="Edm.Guid"/>
                <Property Name="Status" Type="ComplianceService.ProductStatus" Nullable="false" DefaultValue="None"/>
                <Property Name="Version" Type="Edm.Int32" Nullable="false">
                  <Annotation Term="Core.Computed" Bool="true"/>
                </Property>
                <Property Name="CreatedAt" Type="Edm.DateTimeOffset" Nullable="false" Precision="12">
                  <Annotation Term="Core.Computed" Bool="true"/>
                </Property>
                <Property Name="SerialNumber" Type="Edm.String" MaxLength="50">
                  <Annotation Term="Core.Immutable" Bool="true"/>
                  <Annotation Term="Core.Description" String="The number that the product was given when it was made"/>
                </Property>
                <Property Name="ProductType" Type="Edm.String" Nullable="false" MaxLength="50">
                  <Annotation Term="Core.ComputedDefaultValue" Bool="true"/>
                </Property>
                <Property Name="ShippingAddress" Type="ComplianceService.Address"/>
                <Property Name="Dimensions" Type="ComplianceService.Dimensions"/>
                <Property Name="Location" Type="Edm.GeographyPoint"/>
                <Property Name="Route" Type="Edm.GeographyLineString"/>
                <Property Name="Area" Type="Edm.GeographyPolygon"/>
                <Property Name="Photo" Type="Edm.Stream"/>
                <NavigationProperty Name="Category" Type="ComplianceService.Category" Partner="Products">
                  <ReferentialConstraint Property="CategoryID" ReferencedProperty="ID"/>
                </NavigationProperty>
                <NavigationProperty Name="Descriptions" Type="Collection(ComplianceService.ProductDescription)" Partner="Product">
                  <OnDelete Action="Cascade"/>
                </NavigationProperty>
                <NavigationProperty Name="RelatedProducts" Type="Collection(ComplianceService.Product)"/>
              </EntityType>
              <EntityType Name="SpecialProduct" BaseType="ComplianceService.Product">
                <Property Name="SpecialProperty" Type="Edm.String" MaxLength="200"/>
                <Property Name="SpecialFeature" Type="Edm.String" MaxLength="100"/>
              </EntityType>
              <EntityType Name="Category">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false">
                  <Annotation Term="Core.ComputedDefaultValue" Bool="true"/>
                </Property>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="100"/>
                <Property Name="Description" Type="Edm.String" MaxLength="500"/>
                <NavigationProperty Name="Products" Type="Collection(ComplianceService.Product)" Partner="Category">
                  <OnDelete Action="SetNull"/>
                </NavigationProperty>
              </EntityType>
              <EntityType Name="ProductDescription">
                <Key><PropertyRef Name="ProductID"/><PropertyRef Name="LanguageKey"/></Key>
                <Property Name="ProductID" Type="Edm.Guid" Nullable="false"/>
                <Property Name="LanguageKey" Type="Edm.String" Nullable="false" MaxLength="2"/>
                <Property Name="Description" Type="Edm.String" Nullable="false" MaxLength="500"/>
                <Property Name="LongText" Type="Edm.String" MaxLength="2000"/>
                <Property Name="CustomName" Type="Edm.String"/>
                <NavigationProperty Name="Product" Type="ComplianceService.Product" Nullable="false" Partner="Descriptions">
                  <ReferentialConstraint Property="ProductID" ReferencedProperty="ID"/>
                </NavigationProperty>
              </EntityType>
              <EntityType Name="CompanyInfo">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false">
                  <Annotation Term="Core.ComputedDefaultValue" Bool="true"/>
                </Property>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="200"/>
                <Property Name="CEO" Type="Edm.String" Nullable="false" MaxLength="100"/>
                <Property Name="Founded" Type="Edm.Int32" Nullable="false"/>
                <Property Name="HeadQuarter" Type="Edm.String" Nullable="false" MaxLength="200"/>
                <Property Name="Website" Type="Edm.String" Nullable="false" MaxLength="100"/>
                <Property Name="Logo" Type="Edm.Binary">
                  <Annotation Term="Core.MediaType" String="image/svg+xml"/>
                </Property>
                <Property Name="Version" Type="Edm.Int32" Nullable="false">
                  <Annotation Term="Core.Computed" Bool="true"/>
                </Property>
                <Property Name="UpdatedAt" Type="Edm.DateTimeOffset" Nullable="false" Precision="12">
                  <Annotation Term="Core.Computed" Bool="true"/>
                </Property>
              </EntityType>
              <EntityType Name="MediaItem" HasStream="true">
                <Annotation Term="Core.AcceptableMediaTypes"><Collection><String>*/*</String></Collection></Annotation>
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false">
                  <Annotation Term="Core.ComputedDefaultValue" Bool="true"/>
                </Property>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="100"/>
                <Property Name="ContentType" Type="Edm.String" Nullable="false" MaxLength="100">
                  <Annotation Term="Core.Computed" Bool="true"/>
                </Property>
                <Property Name="Size" Type="Edm.Int64">
                  <Annotation Term="Core.Computed" Bool="true"/>
                </Property>
                <Property Name="CreatedAt" Type="Edm.DateTimeOffset" Nullable="false" Precision="12">
                  <Annotation Term="Core.Computed" Bool="true"/>
                </Property>
                <Property Name="ModifiedAt" Type="Edm.DateTimeOffset" Nullable="false" Precision="12">
                  <Annotation Term="Core.Computed" Bool="true"/>
                </Property>
              </EntityType>
              <EntityType Name="ReadOnlyItem">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false"/>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="100"/>
              </EntityType>
              <EntityType Name="DecimalSample">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false">
                  <Annotation Term="Core.ComputedDefaultValue" Bool="true"/>
                </Property>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="100"/>
                <Property Name="Amount" Type="Edm.Decimal" Nullable="false" Precision="38" Scale="18"/>
              </EntityType>
        """

    private static let container = """
              <EntityContainer Name="Container">
                <EntitySet Name="Products" EntityType="ComplianceService.Product">
                  <NavigationPropertyBinding Path="Category" Target="Categories"/>
                  <NavigationPropertyBinding Path="Descriptions" Target="ProductDescriptions"/>
                  <NavigationPropertyBinding Path="RelatedProducts" Target="Products"/>
                  \(concurrency)
                  \(tracking)
                </EntitySet>
                <EntitySet Name="Categories" EntityType="ComplianceService.Category">
                  <NavigationPropertyBinding Path="Products" Target="Products"/>
                  \(tracking)
                </EntitySet>
                <EntitySet Name="ProductDescriptions" EntityType="ComplianceService.ProductDescription">
                  <NavigationPropertyBinding Path="Product" Target="Products"/>
                  \(tracking)
                </EntitySet>
                <EntitySet Name="MediaItems" EntityType="ComplianceService.MediaItem">
                  \(tracking)
                </EntitySet>
                <EntitySet Name="ReadOnlyItems" EntityType="ComplianceService.ReadOnlyItem">
                  <Annotation Term="Capabilities.InsertRestrictions">
                    <Record><PropertyValue Property="Insertable" Bool="false"/></Record>
                  </Annotation>
                  <Annotation Term="Capabilities.UpdateRestrictions">
                    <Record><PropertyValue Property="Updatable" Bool="false"/></Record>
                  </Annotation>
                  <Annotation Term="Capabilities.DeleteRestrictions">
                    <Record><PropertyValue Property="Deletable" Bool="false"/></Record>
                  </Annotation>
                </EntitySet>
                <EntitySet Name="DecimalSamples" EntityType="ComplianceService.DecimalSample">
                  \(tracking)
                </EntitySet>
                <Singleton Name="Company" Type="ComplianceService.CompanyInfo">
                  \(concurrency)
                </Singleton>
              </EntityContainer>
        """

    private static let concurrency = """
        <Annotation Term="Core.OptimisticConcurrency"><Collection><PropertyPath>Version</PropertyPath></Collection></Annotation>
        """

    private static let tracking = """
        <Annotation Term="Capabilities.ChangeTracking"><Record><PropertyValue Property="Supported" Bool="true"/></Record></Annotation>
        """
}
