import ODataGeneration
import Testing

/// What annotations, defaults and facets of a document do in the code.
@Suite struct AnnotatedTests {
    private static let document = #"""
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Color"><Member Name="Red"/><Member Name="Blue" Value="4"/></EnumType>
        <TypeDefinition Name="Weight" UnderlyingType="Edm.Decimal">
          <Annotation Term="Org.OData.Core.V1.Description" String="In kilograms"/></TypeDefinition>
        <EntityType Name="Product"><Key><PropertyRef Name="Code"/></Key>
          <Property Name="Code" Type="Edm.String" Nullable="false"/>
          <Property Name="Weight" Type="Shop.Weight"/>
          <Property Name="Stock" Type="Edm.Int32" Nullable="false">
            <Annotation Term="Org.OData.Core.V1.Permissions">
              <EnumMember>Org.OData.Core.V1.Permission/Read</EnumMember></Annotation></Property>
          <Property Name="Color" Type="Shop.Color" Nullable="false" DefaultValue="4"/>
          <Property Name="Price" Type="Edm.Decimal" Scale="2" Nullable="false" DefaultValue="1.50"/>
          <Property Name="Since" Type="Edm.Date" Nullable="false" DefaultValue="soon"/>
          <Property Name="Rank" Type="Edm.Int32" DefaultValue="5"/>
          <Property Name="Notes" Type="Collection(Edm.String)" Nullable="true"/>
          <Property Name="Parts" Type="Collection(Edm.String)"/>
          <Property Name="Picture" Type="Edm.Stream">
            <Annotation Term="Org.OData.Core.V1.Description" String="From the front"/></Property>
        </EntityType>
        <Function Name="Best">
          <Parameter Name="count" Type="Edm.Int32" Nullable="false">
            <Annotation Term="Org.OData.Core.V1.Description" String="How many at most"/></Parameter>
          <ReturnType Type="Collection(Shop.Product)">
            <Annotation Term="Org.OData.Core.V1.Description" String="The dearest first"/></ReturnType></Function>
        <EntityContainer Name="Container"><EntitySet Name="Products" EntityType="Shop.Product"/>
          <FunctionImport Name="Best" Function="Shop.Best"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#

    @Test(arguments: [
        "    /// In kilograms\n    var weight: EdmDecimal?",
        "    /// The service makes the value.\n    ///\n    /// 0 until the service has made it.\n    var stock: Int32 {",
        "get { colorValue ?? Color(rawValue: \"Blue\") }",
        "get { priceValue ?? EdmDecimal(\"1.50\") ?? 0 }",
        "    /// By default 1.50.\n    ///\n    /// `EdmDecimal(\"1.50\")` until the service has made it.",
        "get { sinceValue ?? EdmDate(daysSinceEpoch: 0) }",
        "    /// By default 5. A creation with nil gets that too.\n    var rank: Int32?",
        "var notes: [String?]\n", "var parts: [String]\n", "var notes: CollectionOperand<String> {",
        "    /// From the front\n        var picture: StreamField",
        "struct Product: TypedEntity {",
    ])
    func ofPropertiesIsWritten(text: String) throws {
        #expect(try generated(Self.document)["Product.swift"]?.contains(text) == true)
    }

    @Test func ofParametersAndResultsIsWritten() throws {
        let text = """
                /// `Best`
                ///
                /// - Parameter count: How many at most
                ///
                /// - Returns: The dearest first
                func best(count: Int32) -> EntityCollection<Product> {
            """
        #expect(try generated(Self.document)["ShopService.swift"]?.contains(text) == true)
    }
}
