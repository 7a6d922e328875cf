import ODataFormats
import ODataMetadata
import ODataModel
import Testing

/// What is wrong in a document and does no harm: it is told with its place, and reading goes on.
@Suite struct CSDLDiagnosticTests {
    /// Content of a schema `N` that begins at line 3, and the diagnostics as `line:column: message`.
    static let cases: [(content: String, expected: [String])] = [
        ("<Gadget/>", ["3:1: The element Gadget is not known in a schema."]),
        (
            "<ComplexType Name=\"A\">\n  <Property Name=\"P\" Type=\"N.Missing\"/></ComplexType>",
            ["4:3: P is of the type N.Missing, which is not known."]
        ),
        (
            "<ComplexType Name=\"A\"><Property\n  Name=\"P\"\n  Type=\"Edm.Foo\"/></ComplexType>",
            ["3:23: P is of the type Edm.Foo, which is not known."]
        ),
        (
            "<ComplexType Name=\"A\"><Property Name=\"P\"/></ComplexType>",
            [
                "3:23: Property has no Type.", "3:23: P is of the type , which is not known.",
            ]
        ),
        ("<EntityType Name=\"A\" BaseType=\"N.B\"/>", ["3:1: The type N.B, used by N.A, is not declared."]),
        (
            "<EntityType Name=\"A\" BaseType=\"N.B\"/>\n<EntityType Name=\"B\" BaseType=\"N.A\"/>",
            ["3:1: The type N.A inherits from itself."]
        ),
        ("<EntityType Name=\"A\" BaseType=\"N.A\"/>", ["3:1: The type N.A inherits from itself."]),
        ("<ComplexType Name=\"A\"/><EntityType Name=\"A\"/>", ["3:24: N.A is declared twice."]),
        (
            "<ComplexType Name=\"A\"><Property Name=\"P\" Type=\"Edm.Int32\"/>\n"
                + "<Property Name=\"P\" Type=\"Edm.Int32\"/></ComplexType>",
            ["4:1: N.A/P is declared twice."]
        ),
        (
            "<EntityType Name=\"A\"><NavigationProperty Name=\"B\" Type=\"N.B\"/></EntityType>",
            ["3:22: B leads to N.B, which is not declared."]
        ),
        (
            "<EntityType Name=\"A\"><Key><PropertyRef Name=\"ID\"/></Key></EntityType>",
            ["3:1: N.A has no property ID, which is in its key."]
        ),
        (
            "<EntityType Name=\"A\"/><EntityContainer Name=\"C\">\n<EntitySet Name=\"As\" EntityType=\"N.A\"/>"
                + "\n<EntitySet Name=\"Bs\" EntityType=\"N.B\"/></EntityContainer>",
            [
                "4:1: N.A, the type of As, has no key.",
                "5:1: The type N.B, used by the entity set Bs, is not declared.",
            ]
        ),
        (
            "<EntityType Name=\"A\"/><EntityContainer Name=\"C\"><Singleton Name=\"S\" Type=\"N.A\">\n"
                + "<NavigationPropertyBinding Path=\"X\" Target=\"Y\"/></Singleton></EntityContainer>",
            [
                "3:49: S binds X, which is not a navigation property of N.A.",
                "3:49: S binds X to Y, which is not declared.",
            ]
        ),
        (
            "<EntityContainer Name=\"C\"><ActionImport Name=\"I\" Action=\"N.Go\" EntitySet=\"S\"/></EntityContainer>",
            ["3:27: I imports N.Go, which is not declared.", "3:27: I returns entities of S, which is not declared."]
        ),
        (
            "<EntityType Name=\"A\"><NavigationProperty Name=\"B\" Type=\"N.A\" Partner=\"C\">"
                + "<ReferentialConstraint Property=\"X\" ReferencedProperty=\"Y\"/></NavigationProperty></EntityType>",
            [
                "3:22: N.A has no property X, which B rests on.", "3:22: N.A has no property Y, which B refers to.",
                "3:22: N.A has no C, the partner of B.",
            ]
        ),
        (
            "<Annotation Term=\"N.T\"/>\n<Annotation Term=\"N.T\"/><Annotation Term=\"N.T\" Qualifier=\"Q\"/>",
            ["4:1: N.T is applied twice."]
        ),
        (
            "<Annotation Term=\"N.T\" Int=\"x\"/><Annotation Term=\"N.U\"><Gadget/></Annotation>",
            ["3:1: “x” is not a value for Int.", "3:56: The expression Gadget is not known."]
        ),
        ("<EnumType Name=\"E\"><Member Name=\"A\" Value=\"x\"/></EnumType>", ["3:20: x is not a value for a member."]),
        (
            "<ComplexType Name=\"A\"><Property Name=\"P\" Type=\"Edm.String\" MaxLength=\"wide\"/></ComplexType>",
            ["3:23: wide is not a value for MaxLength."]
        ),
        ("<Action Name=\"A\" IsBound=\"true\"/>", ["3:1: N.A is bound and has no parameter."]),
        ("<other:Gadget xmlns:other=\"urn:other\"/>", []),
        ("<ComplexType Name=\"A\"><Property Name=\"P\" Type=\"Edm.String\" MaxLength=\"max\"/></ComplexType>", []),
    ]

