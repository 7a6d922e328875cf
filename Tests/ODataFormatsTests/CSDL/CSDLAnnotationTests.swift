import ODataFormats
import ODataMetadata
import ODataModel
import Testing

@Suite struct CSDLAnnotationTests {
    /// An expression element, and what it is read as.
    static let expressions: [(xml: String, value: EdmAnnotation.Value)] = [
        ("<Null/>", .null), ("<Bool>true</Bool>", .bool(true)), ("<Bool> 0 </Bool>", .bool(false)),
        ("<Int>-5</Int>", .int(-5)), ("<String> a\n&lt; </String>", .string(" a\n< ")), ("<String/>", .string("")),
        ("<Decimal>1.50</Decimal>", .constant(.decimal, "1.50")), ("<Decimal>5</Decimal>", .constant(.decimal, "5")),
        ("<Float>4.2</Float>", .constant(.double, "4.2")), ("<Float>1e5</Float>", .constant(.double, "1e5")),
        ("<Float>INF</Float>", .constant(.double, "INF")), ("<Binary>T0RhdGE</Binary>", .constant(.binary, "T0RhdGE")),
        ("<Date>2000-01-01</Date>", .constant(.date, "2000-01-01")),
        (
            "<DateTimeOffset>2000-01-01T16:00:00.000-09:00</DateTimeOffset>",
            .constant(.dateTimeOffset, "2000-01-01T16:00:00.000-09:00")
        ),
        ("<Duration>P7D</Duration>", .constant(.duration, "P7D")),
        ("<TimeOfDay>21:45:00</TimeOfDay>", .constant(.timeOfDay, "21:45:00")),
        (
            "<Guid>21EC2020-3AEA-1069-A2DD-08002B30309D</Guid>",
            .constant(.guid, "21EC2020-3AEA-1069-A2DD-08002B30309D")
        ),
        ("<EnumMember>self.Color/Red</EnumMember>", .enumMember(EdmQualifiedName("N.Color"), ["Red"])),
        (
            "<EnumMember>self.Color/Red self.Color/Blue</EnumMember>",
            .enumMember(EdmQualifiedName("N.Color"), ["Red", "Blue"])
        ),
        ("<Path>Address/@Core.Description#Q/X</Path>", .path(.value, "Address/@Org.OData.Core.V1.Description#Q/X")),
        ("<PropertyPath>Name</PropertyPath>", .path(.property, "Name")),
        ("<NavigationPropertyPath>self.T/B</NavigationPropertyPath>", .path(.navigationProperty, "N.T/B")),
        ("<AnnotationPath>B@self.X</AnnotationPath>", .path(.annotation, "B@N.X")),
        ("<AnyPropertyPath>A</AnyPropertyPath>", .path(.anyProperty, "A")),
        ("<ModelElementPath>/self.C/S</ModelElementPath>", .path(.modelElement, "/N.C/S")),
        ("<Collection/>", .collection([])),
        (
            "<Collection><PropertyPath>A</PropertyPath><PropertyPath>B</PropertyPath></Collection>",
            .collection([.path(.property, "A"), .path(.property, "B")])
        ),
        (
            "<Collection><PropertyPath>A</PropertyPath><String>A</String><Date>2000-01-01</Date></Collection>",
            .collection([.path(.property, "A"), .string("A"), .constant(.date, "2000-01-01")])
        ),
        ("<Record/>", .record([:])),
        (
            "<Record><PropertyValue Property=\"B\" Bool=\"false\"/><PropertyValue Property=\"A\" PropertyPath=\"P\"/></Record>",
            .record(["B": .bool(false), "A": .path(.property, "P")])
        ),
        (
            "<Record Type=\"self.R\"><PropertyValue Property=\"A\"><Annotation Term=\"self.X\"/><Int>1</Int></PropertyValue>"
                + "<Annotation Term=\"self.Y\" String=\"y\"/></Record>",
            .record(
                .init(
                    type: EdmQualifiedName("N.R"),
                    members: [.init(name: "A", value: .int(1), annotations: [EdmAnnotation(term: "N.X")])],
                    annotations: [EdmAnnotation(term: "N.Y", value: .string("y"))]))
        ),
        (
            "<And><Path>A</Path><Not><Path>B</Path></Not></And>",
            .expression(.init(.and, [.path(.value, "A"), .expression(.init(.not, [.path(.value, "B")]))]))
        ),
        (
            "<Has><Path>F</Path><EnumMember>self.Color/Red</EnumMember></Has>",
            .expression(.init(.has, [.path(.value, "F"), .enumMember(EdmQualifiedName("N.Color"), ["Red"])]))
        ),
        (
            "<In><Path>F</Path><Collection><Decimal>1</Decimal></Collection></In>",
            .expression(.init(.in, [.path(.value, "F"), .collection([.constant(.decimal, "1")])]))
        ),
        (
            "<DivBy><Int>1</Int><Neg><Int>2</Int></Neg></DivBy>",
            .expression(.init(.divBy, [.int(1), .expression(.init(.neg, [.int(2)]))]))
        ),
        (
            "<Apply Function=\"odata.concat\"><String>a</String><LabeledElement Name=\"self.L\" Path=\"B\"/></Apply>",
            .expression(
                .init(
                    .apply,
                    [.string("a"), .expression(.init(.labeledElement, [.path(.value, "B")], name: "self.L"))],
                    name: "odata.concat"))
        ),
        (
            "<LabeledElementReference>self.L</LabeledElementReference>",
            .expression(.init(.labeledElementReference, name: "N.L"))
        ),
        (
            "<If><Path>A</Path><String>x</String><Null/></If>",
            .expression(.init(.if, [.path(.value, "A"), .string("x"), .null]))
        ),
        (
            "<Cast Type=\"Edm.Decimal\" Precision=\"5\" Scale=\"2\"><Path>A</Path></Cast>",
            .expression(
                .init(
                    .cast, [.path(.value, "A")], type: "Edm.Decimal", facets: EdmFacets(precision: 5, scale: .fixed(2)))
            )
        ),
        (
            "<IsOf Type=\"Collection(self.T)\"><Path>A</Path></IsOf>",
            .expression(.init(.isOf, [.path(.value, "A")], type: "Collection(N.T)"))
        ),
        ("<UrlRef><String>http://a</String></UrlRef>", .expression(.init(.urlRef, [.string("http://a")]))),
        (
            "<Null><Annotation Term=\"self.Reason\" String=\"Private\"/></Null>",
            .expression(.init(.null, annotations: [EdmAnnotation(term: "N.Reason", value: .string("Private"))]))
        ),
    ]

