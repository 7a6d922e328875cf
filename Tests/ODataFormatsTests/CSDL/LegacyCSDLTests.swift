import ODataFormats
import ODataMetadata
import ODataModel
import Testing

/// Documents of V1–V3, in the terms of V4.
@Suite struct LegacyCSDLTests {
    static func document(_ content: String, version: String = "2.0", edm: String = "2008/09") -> [UInt8] {
        Array(
            """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
              xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
              xmlns:sap="http://www.sap.com/Protocols/SAPData">
            <edmx:DataServices m:DataServiceVersion="\(version)">
            <Schema Namespace="Shop" Alias="self" xmlns="http://schemas.microsoft.com/ado/\(edm)/edm">\(content)</Schema>
            </edmx:DataServices></edmx:Edmx>
            """.utf8)
    }

    static let shop = document(
        """
        <EntityType Name="Product" m:HasStream="true" sap:label="Article">
          <Documentation><Summary>What is  sold</Summary></Documentation>
          <Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false" p6:StoreGeneratedPattern="Identity"
            xmlns:p6="http://schemas.microsoft.com/ado/2009/02/edm/annotation"/>
          <Property Name="Name" Type="String" MaxLength="Max" m:FC_TargetPath="SyndicationTitle" m:FC_KeepInContent="false"/>
          <Property Name="Made" Type="Edm.DateTime" Precision="7"/>
          <Property Name="At" Type="Edm.Time"/>
          <Property Name="Price" Type="Edm.Decimal" sap:unit="Currency" sap:label="Price" sap:sortable="false"/>
          <Property Name="Currency" Type="Edm.String" sap:semantics="currency-code" sap:updatable="false"/>
          <Property Name="Version" Type="Edm.Binary" ConcurrencyMode="Fixed" sap:updatable="false" sap:creatable="false"/>
          <Property Name="CategoryID" Type="Edm.Int32" sap:filterable="false"/>
          <NavigationProperty Name="Category" Relationship="self.Product_Category" FromRole="Product" ToRole="Category"/>
        </EntityType>
        <EntityType Name="Category"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <NavigationProperty Name="Products" Relationship="self.Product_Category" FromRole="Category" ToRole="Product"/>
          <NavigationProperty Name="Parent" Relationship="self.Parents" FromRole="Child" ToRole="Parent"/>
        </EntityType>
        <EntityType Name="Special" BaseType="self.Category">
          <NavigationProperty Name="Star" Relationship="self.Special_Star" FromRole="Special" ToRole="Star"/>
        </EntityType>
        <Association Name="Product_Category">
          <End Role="Category" Type="self.Category" Multiplicity="1"><OnDelete Action="Cascade"/></End>
          <End Role="Product" Type="self.Product" Multiplicity="*"/>
          <ReferentialConstraint>
            <Principal Role="Category"><PropertyRef Name="ID"/></Principal>
            <Dependent Role="Product"><PropertyRef Name="CategoryID"/></Dependent>
          </ReferentialConstraint>
        </Association>
        <Association Name="Parents"><End Role="Child" Type="self.Category" Multiplicity="*"/>
          <End Role="Parent" Type="self.Category" Multiplicity="0..1"/></Association>
        <Association Name="Special_Star"><End Role="Special" Type="self.Special" Multiplicity="*"/>
          <End Role="Star" Type="self.Product" Multiplicity="0..1"/></Association>
        <EntityContainer Name="Entities" m:IsDefaultEntityContainer="true">
          <EntitySet Name="Products" EntityType="self.Product" sap:creatable="false" sap:updatable-path="Made"
            sap:searchable="true" sap:pageable="false" sap:requires-filter="true"/>
          <EntitySet Name="Categories" EntityType="self.Category"/>
          <AssociationSet Name="A" Association="self.Product_Category">
            <End Role="Product" EntitySet="Products"/><End Role="Category" EntitySet="Categories"/></AssociationSet>
          <AssociationSet Name="B" Association="self.Special_Star">
            <End Role="Special" EntitySet="Categories"/><End Role="Star" EntitySet="Products"/></AssociationSet>
          <FunctionImport Name="Top" ReturnType="Collection(self.Product)" EntitySet="Products" m:HttpMethod="GET">
            <Parameter Name="since" Type="Edm.DateTime" Mode="In" MaxLength="5"/></FunctionImport>
          <FunctionImport Name="Product" m:HttpMethod="POST" sap:action-for="self.Product"
            sap:applicable-path="Made"/>
        </EntityContainer>
        """)