    @Test(arguments: cases)
    func problemsAreToldWithTheirPlace(content: String, expected: [String]) throws {
        let text = """
            <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
            <Schema Namespace="N">
            \(content)
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        let document = try CSDL.document(Array(text.utf8))
        #expect(document.diagnostics.map(\.description) == expected)
        try CSDLTests.checkReadingBack(document.model)
    }

    @Test func whatIsNotKnownStaysInTheSchemasAndOutOfTheModel() throws {
        let text = """
            <Schema Namespace="N"><EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32"/><Property Name="P" Type="Collection(N.Missing)"/>
            <NavigationProperty Name="B" Type="N.B"/></EntityType><EntityType Name="D" BaseType="Else.Where"/>
            <EntityContainer Name="C"><EntitySet Name="S" EntityType="N.B"/><EntitySet Name="As" EntityType="N.A"/>
            </EntityContainer></Schema>
            """
        let (model, diagnostics) = try CSDL.read(xml: CSDLTests.document(text))
        #expect(diagnostics.count == 4)
        #expect(model.entitySets.map(\.name) == ["As"])
        let type = try #require(model.structuredType(named: EdmQualifiedName("N.A")))
        #expect(type.navigationProperties.isEmpty && type.declaration.navigationProperties.count == 1)
        #expect(type.property(named: "P")?.type == .collection(.primitive(.untyped)))
        #expect(type.property(named: "P")?.namedType == EdmQualifiedName("N.Missing"))
        #expect(
            model.structuredType(named: EdmQualifiedName("N.D"))?.declaration.baseType == EdmQualifiedName("Else.Where")
        )
        #expect(model.schemas.first?.entitySets.count == 2)
        try CSDLTests.checkReadingBack(model)
    }

    @Test func aDocumentThatIsCutOffIsReadAsFarAsItGoes() throws {
        let text = String(decoding: CSDLTests.shop, as: UTF8.self)
        let end = try #require(text.firstRange(of: "<Property Name=\"Weight\" Type"))
        let document = try CSDL.document(Array(text[..<end.upperBound].utf8))
        let product = try #require(document.model.structuredType(named: EdmQualifiedName("Shop.Product")))
        #expect(product.properties.map(\.name) == ["ID", "Price"])
        #expect(document.diagnostics.contains { $0.message.hasPrefix("The document is cut off here") })
        #expect(document.cut?.line != nil)
        #expect(try CSDL.document(CSDLTests.shop).cut == nil)
    }

    @Test("A document that is cut off at any byte is not taken for a whole one", arguments: [true, false])
    func cutAnywhere(isXML: Bool) throws {
        let whole = """
            <?xml version="1.0"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <!-- Größe --><edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/>
            <Annotation Term="N.T"><String><![CDATA[é]]></String></Annotation></EntityType></Schema>
            </edmx:DataServices></edmx:Edmx>
            """
        let bytes = isXML ? Array(whole.utf8) : try CSDL.json(try CSDL.read(xml: Array(whole.utf8)).model).dropLast()
        #expect(try CSDL.read(xml: bytes).model.schemas.first?.types.count == 1)
        for count in bytes.indices {
            #expect(throws: FormatError.self, "the first \(count) bytes") { try CSDL.read(xml: Array(bytes[..<count])) }
        }
    }

    @Test(
        "What is not metadata is not taken for an empty model",
        arguments: [
            "", " \n", "<!DOCTYPE html><html><body>Log in</body></html>", "<html><body>Log in</body></html>",
            "Service Unavailable", "{}", "[]", "null", #"{"error":{"code":"x","message":"no"}}"#,
            #"<error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"/>"#,
            #"<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"/>"#,
            #"{"$Version":"4.01"}"#,
        ])
    func otherDocuments(text: String) {
        #expect(throws: FormatError.self) { try CSDL.document(Array(text.utf8)) }
    }

    @Test func whatHasNoNameIsToldAndLeftOut() throws {
        let text = """
            <Schema Namespace="N"><EntityType/><ComplexType Name=""/><EnumType/><TypeDefinition/><Term/><Action/>
            <Function/><EntityContainer/><Annotation String="x"/><Annotations><Annotation Term="N.T"/></Annotations>
            <EnumType Name="E"><Member/></EnumType>
            <EntityType Name="A"><Key><PropertyRef/><PropertyRef Name="ID"/></Key><Property Type="Edm.Int32"/>
            <Property Name="ID" Type="Edm.Int32"/><NavigationProperty Type="N.A"/><NavigationProperty Name="To"
            Type="N.A"><ReferentialConstraint Property="ID"/></NavigationProperty>
            <Annotation Term="N.R"><Record><PropertyValue Int="1"/></Record></Annotation></EntityType>
            <EntityContainer Name="C"><EntitySet EntityType="N.A"/><Singleton Type="N.A"/><ActionImport/>
            <FunctionImport/><EntitySet Name="As" EntityType="N.A"><NavigationPropertyBinding Target="As"/>
            </EntitySet></EntityContainer></Schema>
            """
        let (model, diagnostics) = try CSDL.read(xml: CSDLTests.document(text))
        #expect(diagnostics.count == 21)
        #expect(diagnostics.allSatisfy { $0.message.contains(" has no ") && $0.line != nil }, "\(diagnostics)")
        let schema = try #require(model.schemas.first)
        #expect(schema.types.map(\.name.name) == ["A"] && schema.enumTypes.map(\.members) == [[]])
        #expect(schema.typeDefinitions.isEmpty && schema.terms.isEmpty && schema.operations.isEmpty)
        #expect(schema.annotations.isEmpty && schema.targetedAnnotations.isEmpty && schema.operationImports.isEmpty)
        #expect(schema.types.first?.key == ["ID"] && schema.types.first?.properties.map(\.name) == ["ID"])
        #expect(schema.types.first?.navigationProperties.map(\.constraints) == [[]])
        #expect(schema.entitySets.map(\.name) == ["As"] && schema.entitySets.first?.bindings.isEmpty == true)
        try CSDLTests.checkReadingBack(model)
    }

    @Test func whatHasNoNameInJSONIsToldAndLeftOut() throws {
        let text = """
            {"$Version": "4.01", "N": {"": {"$Kind": "EntityType"}, "A": {"$Kind": "ComplexType", "": {}},
            "E": {"$Kind": "EnumType", "": 1}, "C": {"$Kind": "EntityContainer", "": {"$Type": "N.A"}}}}
            """
        let document = try CSDL.document(Array(text.utf8))
        #expect(document.diagnostics.map(\.message) == Array(repeating: "A declaration has no name.", count: 4))
        try CSDLTests.checkReadingBack(document.model)
        let record = try CSDL.document(Array(#"{"$Version": "4.01", "N": {"@X.R": {"": 1, "@X.Y": 2}}}"#.utf8))
        #expect(record.diagnostics.map(\.message) == ["A value of a record has no name."])
        try CSDLTests.checkReadingBack(record.model)
    }

    @Test func metadataOfTooManyElementsAreRefused() throws {
        let types = (0..<20).map { "<ComplexType Name=\"T\($0)\"/>" }.joined()
        let xml = CSDLTests.document("<Schema Namespace=\"N\">\(types)</Schema>")
        let json = try CSDL.json(CSDL.read(xml: xml).model)
        var limits = PayloadLimits()
        limits.metadataElements = 10
        for (bytes, message) in [(xml, "more than the limit of 10 elements"), (json, "too many values")] {
            let error = #expect(throws: FormatError.self) { try CSDL.document(bytes, limits: limits) }
            #expect(error?.message.contains(message) == true && error?.line != nil, "\(String(describing: error))")
        }
        limits.metadataElements = 40
        #expect(try CSDL.document(xml, limits: limits).model == CSDL.document(json, limits: limits).model)
    }

    @Test func longChainsOfBaseTypesAreCut() throws {
        let types = (0..<5000).map { "<EntityType Name=\"T\($0)\" BaseType=\"N.T\($0 + 1)\"/>" }.joined()
        let document = try CSDL.document(CSDLTests.document("<Schema Namespace=\"N\">\(types)</Schema>"))
        #expect(document.diagnostics.contains { $0.message.contains("more than the limit of 100 base types") })
    }

    @Test func problemsInJSONHaveTheirPlaceToo() throws {
        let text = """
            {"$Version": "4.01",
              "N": {
                "A": {"$Kind": "EntityType", "$BaseType": "N.B",
                  "P": {"$Type": "N.Missing"}},
                "X": {"$Kind": "Gadget"}, "Y": 5
              }}
            """
        let document = try CSDL.document(Array(text.utf8))
        #expect(
            document.diagnostics.map(\.description) == [
                "3:5: The type N.B, used by N.A, is not declared.",
                "4:12: P is of the type N.Missing, which is not known.",
                "5:5: Gadget, the kind of N.X, is not known.", "5:31: Y is not known in a schema.",
            ])
    }

    @Test("UTF-8 that says it is UTF-16 is read, and told", arguments: [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]])
    func falseEncoding(mark: [UInt8]) throws {
        let xml = """
            <?xml version="1.0" encoding="utf-16"?>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm"><ComplexType Name="Größe"/></Schema>
            """
        let document = try CSDL.document(mark + Array(xml.utf8))
        #expect(
            document.diagnostics.map(\.description) == [
                "1:1: The document says that it is UTF-16, and is not: it is read as UTF-8."
            ])
        #expect(document.model.schemas.first?.types.first?.name.name == "Größe")
    }
}