    private func document(_ content: String) -> [UInt8] {
        CSDLTests.document(
            "<Schema Namespace=\"N\" Alias=\"self\"><EnumType Name=\"Color\"><Member Name=\"Red\"/></EnumType>"
                + content + "</Schema>", version: "4.01")
    }

    @Test(arguments: expressions)
    func expressionsAreReadAndWrittenBack(xml: String, value: EdmAnnotation.Value) throws {
        let document = try CSDL.document(
            document(
                "<Annotation Term=\"self.A\">\(xml)</Annotation>"
                    + "<Annotation Term=\"self.B\"><Collection>\(xml)<Int>0</Int></Collection></Annotation>"))
        #expect(document.diagnostics == [])
        #expect(document.model.schemas.first?.annotation("N.A") == value)
        try CSDLTests.checkReadingBack(document.model)
    }

    /// An expression element that says too little or too much, what is told of it, and why JSON cannot have it.
    static let odd: [(xml: String, message: String, failure: String?)] = [
        ("<Not><Path>a</Path><Path>b</Path></Not>", "Not takes 1 operands and has 2.", "$Not has 2 operands"),
        ("<Not/>", "Not takes 1 operands and has 0.", "$Not has 0 operands"),
        ("<Neg Int=\"1\"><Int>2</Int></Neg>", "Neg takes 1 operands and has 2.", "$Neg has 2 operands"),
        (
            "<Cast Type=\"Edm.Byte\" Int=\"1\"><Path>a</Path></Cast>", "Cast takes 1 operands and has 2.",
            "$Cast has 2 operands"
        ),
        ("<IsOf Type=\"Edm.Byte\"/>", "IsOf takes 1 operands and has 0.", "$IsOf has 0 operands"),
        ("<UrlRef><Int>1</Int><Int>2</Int></UrlRef>", "UrlRef takes 1 operands and has 2.", "$UrlRef has 2 operands"),
        (
            "<LabeledElement Name=\"l\" Int=\"1\"><Int>2</Int></LabeledElement>",
            "LabeledElement takes 1 operands and has 2.", "$LabeledElement has 2 operands"
        ),
        ("<And><Path>a</Path></And>", "And takes 2 operands and has 1.", nil),
        ("<Eq><Int>1</Int><Int>2</Int><Int>3</Int></Eq>", "Eq takes 2 operands and has 3.", nil),
        ("<Add/>", "Add takes 2 operands and has 0.", nil),
        ("<If><Path>a</Path></If>", "If takes 2 or 3 operands and has 1.", nil),
        ("<Apply><Int>1</Int></Apply>", "Apply has no Function.", nil),
        ("<LabeledElement><Int>1</Int></LabeledElement>", "LabeledElement has no Name.", nil),
        ("<LabeledElementReference/>", "LabeledElementReference has no Name.", nil),
        ("<Cast><Path>a</Path></Cast>", "Cast has no Type.", nil),
        ("<Cast Precision=\"5\"><Path>a</Path></Cast>", "Cast has facets without a type, which are left out.", nil),
        ("<Not Function=\"f\"><Path>a</Path></Not>", "The attribute Function is not known in Not.", nil),
        ("<Or Type=\"Edm.Byte\"><Int>1</Int><Int>2</Int></Or>", "The attribute Type is not known in Or.", nil),
        ("<Not>x<Path>a</Path></Not>", "Not has text, which means nothing.", nil),
        ("<Collection Type=\"Edm.Byte\"/>", "The attribute Type is not known in Collection.", nil),
        ("<Collection>x</Collection>", "Collection has text, which means nothing.", nil),
        ("<Collection><Annotation Term=\"self.X\"/></Collection>", "Collection cannot be annotated.", nil),
        ("<Record Term=\"x\"/>", "The attribute Term is not known in Record.", nil),
        ("<Record>x</Record>", "Record has text, which means nothing.", nil),
        ("<Path>a<Int>1</Int></Path>", "The element Int is not known in Path.", nil),
        ("<Path>a<Annotation Term=\"self.X\"/></Path>", "Path cannot be annotated.", nil),
        ("<Int Type=\"Edm.Byte\">1</Int>", "The attribute Type is not known in Int.", nil),
        ("<Null>x</Null>", "Null has text, which means nothing.", nil),
        ("<Null><Int>1</Int></Null>", "The element Int is not known in Null.", nil),
        (
            "<LabeledElementReference Name=\"l\">m</LabeledElementReference>",
            "LabeledElementReference has text, which means nothing.", nil
        ),
    ]

