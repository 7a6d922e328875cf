import Foundation
import ODataFormats
import ODataMetadata
import ODataModel
import TestSupport
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

    /// The sets of a schema without a container are in that of another: there is one for a service.
    @Test func setsOfSchemasWithoutAContainerAreWritten() throws {
        func schema(_ name: String, container: String?) -> EdmSchema {
            let type = EdmStructuredTypeDeclaration(
                name: EdmQualifiedName("\(name).T"), key: ["ID"],
                properties: [EdmProperty(name: "ID", type: .int32, isNullable: false)])
            return EdmSchema(
                namespace: name, types: [type], container: container,
                entitySets: [EdmEntitySetDeclaration(name: "\(name)s", type: type.name)])
        }
        for container in ["Main", nil] {
            let model = try EdmModel(schemas: [schema("Own", container: nil), schema("Shop", container: container)])
            let read = try [
                CSDL.document(CSDL.xml(model)), CSDL.document(try CSDL.json(model)),
                CSDL.document(CSDL.v2(model)),
            ]
            for document in read {
                #expect(document.model.entitySets.map(\.name).sorted() == ["Owns", "Shops"])
                #expect(document.model.schemas.compactMap(\.container) == [container ?? "Container"])
            }
        }
    }

    @Test func baseTypesMayBeOfAnotherSchema() throws {
        let text = """
            <Schema Namespace="Late"><EntityType Name="Car" BaseType="B.Thing"><Property Name="Doors" Type="Edm.Byte"/>
            </EntityType><ComplexType Name="Hill" BaseType="Base.Place"/></Schema>
            <Schema Namespace="Base" Alias="B"><EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
            <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/></ComplexType></Schema>
            """
        let document = try CSDL.document(Self.document(text))
        #expect(document.diagnostics.isEmpty)
        for model in [document.model, try CSDL.document(CSDL.json(document.model)).model] {
            let car = try #require(model.structuredType(named: EdmQualifiedName("Late.Car")))
            #expect(car.key == ["ID"] && car.properties.map(\.name) == ["ID", "Doors"])
            let thing = try #require(model.structuredType(named: EdmQualifiedName("Base.Thing")))
            #expect(car.isKind(of: thing) && model.derivedTypes(of: thing).map(\.name) == [car.name])
            let hill = try #require(model.structuredType(named: EdmQualifiedName("Late.Hill")))
            #expect(hill.properties.map(\.name) == ["City"])
        }
        try Self.checkReadingBack(document.model)
    }

    @Test func aDocumentBecomesAModel() throws {
        let (model, diagnostics) = try CSDL.read(xml: Self.shop)
        #expect(diagnostics == [])
        let product = try #require(model.structuredType(named: EdmQualifiedName("Shop.Product")))
        #expect(product.key == ["ID"])
        #expect(product.hasStream && product.isOpen)
        let price = try #require(product.property(named: "Price"))
        #expect(price.type == .decimal && price.precision == 15 && price.scale == .fixed(2))
        #expect(price.isTagged(EdmAnnotation.immutable))
        #expect(
            price.annotation("Own.Rules")
                == .record([
                    "Max": .constant(.decimal, "1.5"),
                    "List": .collection([.string("a"), .int(5), .path(.property, "ID")]),
                    "If": .expression(.init(.if, [.path(.value, "ID"), .string("x")])),
                ]))
        #expect(price.namedType == EdmQualifiedName("Shop.Money"))
        #expect(product.property(named: "ID")?.isTagged(EdmAnnotation.computed) == true)
        #expect(product.property(named: "Homes")?.type == .collection(.complex(EdmQualifiedName("Shop.Address"))))
        #expect(product.property(named: "Photo")?.isStream == true)
        let set = try #require(model.entitySet(named: "Products"))
        #expect(set.bindings == ["Maker": "Makers"])
        #expect(
            set.annotations == [EdmAnnotation(term: "Org.OData.Core.V1.Description#Q", value: .string("A \"b\"\nc"))])
        #expect(model.entitySet(named: "Makers")?.annotation(EdmAnnotation.coreDescription) == .string("d"))
        #expect(model.entitySet(named: "Me")?.kind == .singleton)
    }

    @Test func aWrittenModelReadsBackAsItself() throws {
        let model = try CSDL.read(xml: Self.shop).model
        let xml = try CSDL.xml(model)
        let (again, diagnostics) = try CSDL.read(xml: xml)
        #expect(again.schemas == model.schemas)
        #expect(diagnostics == [])
        #expect(try CSDL.xml(again) == xml)
    }

    static let refused: [(bytes: [UInt8], message: String)] = [
        (Array("".utf8), "empty"), (Array(" \n".utf8), "empty"), (Array("<html/>".utf8), "root is “html”"),
        (Array("<a><b></a>".utf8), "broken"), (Array("<Edmx Version=\"4.0\"/>".utf8), "no schema"),
        (Array("<Edmx Version=\"4.0\"><Reference/></Edmx>".utf8), "no schema"),
        (Array("<!DOCTYPE x [<!ENTITY a \"b\">]><x>&a;</x>".utf8), "document type"),
        (Array("<!DOCTYPE Edmx SYSTEM 'file:///etc/passwd'><Edmx/>".utf8), "document type"),
        (document("<Schema Namespace=\"N\">&other;</Schema>"), "broken"),
        (Array("<x>\u{0}</x>".utf8), "broken"), ([0x3C, 0xFF, 0x2F, 0x3E], "broken"), ([0xFF, 0xFE, 0x3C], "UTF-16"),
        (Array(String(repeating: "<Schema>", count: 101).utf8), "nested deeper"),
        (Array(#"{"$Version":"4.01","$Entity":{"$Alias":"A"}}"#.utf8), "no schema"),
        (Array("{\"a\":".utf8), "broken"), (Array("{}".utf8), "no $Version"),
        (Array((String(repeating: "{\"a\":", count: 101) + "1").utf8), "nested too deeply"),
    ]

    @Test(arguments: refused)
    func otherDocumentsAreRefused(bytes: [UInt8], message: String) {
        #expect {
            try CSDL.document(bytes)
        } throws: { error in
            (error as? FormatError)?.message.contains(message) == true
        }
    }

    @Test func vocabulariesInOneDocumentAreOneReference() throws {
        let terms = #""@com.sap.vocabularies.n.x/A":"1","@com.sap.vocabularies.n.y/n.A":"2""#
        let text = #"{"$Version":"4.01","S":{"E":{"$Kind":"EnumType",\#(terms)}}}"#
        try Self.checkReadingBack(try CSDL.document(Array(text.utf8)).model)
    }

    @Test func aContainerWithTheNameOfATypeIsTold() throws {
        let content = #"<EntityType Name="A"/><EntityContainer Name="A"/>"#
        let document = try CSDL.document(Self.document(#"<Schema Namespace="N">\#(content)</Schema>"#))
        #expect(document.diagnostics.map { "\($0)" }.contains { $0.contains("has the name of a type") })
    }

    @Test(arguments: ["utf-8", "utf-16le", "utf-16be"])
    func encodingsAreTakenFromTheByteOrderMark(encoding: String) throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"\(encoding.prefix(6))\"?>" + String(decoding: Self.shop, as: UTF8.self)
        let bytes =
            encoding == "utf-8"
            ? [0xEF, 0xBB, 0xBF] + Array(text.utf8)
            : ([0xFEFF] + Array(text.utf16)).flatMap { unit in
                let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
                return encoding == "utf-16le" ? pair : pair.reversed()
            }
        let document = try CSDL.document(bytes)
        #expect(document.model == (try CSDL.document(Self.shop)).model)
        let json = try CSDL.json(document.model)
        #expect(try CSDL.document([0xEF, 0xBB, 0xBF] + json).model.schemas == Self.toldInJSON(document.model))
    }

    @Test(arguments: [
        ("<edmx:DataServices><Schema Namespace=\"N\"/></edmx:DataServices>", "4.0", ODataVersion.v4),
        ("<edmx:DataServices><Schema Namespace=\"N\"/></edmx:DataServices>", "4.01", .v401),
        ("<edmx:DataServices><Schema Namespace=\"N\"/></edmx:DataServices>", "4.02", .v4),
        ("<edmx:DataServices><Schema Namespace=\"N\"/></edmx:DataServices>", "1.0", .v4),
        (
            "<edmx:Runtime><edmx:ConceptualModels><Schema Namespace=\"N\"/></edmx:ConceptualModels></edmx:Runtime>",
            "4.0", .v4
        ),
    ])
    func wrappersAndTheirVersions(content: String, version: String, expected: ODataVersion) throws {
        let text =
            "<edmx:Edmx xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\" Version=\"\(version)\">\(content)"
        let document = try CSDL.document(Array("\(text)</edmx:Edmx>".utf8))
        #expect(document.version == expected)
        #expect(document.model.schemas.map(\.namespace) == ["N"])
    }

    @Test func whiteSpaceMayStandBeforeTheDeclaration() throws {
        let text = "\n  <?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + String(decoding: Self.shop, as: UTF8.self)
        #expect(try CSDL.document(Array(text.utf8)).model == (try CSDL.document(Self.shop)).model)
    }

    @Test func designersFilesAreReadWithoutTheirStorageSchemas() throws {
        let text = """
            <edmx:Edmx Version="3.0" xmlns:edmx="http://schemas.microsoft.com/ado/2009/11/edmx"><edmx:Runtime>
            <edmx:StorageModels><Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2009/11/edm/ssdl"/>
            </edmx:StorageModels><edmx:ConceptualModels>
            <Schema Namespace="M" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
            <ComplexType Name="C"><Property Name="P" Type="Int32" Nullable="False"/></ComplexType></Schema>
            </edmx:ConceptualModels></edmx:Runtime></edmx:Edmx>
            """
        let document = try CSDL.document(Array(text.utf8))
        #expect(document.version == .v3)
        #expect(document.model.schemas.map(\.namespace) == ["M"])
        let property = document.model.schemas.first?.types.first?.properties.first
        #expect(property?.type == .int32 && property?.isNullable == false)
    }

    @Test func aSchemaMayStandAlone() throws {
        let oasis = "<Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"N\"/>"
        #expect(try CSDL.document(Array(oasis.utf8)).version == .v4)
        let microsoft = "<Schema xmlns=\"http://schemas.microsoft.com/ado/2009/11/edm\" Namespace=\"N\"/>"
        #expect(try CSDL.document(Array(microsoft.utf8)).version == .v3)
    }

    @Test func version40IsWrittenWhereItIsAskedFor() throws {
        let model = try CSDL.read(
            xml: Self.document(
                """
                <Schema Namespace="N"><ComplexType Name="C"><Property Name="D" Type="Edm.Decimal" Scale="floating"/>
                </ComplexType></Schema>
                """, version: "4.01")
        ).model
        let text = String(decoding: try CSDL.xml(model, version: .v4), as: UTF8.self)
        #expect(text.contains("Version=\"4.0\"") && text.contains("Scale=\"variable\""))
        #expect(String(decoding: try CSDL.xml(model), as: UTF8.self).contains("Scale=\"floating\""))
    }

    @Test(.enabled(if: TestData.url("metadata") != nil, Comment(rawValue: TestData.absence)))
    func publishedDocumentsAreReadAndReadBack() throws {
        let folder = try #require(TestData.url("metadata")).path
        for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where file.hasSuffix(".xml") {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            let document = try CSDL.document(Array(data))
            // One of the documents is cut off.
            let isWhole = data.suffix(100).contains(Data("Edmx>".utf8))
            #expect(document.diagnostics.isEmpty == isWhole, "\(file): \(document.diagnostics.prefix(3))")
            #expect(document.model.entitySets.isEmpty != isWhole, "\(file)")
            #expect(document.version.isLegacy != file.hasSuffix(".v4.xml"), "\(file)")
            try Self.checkReadingBack(document.model, file)
        }
    }

    /// JSON tells of each collection whether its members may be null, XML may leave it open.
    private static func toldInJSON(_ model: EdmModel) -> [EdmSchema] {
        var schemas = model.schemas
        for schema in schemas.indices {
            for type in schemas[schema].types.indices {
                for index in schemas[schema].types[type].properties.indices {
                    let property = schemas[schema].types[type].properties[index]
                    schemas[schema].types[type].properties[index].hasNullMembers =
                        property.type.isCollection && property.isNullable
                }
            }
        }
        return schemas
    }

    @Test func whatXMLSaysOfNullInCollectionsIsKept() throws {
        let properties = #"""
            <Property Name="Open" Type="Collection(Edm.String)"/>
            <Property Name="Nulls" Type="Collection(Edm.String)" Nullable="true"/>
            <Property Name="Full" Type="Collection(Edm.String)" Nullable="false"/>
            """#
        let model = try CSDL.document(
            Self.document("<Schema Namespace=\"N\"><ComplexType Name=\"T\">\(properties)</ComplexType></Schema>")
        ).model
        let type = try #require(model.structuredType(named: EdmQualifiedName("N.T")))
        #expect(type.properties.map(\.hasNullMembers) == [false, true, false])
        #expect(type.properties.map(\.isNullable) == [true, true, false])
        let written = String(decoding: try CSDL.xml(model), as: UTF8.self)
        #expect(written.contains(#"Name="Nulls" Type="Collection(Edm.String)" Nullable="true""#))
        try Self.checkReadingBack(model)
    }

    /// What is written is read as the same model, in both forms, from one to the other, and compiled.
    static func checkReadingBack(_ model: EdmModel, _ name: String = "") throws {
        let xml = try CSDL.document(CSDL.xml(model))
        #expect(xml.model == model, "XML of \(name)")
        #expect(try CSDL.xml(xml.model) == CSDL.xml(model), "XML of \(name)")
        let json = try CSDL.document(CSDL.json(model))
        #expect(json.format == .json)
        #expect(json.model.schemas == toldInJSON(model), "JSON of \(name)")
        #expect(try CSDL.json(json.model) == CSDL.json(model), "JSON of \(name)")
        #expect(
            try CSDL.document(CSDL.json(xml.model)).model.schemas == toldInJSON(model), "JSON of the XML of \(name)")
        #expect(json.model.references == xml.model.references, "References of \(name)")
        let compiled = try CompiledModel.contents(from: CompiledModel.bytes(of: model)).model
        #expect(compiled == model && compiled.references == model.references, "compiled \(name)")
        #expect(try CSDL.xml(compiled) == CSDL.xml(model), "compiled \(name)")
    }
}
