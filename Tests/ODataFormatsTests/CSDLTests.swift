import Foundation
import ODataFormats
import ODataModel
import Testing

@Suite struct CSDLTests {
    static func document(_ content: String, version: String = "4.0") -> [UInt8] {
        Array(
            """
            <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="\(version)">
            <edmx:Reference Uri="core.xml"><edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/></edmx:Reference>
            <edmx:DataServices>\(content)</edmx:DataServices></edmx:Edmx>
            """.utf8)
    }

    static let shop = document(
        """
        <Schema Namespace="Shop" Alias="self" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal" Precision="15" Scale="2"/>
          <EnumType Name="Color" IsFlags="true" UnderlyingType="Edm.Int64">
            <Member Name="Red" Value="1"/><Member Name="Green" Value="2"/>
          </EnumType>
          <ComplexType Name="Address"><Property Name="City" Type="Edm.String" MaxLength="40"/></ComplexType>
          <EntityType Name="Thing" Abstract="true"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"><Annotation Term="Core.Computed"/></Property>
          </EntityType>
          <EntityType Name="Product" BaseType="self.Thing" HasStream="true" OpenType="true">
            <Property Name="Price" Type="self.Money" DefaultValue="1 &lt; 2"/>
            <Property Name="Weight" Type="Edm.Decimal" Scale="variable" Precision="9"/>
            <Property Name="Color" Type="self.Color"/>
            <Property Name="Homes" Type="Collection(self.Address)"/>
            <Property Name="Photo" Type="Edm.Stream"/>
            <NavigationProperty Name="Maker" Type="self.Maker" Nullable="false" Partner="Products">
              <ReferentialConstraint Property="Color" ReferencedProperty="ID"/>
              <OnDelete Action="Cascade"/>
            </NavigationProperty>
          </EntityType>
          <EntityType Name="Maker" BaseType="self.Thing">
            <NavigationProperty Name="Products" Type="Collection(self.Product)" Partner="Maker"/>
            <NavigationProperty Name="Parts" Type="Collection(self.Product)" ContainsTarget="true"/>
          </EntityType>
          <Action Name="Reset"/>
          <EntityContainer Name="Container">
            <EntitySet Name="Products" EntityType="self.Product">
              <NavigationPropertyBinding Path="Maker" Target="self.Container/Makers"/>
              <Annotation Term="Core.Description" Qualifier="Q" String="A &quot;b&quot;&#10;c"/>
            </EntitySet>
            <EntitySet Name="Makers" EntityType="Shop.Maker"/>
            <Singleton Name="Me" Type="self.Maker"/>
          </EntityContainer>
        </Schema>
        <Schema Namespace="Notes">
          <Annotations Target="self.Product/Price">
            <Annotation Term="Core.Immutable" Bool="true"/>
            <Annotation Term="Own.Rules"><Record>
              <PropertyValue Property="Max" Decimal="1.5"/><PropertyValue Property="List">
                <Collection><String>a</String><Int>5</Int><PropertyPath>ID</PropertyPath></Collection></PropertyValue>
              <PropertyValue Property="If"><If><Path>ID</Path><String>x</String></If></PropertyValue>
            </Record></Annotation>
          </Annotations>
          <Annotations Target="self.Container/Makers"><Annotation Term="Core.Description" String="d"/></Annotations>
        </Schema>
        """)

    @Test func aDocumentBecomesAModel() throws {
        let (model, diagnostics) = try CSDL.read(xml: Self.shop)
        #expect(diagnostics == [])
        let product = try #require(model.structuredType(named: QualifiedName("Shop.Product")))
        #expect(product.key == ["ID"])
        #expect(product.hasStream && product.isOpen)
        let price = try #require(product.property(named: "Price"))
        #expect(price.type == .decimal && price.precision == 15 && price.scale == .fixed(2))
        #expect(price.isTagged(Annotation.immutable))
        #expect(
            price.annotation("Own.Rules")
                == .record([
                    "Max": .other(#"Decimal="1.5""#),
                    "List": .collection([.string("a"), .int(5), .other(#"PropertyPath="ID""#)]),
                    "If": .other("<If><Path>ID</Path><String>x</String></If>"),
                ]))
        #expect(product.property(named: "ID")?.isTagged(Annotation.computed) == true)
        #expect(product.property(named: "Homes")?.type == .collection(.complex(QualifiedName("Shop.Address"))))
        #expect(product.property(named: "Photo")?.isStream == true)
        let set = try #require(model.entitySet(named: "Products"))
        #expect(set.bindings == ["Maker": "Makers"])
        #expect(set.annotations == [Annotation(term: "Org.OData.Core.V1.Description#Q", value: .string("A \"b\"\nc"))])
        #expect(model.entitySet(named: "Makers")?.annotation(Annotation.coreDescription) == .string("d"))
        #expect(model.entitySet(named: "Me")?.kind == .singleton)
    }

    @Test func aWrittenModelReadsBackAsItself() throws {
        let model = try CSDL.read(xml: Self.shop).model
        let xml = CSDL.xml(model)
        let (again, diagnostics) = try CSDL.read(xml: xml)
        #expect(again.schemas == model.schemas)
        #expect(diagnostics == [])
        #expect(CSDL.xml(again) == xml)
    }

    @Test func whatIsNotKnownIsToldAndLeftOut() throws {
        let text = """
            <Schema Namespace="N"><Gadget/>
            <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/>
            <Property Name="P" Type="N.Missing"/><NavigationProperty Name="B" Type="N.B"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="S" EntityType="N.B"/><EntitySet Name="As" EntityType="N.A"/>
            </EntityContainer></Schema>
            """
        let (model, diagnostics) = try CSDL.read(xml: Self.document(text))
        #expect(model.entitySets.map(\.name) == ["As"])
        #expect(diagnostics.map(\.line) == [3, 5, 5, 6])
        #expect(diagnostics.map(\.message).contains("P is of the type N.Missing, which is not known."))
    }

    @Test(arguments: [
        (Array("".utf8), "empty"), (Array("<html/>".utf8), "root is “html”"), (Array("<a><b></a>".utf8), "broken"),
        (document("<Schema Namespace=\"N\"/>", version: "1.0"), "version 1.0"), (document(""), "no schema"),
        (Array("<!DOCTYPE x [<!ENTITY a \"b\">]><x>&a;</x>".utf8), "document type"),
        (Array("<x>\u{0}</x>".utf8), "broken"), ([0x3C, 0xFF, 0x2F, 0x3E], "broken"),
        (
            document(
                "<Schema Namespace=\"N\"><EntityType Name=\"A\" BaseType=\"N.B\"/>"
                    + "<EntityType Name=\"B\" BaseType=\"N.A\"/></Schema>"), "inherits from itself"
        ),
    ])
    func otherDocumentsAreRefused(xml: [UInt8], message: String) {
        #expect {
            try CSDL.read(xml: xml)
        } throws: { error in
            (error as? FormatError)?.message.contains(message) == true
        }
    }

    @Test(.enabled(if: SharedData.metadata != nil, "../shared/data is not here"))
    func publishedDocumentsAreReadAndReadBack() throws {
        let folder = try #require(SharedData.metadata)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        where file.hasSuffix(".v4.xml") {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            let (model, diagnostics) = try CSDL.read(xml: Array(data))
            #expect(diagnostics == [], "\(file)")
            #expect(!model.entitySets.isEmpty, "\(file)")
            let (again, _) = try CSDL.read(xml: CSDL.xml(model))
            #expect(again.schemas == model.schemas, "\(file)")
        }
    }
}
