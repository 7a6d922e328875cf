import ODataFormats
import ODataMetadata
import ODataModel
import TestSupport
import Testing

/// Names that come twice: nothing is lost without a word.
@Suite struct CSDLClashTests {
    private static func version4(_ content: String) -> [UInt8] {
        CSDLTests.document("<Schema Namespace=\"N\" Alias=\"S\">\(content)</Schema>")
    }

    private static let sameName = version4(
        """
        <ComplexType Name="image"><Property Name="w" Type="Edm.Int32"/></ComplexType>
        <Function Name="image" IsBound="true"><Parameter Name="b" Type="N.image"/><ReturnType Type="Edm.Int32"/>
        </Function><Annotations Target="N.image(N.image)"><Annotation Term="N.T" String="f"/></Annotations>
        <Annotations Target="N.image"><Annotation Term="N.T" String="t"/></Annotations>
        """)

    @Test func aTypeAndAFunctionOfOneNameAreKeptInXMLAndRefusedInJSON() throws {
        let (model, diagnostics) = try CSDL.read(xml: Self.sameName)
        #expect(diagnostics.isEmpty)
        let name = EdmQualifiedName("N.image")
        #expect(model.operations(named: name).first?.annotation("N.T")?.string == "f")
        #expect(model.structuredType(named: name)?.annotation("N.T")?.string == "t")
        #expect(try CSDL.read(xml: CSDL.xml(model)).model == model)
        let failure = #expect(throws: FormatError.self) { try CSDL.json(model) }
        #expect(failure?.message.contains("N has image twice") == true, "\(String(describing: failure))")
    }

