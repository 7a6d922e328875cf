import ODataGeneration
import ODataMetadata
import ODataModel

/// A small model with one of each kind.
enum ShopModel {
    static let document = #"""
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Color"><Member Name="Red"/><Member Name="DarkBlue"/></EnumType>
          <EnumType Name="Rights" IsFlags="true"><Member Name="None" Value="0"/><Member Name="Read" Value="1"/></EnumType>
          <TypeDefinition Name="Weight" UnderlyingType="Edm.Decimal"/>
          <ComplexType Name="Size">
            <Property Name="Width" Type="Edm.Double" Nullable="false"/>
            <Property Name="Unit" Type="Edm.String"/>
          </ComplexType>
          <EntityType Name="Product" HasStream="true">
            <Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="40">
              <Annotation Term="Org.OData.Core.V1.Description" String="What it is called"/>
            </Property>
            <Property Name="Weight" Type="Shop.Weight"/>
            <Property Name="Color" Type="Shop.Color"/>
            <Property Name="Size" Type="Shop.Size"/>
            <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
            <Property Name="Changed" Type="Edm.DateTimeOffset" Nullable="false">
              <Annotation Term="Org.OData.Core.V1.Computed"/>
            </Property>
            <Property Name="Picture" Type="Edm.Stream"/>
            <NavigationProperty Name="Category" Type="Shop.Category"/>
            <NavigationProperty Name="Parts" Type="Collection(Shop.Product)"/>
          </EntityType>
          <EntityType Name="Category">
            <Key><PropertyRef Name="Code"/><PropertyRef Name="Region"/></Key>
            <Property Name="Code" Type="Edm.String" Nullable="false"/>
            <Property Name="Region" Type="Edm.Int32" Nullable="false"/>
          </EntityType>
          <Action Name="Discount" IsBound="true">
            <Annotation Term="Org.OData.Core.V1.Description" String="Lowers the price."/>
            <Parameter Name="product" Type="Shop.Product"/>
            <Parameter Name="percent" Type="Edm.Int32" Nullable="false"/>
            <ReturnType Type="Edm.Double" Nullable="false"/>
          </Action>
          <Function Name="Best"><Parameter Name="count" Type="Edm.Int32" Nullable="false"/>
            <ReturnType Type="Collection(Shop.Product)"/></Function>
          <EntityContainer Name="Container">
            <EntitySet Name="Products" EntityType="Shop.Product"/>
            <EntitySet Name="Categories" EntityType="Shop.Category"/>
            <Singleton Name="Favourite" Type="Shop.Product"/>
            <FunctionImport Name="Best" Function="Shop.Best"/>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """#
}

/// The generated files of a metadata document, by their names.
func generated(
    _ document: String, access: CodeGenerator.Access = .internal, sets: [String]? = nil
) throws -> [String: String] {
    var generator = CodeGenerator(model: try CSDL.document(Array(document.utf8)).model)
    generator.access = access
    generator.sets = sets
    return Dictionary(uniqueKeysWithValues: try generator.files().map { ($0.name, $0.text) })
}