    private func product() throws -> (EdmModel, EdmStructuredType) {
        let document = try CSDL.document(Self.shop)
        #expect(document.diagnostics == [])
        #expect(document.version == .v2)
        return (document.model, try #require(document.model.structuredType(named: EdmQualifiedName("Shop.Product"))))
    }

    @Test func associationsBecomeNavigationProperties() throws {
        let (model, product) = try product()
        let category = try #require(product.navigationProperty(named: "Category"))
        #expect(
            category
                == EdmNavigationProperty(
                    name: "Category", target: EdmQualifiedName("Shop.Category"), isCollection: false, isNullable: false,
                    partner: "Products", constraints: [.init(property: "CategoryID", referencedProperty: "ID")]))
        let type = try #require(model.structuredType(named: EdmQualifiedName("Shop.Category")))
        let products = try #require(type.navigationProperty(named: "Products"))
        #expect(products.isCollection && products.partner == "Category" && products.constraints.isEmpty)
        #expect(products.onDelete?.action == "Cascade")
        let parent = try #require(type.navigationProperty(named: "Parent"))
        #expect(!parent.isCollection && parent.isNullable && parent.partner == nil)
    }

    /// An association has no place of its own in V4: what SAP says of it stands at its navigation properties, and what is
    /// said of its set at the paths of the bindings.
    @Test func attributesOfAssociationsAreKept() throws {
        var text = String(decoding: Self.shop, as: UTF8.self)
        text.replace(#"<Association Name="Special_Star">"#, with: #"<Association Name="Special_Star" sap:label="S">"#)
        text.replace(#"<AssociationSet Name="A""#, with: #"<AssociationSet Name="A" sap:creatable="false""#)
        let model = try CSDL.document(Array(text.utf8)).model
        let special = try #require(model.structuredType(named: EdmQualifiedName("Shop.Special")))
        let star = try #require(special.navigationProperty(named: "Star"))
        #expect(star.annotations == [EdmAnnotation(term: EdmAnnotation.sap("label"), value: .string("S"))])
        let targeted = try #require(model.schemas.first).targetedAnnotations
        #expect(targeted.map(\.target) == ["Shop.Entities/Products/Category", "Shop.Entities/Categories/Products"])
        #expect(
            targeted.first?.annotations == [
                EdmAnnotation(term: EdmAnnotation.sap("creatable"), value: .string("false"))
            ])
        #expect(try CSDL.document(CSDL.xml(model)).model.schemas.first?.targetedAnnotations == targeted)
    }

    @Test func associationSetsBecomeBindings() throws {
        let (model, _) = try product()
        #expect(model.entitySet(named: "Products")?.bindings == ["Category": "Categories"])
        #expect(
            model.entitySet(named: "Categories")?.bindings
                == ["Products": "Products", "Shop.Special/Star": "Products"])
    }

    @Test func legacyTypesAreReadAsTypesOfV4() throws {
        let (_, product) = try product()
        #expect(product.hasStream)
        #expect(product.property(named: "Name")?.type == .string)
        #expect(product.property(named: "Name")?.maxLength == nil)
        #expect(product.property(named: "Made")?.type == .primitive(.dateTimeOffset))
        #expect(product.property(named: "Made")?.legacyType == "Edm.DateTime")
        #expect(product.property(named: "Made")?.precision == 7)
        #expect(product.property(named: "At")?.type == .primitive(.timeOfDay))
        #expect(product.property(named: "At")?.legacyType == "Edm.Time")
        #expect(product.property(named: "Price")?.legacyType == nil)
    }