    @Test("What an expression has too much or too little of is told, and kept or refused", arguments: odd)
    func oddExpressions(xml: String, message: String, failure: String?) throws {
        let document = try CSDL.document(document("<Annotation Term=\"self.A\">\(xml)</Annotation>"))
        #expect(document.diagnostics.map(\.message).contains(message), "\(document.diagnostics)")
        let model = document.model
        #expect(try CSDL.document(CSDL.xml(model)).model == model)
        guard let failure else { return try CSDLTests.checkReadingBack(model) }
        let error = #expect(throws: FormatError.self) { try CSDL.json(model) }
        #expect(error?.message.contains(failure) == true, "\(String(describing: error))")
    }

    /// A value of an annotation in JSON, and what is told of it.
    static let oddInJSON: [(json: String, message: String)] = [
        (#"{"$And":[true]}"#, "And takes 2 operands and has 1."), (#"{"$Eq":5}"#, "Eq takes 2 operands and has 1."),
        (#"{"$Apply":[1]}"#, "Apply has no Function."), (#"{"$LabeledElement":1}"#, "LabeledElement has no Name."),
        (#"{"$Cast":{"$Path":"a"}}"#, "Cast has no Type."),
        (#"{"$Cast":{"$Path":"a"},"$Precision":5}"#, "Cast has facets without a type, which are left out."),
        (#"{"$Cast":{"$Path":"a"},"$Type":"Edm.String","$MaxLength":-1}"#, "$MaxLength does not have a value"),
        (
            #"{"$IsOf":1,"$Type":"Collection(Edm.Byte)","$Collection":true}"#,
            "IsOf is of a type that is a collection of"
        ),
        (#"{"$Not":true,"$Type":"Edm.Byte"}"#, "$Type is not known in $Not."),
        (#"{"$Not":true,"$Path":"a"}"#, "$Path is not known in $Not."),
        (#"{"$Path":"a","b":1}"#, "b is not known in $Path."),
        (#"{"$Path":"a","@N.X":1}"#, "$Path cannot be annotated."),
        (#"{"$Path":5}"#, "$Path does not have a value of its kind."), (#"{"$Odd":5}"#, "$Odd is not known."),
        (#"{"$LabeledElementReference":"N.L","@N.X":1}"#, "$LabeledElementReference cannot be annotated."),
    ]

    @Test("What an expression in JSON has too much or too little of is told", arguments: oddInJSON)
    func oddExpressionsInJSON(json: String, message: String) throws {
        let text = #"{"$Version":"4.01","N":{"@N.A":\#(json)}}"#
        let document = try CSDL.document(Array(text.utf8))
        #expect(document.diagnostics.contains { $0.message.hasPrefix(message) }, "\(document.diagnostics)")
    }

    @Test(arguments: [
        ("String=\"a\"", EdmAnnotation.Value.string("a")), ("Bool=\"1\"", .bool(true)), ("Int=\"7\"", .int(7)),
        ("EnumMember=\"self.Color/Red\"", .enumMember(EdmQualifiedName("N.Color"), ["Red"])),
        ("Date=\"2000-01-01\"", .constant(.date, "2000-01-01")), ("Path=\"A/B\"", .path(.value, "A/B")),
        ("UrlRef=\"http://a\"", .expression(.init(.urlRef, [.string("http://a")]))), ("", .bool(true)),
    ])
    func constantsMayStandInAttributes(attribute: String, value: EdmAnnotation.Value) throws {
        let document = try CSDL.document(document("<Annotation Term=\"self.A\" \(attribute)/>"))
        #expect(document.model.schemas.first?.annotation("N.A") == value)
        try CSDLTests.checkReadingBack(document.model)
    }

    @Test func termsOfTheValidationVocabularyAreData() throws {
        let document = try CSDL.document(
            CSDLTests.document(
                """
                <Schema Namespace="N"><ComplexType Name="C"><Property Name="P" Type="Edm.Decimal">
                  <Annotation Term="Org.OData.Validation.V1.Minimum" Decimal="0.5">
                    <Annotation Term="Org.OData.Validation.V1.Exclusive"/></Annotation>
                  <Annotation Term="Org.OData.Validation.V1.Maximum" Int="100"/>
                  <Annotation Term="Org.OData.Validation.V1.MultipleOf" Decimal="0.25"/>
                  <Annotation Term="Org.OData.Validation.V1.AllowedValues"><Collection>
                    <Record><PropertyValue Property="Value" Decimal="1.5"/></Record>
                    <Record><PropertyValue Property="Value" Int="2"/></Record></Collection></Annotation>
                </Property><Property Name="Q" Type="Edm.String">
                  <Annotation Term="Org.OData.Validation.V1.Pattern" String="^[A-Z]+$"/></Property></ComplexType></Schema>
                """))
        #expect(document.diagnostics == [])
        let properties = try #require(document.model.schemas.first?.types.first?.properties)
        func term(_ name: String) -> String { "Org.OData.Validation.V1.\(name)" }
        #expect(
            properties.first?.annotations == [
                EdmAnnotation(
                    term: term("Minimum"), value: .constant(.decimal, "0.5"),
                    annotations: [EdmAnnotation(term: term("Exclusive"))]),
                EdmAnnotation(term: term("Maximum"), value: .int(100)),
                EdmAnnotation(term: term("MultipleOf"), value: .constant(.decimal, "0.25")),
                EdmAnnotation(
                    term: term("AllowedValues"),
                    value: .collection([
                        .record(["Value": .constant(.decimal, "1.5")]), .record(["Value": .int(2)]),
                    ])),
            ])
        #expect(properties.last?.annotations == [EdmAnnotation(term: term("Pattern"), value: .string("^[A-Z]+$"))])
        try CSDLTests.checkReadingBack(document.model)
    }

    @Test func everythingThatCanBeAnnotatedKeepsItsAnnotations() throws {
        let note = "<Annotation Term=\"self.X\" String=\"inside\"><Annotation Term=\"self.Y\"/></Annotation>"
        let document = try CSDL.document(
            document(
                """
                <EnumType Name="E"><Member Name="M">\(note)</Member>\(note)</EnumType>
                <TypeDefinition Name="D" UnderlyingType="Edm.String" MaxLength="5">\(note)</TypeDefinition>
                <Term Name="X" Type="Edm.String" AppliesTo="EntitySet Property" DefaultValue="d">\(note)</Term>
                <ComplexType Name="C"><Property Name="P" Type="self.D">\(note)</Property>\(note)</ComplexType>
                <EntityType Name="T"><NavigationProperty Name="N" Type="self.T">\(note)
                  <ReferentialConstraint Property="A" ReferencedProperty="B">\(note)</ReferentialConstraint>
                  <OnDelete Action="Cascade">\(note)</OnDelete></NavigationProperty>
                  <Property Name="A" Type="Edm.Int32"/><Property Name="B" Type="Edm.Int32"/></EntityType>
                <Action Name="A"><Parameter Name="p" Type="self.D">\(note)</Parameter>
                  <ReturnType Type="Edm.Int32">\(note)</ReturnType>\(note)</Action>
                <EntityContainer Name="K">\(note)<Singleton Name="S" Type="self.T">\(note)</Singleton>
                  <ActionImport Name="I" Action="self.A">\(note)</ActionImport></EntityContainer>
                \(note)
                """))
        #expect(document.diagnostics == [])
        let schema = try #require(document.model.schemas.first)
        let expected = [EdmAnnotation(term: "N.X", value: .string("inside"), annotations: [EdmAnnotation(term: "N.Y")])]
        let enumeration = try #require(schema.enumTypes.last)
        let navigation = try #require(schema.types.last?.navigationProperties.first)
        let action = try #require(schema.operations.first)
        let found: [[EdmAnnotation]?] = [
            enumeration.annotations, enumeration.members.first?.annotations, schema.typeDefinitions.first?.annotations,
            schema.terms.first?.annotations, schema.types.first?.annotations,
            schema.types.first?.properties.first?.annotations, navigation.annotations,
            navigation.constraints.first?.annotations, navigation.onDelete?.annotations, action.annotations,
            action.parameters.first?.annotations, action.result?.annotations, schema.containerAnnotations,
            schema.entitySets.first?.annotations, schema.operationImports.first?.annotations, schema.annotations,
        ]
        for annotations in found { #expect(annotations == expected) }
        try CSDLTests.checkReadingBack(document.model)
    }

    @Test(arguments: [
        "self.C", "self.C/P", "self.E", "self.E/M", "self.D", "self.X", "self.T/N", "self.A", "self.A/p",
        "self.A/$ReturnType", "self.F(self.T,Edm.Int32)/q", "self.K", "self.K/S", "self.K/I",
    ])
    func targetsInTheDocumentAreFound(target: String) throws {
        let document = try CSDL.document(
            document(
                """
                <EnumType Name="E"><Member Name="M"/></EnumType><Term Name="X"/>
                <TypeDefinition Name="D" UnderlyingType="Edm.String"/>
                <ComplexType Name="C"><Property Name="P" Type="Edm.String"/></ComplexType>
                <EntityType Name="T"><NavigationProperty Name="N" Type="self.T"/></EntityType>
                <Action Name="A"><Parameter Name="p" Type="self.D"/><ReturnType Type="Edm.Int32"/></Action>
                <Function Name="F" IsBound="true"><Parameter Name="b" Type="self.T"/>
                  <Parameter Name="q" Type="Edm.Int32"/><ReturnType Type="Edm.Int32"/></Function>
                <EntityContainer Name="K"><Singleton Name="S" Type="self.T"/><ActionImport Name="I" Action="self.A"/>
                </EntityContainer>
                <Annotations Target="\(target)" Qualifier="Q"><Annotation Term="Core.Description" String="d"/></Annotations>
                """))
        #expect(document.model.schemas.first?.targetedAnnotations == [])
        let text = String(decoding: try CSDL.xml(document.model), as: UTF8.self)
        #expect(text.contains("<Annotation Term=\"Org.OData.Core.V1.Description\" Qualifier=\"Q\" String=\"d\"/>"))
        try CSDLTests.checkReadingBack(document.model)
    }

    @Test(arguments: [
        ("Else.Where", "Else.Where"), ("self.K/S/N", "N.K/S/N"), ("self.T/Missing", "N.T/Missing"),
        ("self.F(Edm.Int32)", "N.F(Edm.Int32)"), ("self.T/@Core.Description", "N.T/@Org.OData.Core.V1.Description"),
    ])
    func otherTargetsAreKept(target: String, expected: String) throws {
        let document = try CSDL.document(
            document(
                """
                <EntityType Name="T"/><EntityContainer Name="K"><Singleton Name="S" Type="self.T"/></EntityContainer>
                <Annotations Target="\(target)"><Annotation Term="Core.Description" String="a"/></Annotations>
                <Annotations Target="\(target)"><Annotation Term="Core.LongDescription" String="b"/></Annotations>
                """))
        let kept = document.model.schemas.first?.targetedAnnotations
        #expect(kept?.map(\.target) == [expected])
        #expect(kept?.first?.annotations.count == 2)
        try CSDLTests.checkReadingBack(document.model)
    }
}
