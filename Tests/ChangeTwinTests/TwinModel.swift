/// The declared model of the twins, and the entities that each of them begins with.
enum TwinModel {
    static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Core.V1.xml">
            <edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/>
          </edmx:Reference>
          <edmx:Reference Uri="https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.Capabilities.V1.xml">
            <edmx:Include Namespace="Org.OData.Capabilities.V1" Alias="Capabilities"/>
          </edmx:Reference>
          <edmx:DataServices>
            <Schema Namespace="NS" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        \(types)
        \(products)
        \(container)
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """

    private static let types = """
              <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
              <ComplexType Name="Place">
                <Property Name="Floor" Type="Edm.Int32"/>
                <Property Name="Door" Type="Edm.String" MaxLength="4"/>
              </ComplexType>
              <ComplexType Name="Address">
                <Property Name="City" Type="Edm.String" Nullable="false" MaxLength="10"/>
                <Property Name="Zip" Type="Edm.String"/>
                <Property Name="Place" Type="NS.Place"/>
              </ComplexType>
              <EntityType Name="Category">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Guid" Nullable="false"/>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="20"/>
                <NavigationProperty Name="Products" Type="Collection(NS.Product)" Partner="Category"/>
              </EntityType>
              <EntityType Name="Part">
                <Key><PropertyRef Name="ProductID"/><PropertyRef Name="Number"/></Key>
                <Property Name="ProductID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Number" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Text" Type="Edm.String"/>
                <NavigationProperty Name="Product" Type="NS.Product" Nullable="false" Partner="Parts">
                  <ReferentialConstraint Property="ProductID" ReferencedProperty="ID"/>
                </NavigationProperty>
              </EntityType>
              <EntityType Name="Order">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Customer" Type="Edm.String"/>
                <NavigationProperty Name="Items" Type="Collection(NS.Item)" ContainsTarget="true"/>
              </EntityType>
              <EntityType Name="Item">
                <Key><PropertyRef Name="Line"/></Key>
                <Property Name="Line" Type="Edm.String" Nullable="false"/>
                <Property Name="Quantity" Type="Edm.Int32" Nullable="false"/>
                <Property Name="ProductID" Type="Edm.Int32"/>
                <NavigationProperty Name="Product" Type="NS.Product">
                  <ReferentialConstraint Property="ProductID" ReferencedProperty="ID"/>
                </NavigationProperty>
                <NavigationProperty Name="Notes" Type="Collection(NS.Note)" ContainsTarget="true"/>
              </EntityType>
              <EntityType Name="Note">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Text" Type="Edm.String" MaxLength="10"/>
              </EntityType>
              <EntityType Name="Photo" HasStream="true">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Title" Type="Edm.String" MaxLength="20"/>
                <Property Name="Code" Type="Edm.String"><Annotation Term="Core.Immutable" Bool="true"/></Property>
                <Property Name="ProductID" Type="Edm.Int32"/>
                <Property Name="Thumb" Type="Edm.Stream"/>
                <NavigationProperty Name="Product" Type="NS.Product" Partner="Photos">
                  <ReferentialConstraint Property="ProductID" ReferencedProperty="ID"/>
                </NavigationProperty>
              </EntityType>
              <EntityType Name="Thing" OpenType="true">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.String" Nullable="false"/>
              </EntityType>
              <EntityType Name="Rate">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Value" Type="Edm.Int32"/>
              </EntityType>
              <EntityType Name="Settings">
                <Property Name="Theme" Type="Edm.String" Nullable="false" DefaultValue="light" MaxLength="10"/>
                <Property Name="Volume" Type="Edm.Int32"/>
                <NavigationProperty Name="Favourite" Type="NS.Product"/>
              </EntityType>
              <EntityType Name="Logo" HasStream="true">
                <Property Name="Title" Type="Edm.String"/>
              </EntityType>
        """

    private static let products = """
              <EntityType Name="Product">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="20"/>
                <Property Name="Price" Type="Edm.Decimal" Precision="5" Scale="2"/>
                <Property Name="Rating" Type="Edm.Byte" Nullable="false" DefaultValue="3"/>
                <Property Name="Color" Type="NS.Color"/>
                <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
                <Property Name="Origin" Type="NS.Address"/>
                <Property Name="Seen" Type="Edm.DateTimeOffset"/>
                <Property Name="Code" Type="Edm.String"><Annotation Term="Core.Immutable" Bool="true"/></Property>
                <Property Name="Version" Type="Edm.Int32"><Annotation Term="Core.Computed" Bool="true"/></Property>
                <Property Name="CategoryID" Type="Edm.Guid"/>
                <NavigationProperty Name="Category" Type="NS.Category" Partner="Products">
                  <ReferentialConstraint Property="CategoryID" ReferencedProperty="ID"/>
                </NavigationProperty>
                <NavigationProperty Name="Related" Type="Collection(NS.Product)"/>
                <NavigationProperty Name="Best" Type="NS.Product"/>
                <NavigationProperty Name="Parts" Type="Collection(NS.Part)" Partner="Product"/>
                <NavigationProperty Name="Photos" Type="Collection(NS.Photo)" Partner="Product"/>
                <NavigationProperty Name="Profile" Type="NS.Profile" ContainsTarget="true"/>
              </EntityType>
              <EntityType Name="Profile">
                <Property Name="Text" Type="Edm.String"/>
              </EntityType>
              <EntityType Name="Special" BaseType="NS.Product">
                <Property Name="Extra" Type="Edm.String" Nullable="false" MaxLength="5"/>
                <Property Name="Plan" Type="Edm.Stream"/>
                <NavigationProperty Name="Maker" Type="NS.Category"/>
              </EntityType>
        """

    private static let container = """
              <EntityContainer Name="Container">
                <EntitySet Name="Categories" EntityType="NS.Category">
                  <NavigationPropertyBinding Path="Products" Target="Products"/>
                </EntitySet>
                <EntitySet Name="Products" EntityType="NS.Product">
                  <NavigationPropertyBinding Path="Category" Target="Categories"/>
                  <NavigationPropertyBinding Path="Related" Target="Products"/>
                  <NavigationPropertyBinding Path="Best" Target="Products"/>
                  <NavigationPropertyBinding Path="Parts" Target="Parts"/>
                  <NavigationPropertyBinding Path="Photos" Target="Photos"/>
                  <NavigationPropertyBinding Path="NS.Special/Maker" Target="Categories"/>
                </EntitySet>
                <EntitySet Name="Parts" EntityType="NS.Part">
                  <NavigationPropertyBinding Path="Product" Target="Products"/>
                </EntitySet>
                <EntitySet Name="Orders" EntityType="NS.Order">
                  <NavigationPropertyBinding Path="Items/Product" Target="Products"/>
                </EntitySet>
                <EntitySet Name="Photos" EntityType="NS.Photo">
                  <NavigationPropertyBinding Path="Product" Target="Products"/>
                </EntitySet>
                <EntitySet Name="Things" EntityType="NS.Thing"/>
                <EntitySet Name="Rates" EntityType="NS.Rate">
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
                <Singleton Name="Settings" Type="NS.Settings">
                  <NavigationPropertyBinding Path="Favourite" Target="Products"/>
                </Singleton>
                <Singleton Name="Logo" Type="NS.Logo"/>
              </EntityContainer>
        """

    static let tea = "00000000-0000-0001-0000-000000000002"
    static let herbs = "00000000-0000-0001-0000-000000000003"

    /// The last key of each set is 899: the keys that a service makes begin with 900.
    static let entities: [(set: String, json: String)] = [
        ("Categories", #"{"ID":"\#(tea)","Name":"Tea"}"#),
        ("Categories", #"{"ID":"\#(herbs)","Name":"Herbs"}"#),
        (
            "Products",
            """
            {"ID":1,"Name":"Green","Price":1.50,"Color":"Red","Tags":["a","b"],"Code":"c1","Version":1,
            "Origin":{"City":"Uji","Zip":"611","Place":{"Floor":2,"Door":"D"}},"Seen":"2024-01-02T03:04:05Z",
            "CategoryID":"\(tea)","Related@odata.bind":["Products(2)"],"Best@odata.bind":"Products(2)"}
            """
        ),
        (
            "Products",
            #"{"ID":2,"Name":"Black","Tags":[],"Version":1,"CategoryID":"\#(tea)","Profile":{"Text":"p"}}"#
        ),
        ("Products", #"{"ID":3,"Name":"White","Tags":[],"Version":1}"#),
        (
            "Products",
            """
            {"@odata.type":"#NS.Special","ID":899,"Name":"Rare","Tags":[],"Version":1,"Extra":"x",
            "Maker@odata.bind":"Categories(\(herbs))"}
            """
        ),
        ("Parts", #"{"ProductID":1,"Number":1,"Text":"one"}"#),
        ("Parts", #"{"ProductID":1,"Number":2,"Text":"two"}"#),
        (
            "Orders",
            """
            {"ID":1,"Customer":"Ada","Items":[{"Line":"a","Quantity":2,"ProductID":1,"Notes":[{"ID":1,"Text":"n"}]},
            {"Line":"b","Quantity":1}]}
            """
        ),
        ("Orders", #"{"ID":899,"Customer":"Bob"}"#),
        ("Photos", #"{"ID":1,"Title":"first","Code":"p1","ProductID":1}"#),
        ("Photos", #"{"ID":899,"Title":"last"}"#),
        ("Things", #"{"ID":"t","Size":4,"Note":"dynamic"}"#),
        ("Rates", #"{"ID":1,"Value":7}"#),
        ("Settings", #"{"Theme":"dark","Volume":5,"Favourite@odata.bind":"Products(1)"}"#),
        ("Logo", #"{"Title":"logo"}"#),
    ]

    /// What all twins read: with these queries a device downloads everything.
    static let queries = [
        "Categories", "Products?$expand=Related,Best,Profile,NS.Special/Maker", "Parts",
        "Orders?$expand=Items($expand=Notes)", "Photos", "Things", "Rates",
        "Settings?$expand=Favourite", "Logo",
    ]
}