    @Test func functionImportsBecomeOperations() throws {
        let (model, _) = try product()
        let top = try #require(model.operationImport(named: "Top"))
        #expect(top.kind == .function && top.httpMethod == "GET" && top.entitySet == "Products")
        let function = try #require(model.operations(named: top.operation).first)
        #expect(function.result?.type == .collection(.entity(EdmQualifiedName("Shop.Product"))))
        #expect(function.parameters.map(\.legacyType) == ["Edm.DateTime"])
        let action = try #require(model.operationImport(named: "Product"))
        #expect(action.kind == .action && action.httpMethod == "POST")
        #expect(action.operation == EdmQualifiedName("Shop.ProductOperation"))
        #expect(action.annotation(EdmAnnotation.sap("action-for"))?.string == "self.Product")
        #expect(action.annotation("Org.OData.Core.V1.OperationAvailable") == .path(.value, "Made"))
        // The method survives being written as V4.
        let again = try CSDL.document(CSDL.xml(model)).model
        #expect(again.operationImport(named: "Top")?.httpMethod == "GET")
    }

    static let annotations: [(name: String, term: String, value: EdmAnnotation.Value?)] = [
        ("", "com.sap.vocabularies.Common.V1.Label", .string("Article")), ("", "sap.label", .string("Article")),
        ("", EdmAnnotation.coreDescription, .string("What is sold")), ("ID", EdmAnnotation.computed, .bool(true)),
        ("Name", "m.FC_TargetPath", .string("SyndicationTitle")), ("Name", "m.FC_KeepInContent", .string("false")),
        ("Price", "Org.OData.Measures.V1.ISOCurrency", .path(.value, "Currency")),
        ("Price", "sap.unit", .string("Currency")),
        ("Currency", "com.sap.vocabularies.Common.V1.IsCurrency", .bool(true)),
        ("Currency", EdmAnnotation.immutable, .bool(true)), ("Version", EdmAnnotation.computed, .bool(true)),
        ("Version", EdmAnnotation.immutable, nil), ("Version", "m.ConcurrencyMode", .string("Fixed")),
        ("CategoryID", "sap.filterable", .string("false")),
    ]

    @Test(arguments: annotations)
    func attributesOfTypesAreKeptAndSaidInTermsOfVersion4(
        name: String, term: String, value: EdmAnnotation.Value?
    ) throws {
        let (_, product) = try product()
        let found = name.isEmpty ? product.annotation(term) : product.property(named: name)?.annotation(term)
        #expect(found == value)
    }

    static let capabilities: [(term: String, value: EdmAnnotation.Value?)] = [
        ("InsertRestrictions", .record(["Insertable": .bool(false)])),
        ("UpdateRestrictions", .record(["Updatable": .path(.value, "Made")])), ("DeleteRestrictions", nil),
        ("SearchRestrictions", .record(["Searchable": .bool(true)])), ("TopSupported", .bool(false)),
        ("SkipSupported", .bool(false)),
        (
            "FilterRestrictions",
            .record([
                "RequiresFilter": .bool(true),
                "NonFilterableProperties": .collection([.path(.property, "CategoryID")]),
            ])
        ),
        ("SortRestrictions", .record(["NonSortableProperties": .collection([.path(.property, "Price")])])),
    ]