    @Test func annotationsInlineAndOutsideAreTold() throws {
        let document = try CSDL.document(
            Self.version4(
                """
                <EntityType Name="E"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32">
                <Annotation Term="N.T" String="inline"/></Property></EntityType>
                <Annotations Target="N.E/ID"><Annotation Term="N.T" String="1"/></Annotations>
                <Annotations Target="S.E/ID"><Annotation Term="N.T" String="2"/>
                <Annotation Term="N.T" Qualifier="q" String="3"/></Annotations>
                <Annotations Target="N.E/ID" Qualifier="q"><Annotation Term="N.T" String="4"/></Annotations>
                <Annotations Target="N.Else"><Annotation Term="N.T" String="5"/></Annotations>
                <Annotations Target="S.Else"><Annotation Term="N.T" String="6"/></Annotations>
                """))
        #expect(
            document.diagnostics.map(\.message) == [
                "N.T is applied twice to N.E/ID.", "N.T is applied twice to N.E/ID.",
                "N.T#q is applied twice to N.E/ID.", "N.T is applied twice to N.Else.",
            ])
        let property = document.model.structuredType(named: EdmQualifiedName("N.E"))?.property(named: "ID")
        #expect(property?.annotations.map(\.value.string) == ["inline", "3"])
        try CSDLTests.checkReadingBack(document.model)
    }

    @Test func aSecondAssociationSetIsTold() throws {
        func set(_ name: String, _ target: String) -> String {
            """
            <AssociationSet Name="\(name)" Association="N.R" sap:creatable="false"><End EntitySet="As" Role="f"/>
            <End EntitySet="\(target)" Role="t"/></AssociationSet>
            """
        }
        let key = #"<Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>"#
        let text = """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
            xmlns:sap="http://www.sap.com/Protocols/SAPData"><edmx:DataServices m:DataServiceVersion="2.0">
            <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
            <EntityType Name="A">\(key)<NavigationProperty Name="B" Relationship="N.R" FromRole="f" ToRole="t"/>
            </EntityType><EntityType Name="B">\(key)</EntityType>
            <Association Name="R"><End Type="N.A" Multiplicity="1" Role="f"/><End Type="N.B" Multiplicity="1" Role="t"/>
            </Association><EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"/>
            <EntitySet Name="Bs" EntityType="N.B"/><EntitySet Name="Cs" EntityType="N.B"/>
            \(set("R1", "Bs"))\(set("R2", "Bs"))\(set("R3", "Cs"))</EntityContainer></Schema></edmx:DataServices>
            </edmx:Edmx>
            """
        let document = try CSDL.document(Array(text.utf8))
        #expect(
            document.diagnostics.map(\.message) == [
                "sap.creatable is applied twice to N.C/As/B.", "As binds B to Bs and again to Cs.",
                "sap.creatable is applied twice to N.C/As/B.",
            ], "\(document.diagnostics)")
        #expect(document.model.entitySet(named: "As")?.bindings == ["B": "Bs"])
        try CSDLTests.checkReadingBack(document.model)
    }

    static let dropped: [(content: String, message: String)] = [
        ("<ComplexType Name=\"A\"/><Term Name=\"A\"/>", "N.A is declared twice."),
        ("<ComplexType Name=\"A\" Colour=\"red\"/>", "The attribute Colour is not known in ComplexType."),
        ("<ComplexType Name=\"A\" OpenType=\"maybe\"/>", "maybe is not a value for OpenType."),
        ("<ComplexType Name=\"A\">text</ComplexType>", "ComplexType has text, which means nothing."),
        ("<EnumType Name=\"A\" UnderlyingType=\"Edm.String\"/>", "Edm.String is not a value for UnderlyingType."),
        (
            "<EnumType Name=\"A\"><Member Name=\"B\"><Odd/></Member></EnumType>",
            "The element Odd is not known in Member."
        ),
        (
            "<Function Name=\"F\"><ReturnType Type=\"Edm.Byte\"/><ReturnType Type=\"Edm.Byte\"/></Function>",
            "The element ReturnType is not known in an operation."
        ),
        ("<Annotation Term=\"N.T\" Strng=\"x\"/>", "The attribute Strng is not known in Annotation."),
        ("<Annotation Term=\"N.T\" String=\"x\"><Int>1</Int></Annotation>", "Annotation has more than one value"),
        (
            "<EntityType Name=\"A\"><Key><PropertyRef Name=\"I\"><Annotation Term=\"N.T\"/></PropertyRef></Key>"
                + "<Property Name=\"I\" Type=\"Edm.Byte\" Scale=\"x\" Nullable=\"false\"/></EntityType>",
            "PropertyRef cannot be annotated."
        ),
        (
            "<EntityType Name=\"A\"/><EntityContainer Name=\"C\"><EntitySet Name=\"X\" EntityType=\"N.A\">"
                + "<NavigationPropertyBinding Path=\"N.A/P\" Target=\"X\"/>"
                + "<NavigationPropertyBinding Path=\"S.A/P\" Target=\"Y\"/></EntitySet></EntityContainer>",
            "X binds N.A/P to X and again to Y."
        ),
        (
            "<EntityContainer Name=\"C\"><FunctionImport Name=\"F\" Function=\"N.F\"/>"
                + "<ActionImport Name=\"F\" Action=\"N.F\"/></EntityContainer>", "F is declared twice."
        ),
        ("</Schema><Schema Namespace=\"N\" Alias=\"Z\">", "N has a second alias, Z."),
        (
            "<Annotation Term=\"N.T\"/></Schema><Schema Namespace=\"N\"><Annotation Term=\"N.T\"/>",
            "N.T is applied twice in N."
        ),
        ("<TypeDefinition Name=\"D\" UnderlyingType=\"N.E\"/>", "N.D is a definition of N.E, which is not a primitive"),
        (
            "<TypeDefinition Name=\"D\" UnderlyingType=\"Collection(Edm.Byte)\"/>",
            "N.D is a definition of Collection(Edm.Byte), which is not a primitive type: it is read as one of Edm.Untyped."
        ),
        ("<TypeDefinition Name=\"D\"/>", "TypeDefinition has no UnderlyingType."),
    ]

    @Test("What a document has and the model does not is told", arguments: dropped)
    func told(content: String, message: String) throws {
        let diagnostics = try CSDL.document(Self.version4(content)).diagnostics
        #expect(diagnostics.contains { $0.message.hasPrefix(message) }, "\(diagnostics)")
    }

    static let droppedInJSON: [(members: String, message: String)] = [
        (#""A":{"$Kind":"ComplexType","$Colour":1}"#, "$Colour is not known."),
        (#""A":{"$Kind":"ComplexType","$OpenType":"yes"}"#, "$OpenType does not have a value of its kind."),
        (#""A":{"$Kind":"ComplexType","B@N.T":1}"#, "B@N.T annotates nothing that has a place in a model."),
        (#""A":{"$Kind":"ComplexType","B":{},"B@N.T":1}"#, "B@N.T annotates nothing that has a place in a model."),
        (#""A":{"$Kind":"EntityType","$Key":[5]}"#, "A part of the key of N.A is neither"),
        (#""F":[{"$Kind":"Function"},5]"#, "F has an overload that is not an object."),
        (#""F":[{"$Kind":"Function","$Parameter":[5]}]"#, "$Parameter does not have a value of its kind."),
        (#""F":[{"$Kind":"Function","$ReturnType":"x"}]"#, "$ReturnType does not have a value of its kind."),
        (
            #""A":{"$Kind":"ComplexType"},"$Annotations":{"N.A":{"@S.T":1},"S.A":{"@N.T":2}}"#,
            "N.T is applied twice to N.A."
        ),
        (#""$Annotations":{"N.A":5}"#, "The annotations of N.A are not an object."),
        (#""@":5"#, "An annotation has no term."),
        (#""D":{"$Kind":"TypeDefinition","$UnderlyingType":"N.E"}"#, "N.D is a definition of N.E, which is not a"),
        (#""D":{"$Kind":"TypeDefinition"}"#, "N.D has no $UnderlyingType."),
        (#""A":{"$Kind":"EnumType","$UnderlyingType":"Edm.String"}"#, "Edm.String is not a value for $UnderlyingType"),
        (#""F":[{"$Kind":"Function","$IsBound":true}]"#, "N.F is bound and has no parameter."),
        (#""A":{"$Kind":"ComplexType","P":{"$MaxLength":-1}}"#, "$MaxLength does not have a value of its kind."),
        (#""A":{"$Kind":"ComplexType","P":{"$Precision":-1}}"#, "$Precision does not have a value of its kind."),
        (#""A":{"$Kind":"ComplexType","P":{"$Scale":-1}}"#, "$Scale does not have a value of its kind."),
        (#""A":{"$Kind":"ComplexType","P":{"$Scale":"many"}}"#, "$Scale does not have a value of its kind."),
        (#""A":{"$Kind":"ComplexType","P":{"$MaxLength":1.5}}"#, "$MaxLength does not have a value of its kind."),
    ]

    @Test("What a document in JSON has and the model does not is told", arguments: droppedInJSON)
    func toldInJSON(members: String, message: String) throws {
        let text = #"{"$Version":"4.01","N":{"$Alias":"S",\#(members)}}"#
        let diagnostics = try CSDL.document(Array(text.utf8)).diagnostics
        #expect(diagnostics.contains { $0.message.hasPrefix(message) }, "\(diagnostics)")
    }

    @Test("The container that a document in JSON names is the one that it has")
    func containers() throws {
        func diagnostics(_ name: String) throws -> [String] {
            let container = #"{"$Kind":"EntityContainer"}"#
            let text =
                #"{"$Version":"4.01","$EntityContainer":"\#(name)","N":{"$Alias":"S","C":\#(container)},"M":{"D":\#(container)}}"#
            return try CSDL.document(Array(text.utf8)).diagnostics.map(\.message)
        }
        #expect(try diagnostics("N.C").isEmpty && diagnostics("S.C").isEmpty)
        #expect(try diagnostics("N.Nope") == ["N.Nope, the $EntityContainer of the document, is not declared in it."])
        #expect(try diagnostics("M.D") == ["M.D is the $EntityContainer of the document, but N.C is the first one."])
    }

    @Test("URLs and targets with @ and $ are names, and nothing is told of them")
    func namesWithSigns() throws {
        let text = #"""
            {"$Version":"4.01","$Reference":{"http://user@host/$metadata":{"$Include":[{"$Namespace":"V"}]},
            "$metadata":{"$Include":[{"$Namespace":"W"}]}},
            "N":{"A":{"$Kind":"ComplexType","@N.T":1},"$Annotations":{"N.A/@N.T":{"@N.U":2}}}}
            """#
        let document = try CSDL.document(Array(text.utf8))
        #expect(document.diagnostics.map(\.message) == [])
        #expect(document.model.references.map(\.url) == ["http://user@host/$metadata", "$metadata"])
        try CSDLTests.checkReadingBack(document.model)
    }

    @Test("A definition of another one stands for what that one stands for, with its facets, and is told")
    func definitionsOfDefinitions() throws {
        let xml = Self.version4(
            """
            <ComplexType Name="A"><Property Name="P" Type="N.C"/></ComplexType>
            <TypeDefinition Name="C" UnderlyingType="S.B" Scale="1"/><TypeDefinition Name="B" UnderlyingType="N.T"/>
            <TypeDefinition Name="T" UnderlyingType="Edm.Decimal" Precision="9" Scale="2"/>
            <TypeDefinition Name="X" UnderlyingType="N.Y"/><TypeDefinition Name="Y" UnderlyingType="N.X"/>
            """)
        let json = #"""
            {"$Version":"4.01","N":{"$Alias":"S","A":{"$Kind":"ComplexType","P":{"$Type":"N.C","$Nullable":true}},
            "C":{"$Kind":"TypeDefinition","$UnderlyingType":"S.B","$Scale":1},
            "B":{"$Kind":"TypeDefinition","$UnderlyingType":"N.T"},
            "T":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.Decimal","$Precision":9,"$Scale":2},
            "X":{"$Kind":"TypeDefinition","$UnderlyingType":"N.Y"},"Y":{"$Kind":"TypeDefinition","$UnderlyingType":"N.X"}}}
            """#
        for bytes in [xml, Array(json.utf8)] {
            let document = try CSDL.document(bytes)
            let told = document.diagnostics.map(\.message)
            #expect(
                told.count == 4 && told.allSatisfy { $0.contains("is not a primitive type: it is read") }, "\(told)")
            let definition = document.model.typeDefinition(named: EdmQualifiedName("N.C"))
            #expect(definition?.underlyingType == .decimal)
            #expect(definition?.facets == EdmFacets(precision: 9, scale: .fixed(1)))
            #expect(document.model.typeDefinition(named: EdmQualifiedName("N.X"))?.underlyingType == .untyped)
            let property = document.model.structuredType(named: EdmQualifiedName("N.A"))?.property(named: "P")
            #expect(property?.type == .primitive(.decimal) && property?.precision == 9)
            try CSDLTests.checkReadingBack(document.model)
        }
    }

    static let nested: [String] = [
        "<ComplexType Name=\"A\"><Property Name=\"P\" Type=\"Collection(Collection(Edm.String))\"/></ComplexType>",
        "<ComplexType Name=\"A\"><Property Name=\"P\" Type=\"Collection( Collection(Collection(N.A)) )\"/></ComplexType>",
        "<Term Name=\"A\" Type=\"Collection(Collection(Edm.String))\"/>",
        "<Function Name=\"F\"><ReturnType Type=\"Collection(Collection(Edm.String))\"/></Function>",
        "<Action Name=\"F\"><Parameter Name=\"p\" Type=\"Collection(Collection(Edm.String))\"/></Action>",
        "<Annotation Term=\"N.T\"><Cast Type=\"Collection(Collection(Edm.String))\"><Path>a</Path></Cast></Annotation>",
    ]

    @Test("A collection of collections is told, and read as a collection", arguments: nested)
    func nestedCollections(content: String) throws {
        let document = try CSDL.document(Self.version4(content))
        let told = document.diagnostics.map(\.message)
        #expect(told.count == 1 && told[0].contains("a collection of collections, which is read"), "\(told)")
        try CSDLTests.checkReadingBack(document.model)
        let json = String(decoding: try CSDL.json(document.model), as: UTF8.self)
        #expect(!json.contains("Collection("), "\(json)")
        let again = json.replacing(
            #/"\$Collection": true(,\s*"\$Type": "[^"]*")?/#,
            with: #""$Collection": true, "$Type": "Collection(Edm.Byte)""#)
        let inJSON = try CSDL.document(Array(again.utf8)).diagnostics.map(\.message)
        #expect(inJSON.contains { $0.contains("a collection of collections, which is read") }, "\(inJSON)")
    }

    static let unwritable: [(schema: EdmSchema, xml: String?, json: String)] = [
        (schema(terms: ["a@b"]), nil, "The term “a@b” means something else"),
        (schema(terms: ["N.T", "N.T"]), "Annotation N.T occurs twice", "N has @N.T twice"),
        (schema(text: "a\u{1}b"), "U+1, which XML cannot say", ""),
        (schema(types: ["A", "A"]), "ComplexType A occurs twice", "N has A twice"),
        (schema(types: [""]), "ComplexType has no Name", "something of the name “”"),
        (schema(types: ["$Kind"]), nil, "something of the name “$Kind”"),
        (schema(types: ["C"]), nil, "N has C twice"),
        (schema(sets: ["X", "X"]), "EntitySet X occurs twice", "N/C has X twice"),
        (
            annotated(.init(.not, [.path(.value, "a"), .path(.value, "b")])), nil,
            "$Not has 2 operands, and JSON has a place"
        ),
        (annotated(.init(.neg)), nil, "$Neg has 0 operands"),
        (annotated(.init(.and, [.bool(true)], name: "n")), "And has a name", "And has a name"),
        (annotated(.init(.or, [.bool(true)], type: "Edm.Byte")), "Or has a type", "Or has a type"),
        (annotated(.init(.null, [.bool(true)])), "Null has operands", "Null has operands"),
        (annotated(.init(.cast, [.int(1)], facets: EdmFacets(precision: 1))), "facets without", "facets without"),
        (
            withProperty(facets: EdmFacets(maxLength: -1)), "MaxLength -1, which no reader takes",
            "MaxLength -1, which no reader"
        ),
        (
            withProperty(facets: EdmFacets(scale: .fixed(-2))), "Scale -2, which no reader takes",
            "Scale -2, which no reader takes"
        ),
        (
            withProperty(type: .collection(.collection(.string))), "a collection of collections",
            "a collection of collections"
        ),
    ]

    private static func annotated(_ expression: EdmAnnotation.Expression) -> EdmSchema {
        var schema = schema()
        schema.annotations.append(EdmAnnotation(term: "N.X", value: .expression(expression)))
        return schema
    }

    private static func withProperty(facets: EdmFacets = EdmFacets(), type: EdmTypeReference = .string) -> EdmSchema {
        var (schema, property) = (schema(), EdmProperty(name: "P", type: type))
        property.facets = facets
        schema.types[0].properties.append(property)
        return schema
    }

    private static func schema(
        types: [String] = [], sets: [String] = [], terms: [String] = [], text: String = "x"
    ) -> EdmSchema {
        let name = EdmQualifiedName("N.E")
        var schema = EdmSchema(
            namespace: "N",
            types: types.map {
                EdmStructuredTypeDeclaration(
                    kind: .complex, name: EdmQualifiedName(namespace: "N", name: $0), properties: [])
            } + [
                EdmStructuredTypeDeclaration(name: name, key: ["I"], properties: [EdmProperty(name: "I", type: .int32)])
            ],
            container: "C", entitySets: sets.map { EdmEntitySetDeclaration(name: $0, type: name) })
        schema.annotations = terms.map { EdmAnnotation(term: $0, value: .int(1)) }
        schema.annotations.append(EdmAnnotation(term: "N.Text", value: .string(text)))
        return schema
    }

    @Test("What a form of metadata has no place for is refused", arguments: unwritable)
    func refused(schema: EdmSchema, xml: String?, json: String) throws {
        let model = EdmModel.lenient(schemas: [schema]).model
        for (message, write) in [(xml, { try CSDL.xml(model) }), (json, { try CSDL.json(model) })] {
            guard let message, !message.isEmpty else {
                #expect(try CSDL.read(xml: write()).model == model)
                continue
            }
            let failure = #expect(throws: FormatError.self) { try write() }
            #expect(failure?.message.contains(message) == true, "\(String(describing: failure))")
        }
    }

    @Test("What is written of any model is read as that model, or refused", arguments: 0..<8)
    func randomModels(seed: UInt64) throws {
        var refusals = 0
        for index in 0..<25 {
            var maker = RandomModel(seed: seed * 1000 + UInt64(index))
            let model = maker.model()
            for write in [{ try CSDL.xml(model) }, { try CSDL.json(model) }] {
                guard let bytes = try? write() else {
                    refusals += 1
                    continue
                }
                let read = try CSDL.read(xml: bytes)
                #expect(read.model == model, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(refusals > 0 && refusals < 50)
    }
}

/// Models whose names clash more often than not.
private struct RandomModel {
    private var generator: SplitMix
    /// How many names there are: the fewer, the more clashes.
    private let names: [String]

    init(seed: UInt64) {
        generator = SplitMix(seed: seed)
        names = (0..<(seed.isMultiple(of: 3) ? 6 : 60)).map { "n\($0)" }
    }

    private mutating func name() -> String { names.randomElement(using: &generator) ?? "n" }

    private mutating func qualified(_ namespace: String) -> EdmQualifiedName {
        EdmQualifiedName(namespace: namespace, name: name())
    }

    private mutating func some<Item>(_ most: Int, _ make: (inout RandomModel) -> Item) -> [Item] {
        (0..<Int.random(in: 0...most, using: &generator)).map { _ in make(&self) }
    }

    private mutating func annotations(_ depth: Int = 0) -> [EdmAnnotation] {
        some(depth == 0 ? 3 : 1) { maker in
            let qualifier = Bool.random(using: &maker.generator) ? "#q" : ""
            return EdmAnnotation(
                term: "V.\(maker.name())\(qualifier)", value: maker.value(depth),
                annotations: depth < 2 ? maker.annotations(depth + 1) : [])
        }
    }

    private mutating func value(_ depth: Int) -> EdmAnnotation.Value {
        switch Int.random(in: 0..<(depth < 2 ? 10 : 7), using: &generator) {
        case 0: .bool(.random(using: &generator))
        case 1: .int(.random(in: -9...9, using: &generator))
        case 2: .string(["", " a\"<b>\n", "é"].randomElement(using: &generator) ?? "")
        case 3: .constant(.date, "2020-01-01")
        case 4: .enumMember(EdmQualifiedName("Enumerations.\(name())"), ["A", "B"])
        case 5: .path(.property, name())
        case 6: .null
        case 7: .collection(some(3) { $0.value(depth + 1) })
        case 8: .expression(expression(depth))
        default:
            .record(
                EdmAnnotation.Record(
                    type: EdmQualifiedName("N.R"),
                    members: some(3) { .init(name: $0.name(), value: $0.value(depth + 1)) },
                    annotations: annotations(depth + 1)))
        }
    }

    /// With one operand too many or too few now and then.
    private mutating func expression(_ depth: Int) -> EdmAnnotation.Expression {
        let kind =
            EdmAnnotation.Expression.Kind.allCases.filter { $0 != .null }.randomElement(using: &generator) ?? .not
        var expression = EdmAnnotation.Expression(kind, annotations: annotations(depth + 1))
        switch kind {
        case .labeledElementReference: expression.annotations = []
        case .not, .neg, .labeledElement, .urlRef, .isOf, .cast: expression.operands = [.path(.value, name())]
        default: expression.operands = some(3) { $0.value(depth + 1) }
        }
        if [.labeledElementReference, .labeledElement].contains(kind) { expression.name = name() }
        if kind == .apply, Bool.random(using: &generator) { expression.name = "odata.concat" }
        if [.isOf, .cast].contains(kind) {
            (expression.type, expression.facets) = (
                "Collection(Edm.Decimal)", EdmFacets(precision: 5, scale: .variable)
            )
        }
        return expression
    }

    private mutating func property() -> EdmProperty {
        EdmProperty(name: name(), type: .int32, isNullable: .random(using: &generator), annotations: annotations())
    }

    private mutating func structured(_ namespace: String) -> EdmStructuredTypeDeclaration {
        EdmStructuredTypeDeclaration(
            kind: Bool.random(using: &generator) ? .entity : .complex, name: qualified(namespace),
            properties: some(4) { $0.property() },
            navigationProperties: some(2) {
                EdmNavigationProperty(
                    name: $0.name(), target: $0.qualified(namespace), isCollection: true, annotations: $0.annotations())
            }, annotations: annotations())
    }

    private mutating func operation(_ namespace: String) -> EdmOperationDeclaration {
        EdmOperationDeclaration(
            kind: Bool.random(using: &generator) ? .action : .function, name: qualified(namespace),
            parameters: some(3) { .init(name: $0.name(), type: .string, annotations: $0.annotations()) },
            result: Bool.random(using: &generator) ? .init(type: .boolean, annotations: annotations()) : nil,
            annotations: annotations())
    }

    private mutating func schema(_ namespace: String, hasContainer: Bool) -> EdmSchema {
        var schema = EdmSchema(namespace: namespace, alias: "Alias\(namespace)")
        schema.types = some(3) { $0.structured(namespace) }
        schema.enumTypes = some(2) { maker in
            EdmEnumType(
                name: maker.qualified(namespace),
                members: maker.some(3) { .init(name: $0.name(), value: 1, annotations: $0.annotations()) })
        }
        schema.typeDefinitions = some(1) { EdmTypeDefinition(name: $0.qualified(namespace), underlyingType: .string) }
        schema.terms = some(2) { EdmTerm(name: $0.qualified(namespace), type: .string, annotations: $0.annotations()) }
        schema.operations = some(3) { $0.operation(namespace) }.groupedByName
        schema.annotations = annotations()
        guard hasContainer else { return schema }
        schema.container = name()
        schema.containerAnnotations = annotations()
        schema.entitySets = some(3) { maker in
            let kind: EdmEntitySetDeclaration.Kind = Bool.random(using: &maker.generator) ? .entitySet : .singleton
            return EdmEntitySetDeclaration(
                kind: kind, name: maker.name(), type: maker.qualified(namespace),
                bindings: [maker.name(): maker.name()],
                annotations: maker.annotations())
        }
        schema.operationImports = some(2) {
            EdmOperationImport(
                kind: .function, name: $0.name(), operation: $0.qualified(namespace), annotations: $0.annotations())
        }
        schema.targetedAnnotations = some(2) {
            EdmTargetedAnnotations(
                target: "Elsewhere.\($0.name())\(Bool.random(using: &$0.generator) ? "/@V.T" : "")",
                annotations: [EdmAnnotation(term: "V.T", value: .bool(true))] + $0.annotations())
        }
        return schema
    }

    mutating func model() -> EdmModel {
        EdmModel.lenient(schemas: [schema("N", hasContainer: true), schema("M", hasContainer: false)]).model
    }
}

extension [EdmOperationDeclaration] {
    /// The overloads of each name one after the other, as documents are read.
    fileprivate var groupedByName: [EdmOperationDeclaration] {
        var names: [EdmQualifiedName] = []
        for operation in self where !names.contains(operation.name) { names.append(operation.name) }
        return names.flatMap { name in filter { $0.name == name } }
    }
}