    @Test(arguments: capabilities)
    func attributesOfSetsBecomeCapabilities(term: String, value: EdmAnnotation.Value?) throws {
        let (model, _) = try product()
        #expect(model.entitySet(named: "Products")?.annotation("Org.OData.Capabilities.V1." + term) == value)
        #expect(
            model.entitySet(named: "Products")?.annotation(EdmAnnotation.optimisticConcurrency)
                == .collection([.path(.property, "Version")]))
    }

    @Test func writtenAsVersion4ItReadsBack() throws {
        let (model, _) = try product()
        try CSDLTests.checkReadingBack(model)
        #expect(try CSDL.document(CSDL.xml(model)).version == .v401)
    }

    @Test(arguments: [
        ("1.0", "2006/04", ODataVersion.v1), ("2.0", "2008/09", .v2), ("3.0", "2009/11", .v3), ("3.0;", "2009/11", .v3),
        ("", "2009/11", .v3), ("", "2007/05", .v2),
    ])
    func theVersionIsToldByTheDocument(version: String, edm: String, expected: ODataVersion) throws {
        #expect(try CSDL.document(Self.document("", version: version, edm: edm)).version == expected)
    }

    @Test func actionsAndCollectionsOfVersion3() throws {
        let document = try CSDL.document(
            Self.document(
                """
                <EnumType Name="Color"><Member Name="Red"/></EnumType>
                <ComplexType Name="C" OpenType="true"><Property Name="Colors" Type="Collection(self.Color)"/>
                  <Property Name="Tags" Type="Edm.String" CollectionKind="List"/>
                  <Property Name="Old" Type="Bag(Edm.Int32)"/></ComplexType>
                <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int64"/></EntityType>
                <EntityContainer Name="K"><EntitySet Name="Ts" EntityType="self.T"/>
                  <FunctionImport Name="Go" IsBindable="true" m:IsAlwaysBindable="true">
                    <Parameter Name="t" Type="self.T"/></FunctionImport>
                  <FunctionImport Name="Ask" IsSideEffecting="false" ReturnType="Edm.Int32"/></EntityContainer>
                <Annotations Target="self.T"><ValueAnnotation Term="self.X" String="a"/>
                  <TypeAnnotation Term="self.Y"><PropertyValue Property="P" Int="1"/></TypeAnnotation></Annotations>
                """, version: "3.0", edm: "2009/11"))
        #expect(document.diagnostics == [])
        let model = document.model
        let complex = try #require(model.structuredType(named: EdmQualifiedName("Shop.C")))
        #expect(
            complex.properties.map(\.type) == [
                .collection(.enumeration(EdmQualifiedName("Shop.Color"))), .collection(.string), .collection(.int32),
            ])
        let go = try #require(model.operations(named: EdmQualifiedName("Shop.Go")).first)
        #expect(go.kind == .action && go.isBound && model.operationImport(named: "Go") == nil)
        #expect(model.operationImport(named: "Ask")?.kind == .function)
        let type = try #require(model.structuredType(named: EdmQualifiedName("Shop.T")))
        #expect(type.annotation("Shop.X") == .string("a"))
        #expect(type.annotation("Shop.Y") == .record(["P": .int(1)]))
        try CSDLTests.checkReadingBack(model)
    }

    @Test(arguments: [
        (
            "<EntityType Name=\"A\"><NavigationProperty Name=\"B\" Relationship=\"self.R\" FromRole=\"X\" ToRole=\"Y\"/></EntityType>",
            "B is of the association Shop.R, which is not declared."
        ),
        (
            "<EntityType Name=\"A\"><NavigationProperty Name=\"B\" Relationship=\"self.R\" FromRole=\"X\" ToRole=\"Y\"/></EntityType>"
                + "<Association Name=\"R\"/>", "Shop.R has no end Y, to which B leads."
        ),
        (
            "<EntityContainer Name=\"A\"/><EntityContainer Name=\"B\"/>",
            "Shop has a second container, B: it is taken into A."
        ),
    ])
    func problemsAreTold(content: String, message: String) throws {
        let document = try CSDL.document(Self.document(content))
        #expect(document.diagnostics.map(\.message).contains(message))
        try CSDLTests.checkReadingBack(document.model)
    }
}
