import Testing

@testable import ODataFormats
@testable import ODataMetadata

/// Members of CSDL JSON that stand where they mean nothing.
@Suite struct CSDLPlaceTests {
    /// Members of a schema.
    static let misplaced: [(members: String, message: String)] = [
        (#""A":{"$Kind":"ComplexType","P":{"Typ":"Edm.Byte"}}"#, "Typ is not known in a property."),
        (#""A":{"$Kind":"ComplexType","P":{"$Partner":"x"}}"#, "$Partner has no place in a property."),
        (#""A":{"$Kind":"ComplexType","P":{"$Kind":"Nope"}}"#, "Nope, the kind of P, is not known."),
        (
            #""A":{"$Kind":"ComplexType","P":{"$DefaultValue":{"a":1}}}"#,
            "$DefaultValue does not have a value of its kind."
        ),
        (
            #""A":{"$Kind":"ComplexType","P":{"$DefaultValue":null}}"#,
            "$DefaultValue does not have a value of its kind."
        ),
        (#""A":{"$Kind":"ComplexType","P":{"@V.X":1,"@V.Y@V.Z":2}}"#, "V.Y@V.Z annotates nothing"),
        (#""A":{"$Kind":"ComplexType","P":{"@@V.Z":2}}"#, "@@V.Z annotates nothing"),
        (#""A":{"$Kind":"ComplexType","@V.X":{"a":1,"b@V.Y":2}}"#, "b@V.Y annotates nothing"),
        (#""A":{"$Kind":"ComplexType","@V.X":{"@type":5,"a":1}}"#, "@type does not have a value of its kind."),
        (
            #""A":{"$Kind":"ComplexType","P":{"$Kind":"NavigationProperty","$Type":"N.E","$MaxLength":5}}"#,
            "$MaxLength has no place in a navigation property."
        ),
        (
            #""A":{"$Kind":"ComplexType","P":{"$Kind":"NavigationProperty","$Type":"N.E","$Collection":true,"$Nullable":true}}"#,
            "$Nullable has no place in a navigation property to many."
        ),
        (#""A":{"$Kind":"ComplexType","$IsFlags":true}"#, "$IsFlags has no place in a type."),
        (#""A":{"$Kind":"EnumType","$Key":[]}"#, "$Key has no place in an enumeration."),
        (
            #""D":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.Byte","$Collection":true}"#,
            "$Collection has no place in a type definition."
        ),
        (#""D":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.Byte","a":1}"#, "a is not known in a type definition."),
        (#""T":{"$Kind":"Term","$AppliesTo":["Property",5]}"#, "$AppliesTo does not have a value of its kind."),
        (
            #""T":{"$Kind":"Term","$Collection":true,"$DefaultValue":[]}"#,
            "$DefaultValue does not have a value of its kind."
        ),
        (#""F":[{}]"#, "An overload of N.F has no $Kind."),
        (#""F":[{"$Kind":"Nope"}]"#, "Nope, the kind of an overload of"),
        (#""F":[{"$Kind":"Action","$Type":"Edm.Byte"}]"#, "$Type has no place in an operation."),
        (
            #""F":[{"$Kind":"Action","$Parameter":[{"$Name":"p","$DefaultValue":"5"}]}]"#,
            "$DefaultValue has no place in a parameter."
        ),
        (#""F":[{"$Kind":"Action","$ReturnType":{"$Name":"p"}}]"#, "$Name has no place in a return type."),
        (#""C":{"$Kind":"EntityContainer","$BaseType":"N.D"}"#, "$BaseType has no place in a container."),
        (
            #""C":{"$Kind":"EntityContainer","S":{"$Collection":true,"$Type":"N.E","$Nullable":true}}"#,
            "$Nullable has no place in an entity set."
        ),
        (#""C":{"$Kind":"EntityContainer","S":{"$Type":"N.E","x":1}}"#, "x is not known in a singleton."),
        (
            #""C":{"$Kind":"EntityContainer","I":{"$Action":"N.F","$Function":"N.F"}}"#,
            "$Function has no place in an action import."
        ),
        (
            #""C":{"$Kind":"EntityContainer","I":{"$Function":"N.F","$Type":"N.E"}}"#,
            "$Type has no place in a function import."
        ),
        (#""$Annotations":{"N.E":{"@V.X":1,"foo":5}}"#, "foo is not known in annotations of a target."),
        (#""$Annotations":{"N.E":{"@V.X":1,"$Type":"N.E"}}"#, "$Type has no place in annotations of a target."),
    ]

    @Test("A member that has no place where it stands is told, once", arguments: misplaced)
    func told(members: String, message: String) throws {
        let text = #"{"$Version":"4.01","N":{"E":{"$Kind":"EntityType"},\#(members)}}"#
        let told = try CSDL.document(Array(text.utf8)).diagnostics.map(\.message)
        #expect(told.count { $0.hasPrefix(message) } == 1, "\(told)")
    }

    /// Members of a document.
    static let misplacedAbove: [(members: String, message: String)] = [
        (#""$Type":"N.E""#, "$Type has no place in a document."),
        (#""$Reference":{"u":{"$Alias":"a"}}"#, "$Alias has no place in a reference."),
        (#""$Reference":{"u":{"x":1}}"#, "x is not known in a reference."),
        (
            #""$Reference":{"u":{"$Include":[{"$Namespace":"V","$Type":"x"}]}}"#,
            "$Type has no place in an included schema."
        ),
        (
            #""$Reference":{"u":{"$IncludeAnnotations":[{"$TermNamespace":"V","$Alias":"x"}]}}"#,
            "$Alias has no place in included annotations."
        ),
        (#""$Reference":{"u":{"$IncludeAnnotations":[{"$TermNamespace":"V","@V.X":1}]}}"#, "@V.X annotates nothing"),
    ]

    @Test("A member of a document or reference that has no place there is told, once", arguments: misplacedAbove)
    func toldAbove(members: String, message: String) throws {
        let text = #"{"$Version":"4.01",\#(members),"N":{"E":{"$Kind":"EntityType"}}}"#
        let told = try CSDL.document(Array(text.utf8)).diagnostics.map(\.message)
        #expect(told.count { $0.hasPrefix(message) } == 1, "\(told)")
    }

    private static let edm = "xmlns=\"http://docs.oasis-open.org/odata/ns/edm\""

    /// What stands beside the schema of a document, in the schema, and what is told of it.
    static let misplacedInXML: [(wrapper: String, schema: String, message: String)] = [
        ("<edmx:Foo/>", "", "The element Foo is not known in Edmx."),
        ("<edmx:DataServices><edmx:Foo/></edmx:DataServices>", "", "The element Foo is not known in DataServices."),
        ("<edmx:DataServices><Foo \(edm)/></edmx:DataServices>", "", "The element Foo is not known in DataServices."),
        ("<edmx:Reference><edmx:Include Namespace=\"V\"/></edmx:Reference>", "", "Reference has no Uri."),
        ("<edmx:Reference Uri=\"u\" Foo=\"1\"/>", "", "The attribute Foo is not known in Reference."),
        (
            "<edmx:Reference Uri=\"u\"><edmx:Include Namespace=\"V\" Foo=\"1\"/></edmx:Reference>", "",
            "The attribute Foo is not known in Include."
        ),
        (
            "<edmx:Reference Uri=\"u\"><edmx:Include Namespace=\"V\"><edmx:Foo/></edmx:Include></edmx:Reference>", "",
            "The element Foo is not known in Include."
        ),
        (
            "<edmx:Reference Uri=\"u\"><edmx:IncludeAnnotations TermNamespace=\"V\" Foo=\"1\"/></edmx:Reference>", "",
            "The attribute Foo is not known in IncludeAnnotations."
        ),
        (
            "<edmx:Reference Uri=\"u\"><edmx:IncludeAnnotations TermNamespace=\"V\"><Annotation \(edm) Term=\"V.X\"/>"
                + "</edmx:IncludeAnnotations></edmx:Reference>", "", "IncludeAnnotations cannot be annotated."
        ),
        ("<edmx:Reference Uri=\"u\"><edmx:Foo/></edmx:Reference>", "", "The element Foo is not known in a reference."),
        ("", "<Association Name=\"R\"/>", "The element Association is not known in a schema."),
        (
            "",
            "<ComplexType Name=\"D\"><Property Name=\"a\" Type=\"Edm.Byte\"><TypeRef Type=\"Edm.Int16\"/></Property></ComplexType>",
            "The element TypeRef is not known in a property."
        ),
        (
            "",
            "<ComplexType Name=\"D\"><NavigationProperty Name=\"a\" Type=\"Collection(N.E)\" Nullable=\"false\"/></ComplexType>",
            "The attribute Nullable has no place in a navigation property to many."
        ),
        ("", "<Annotation Term=\"V.X\" EnumMember=\"N.F/a N.G/b\"/>", "“N.F/a N.G/b” is not a value for EnumMember."),
    ]

    @Test("What has no place in a document in XML is told, once", arguments: misplacedInXML)
    func toldInXML(wrapper: String, schema: String, message: String) throws {
        let text = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">\(wrapper)<edmx:DataServices>
            <Schema Namespace="N" \(Self.edm)><EntityType Name="E"/>\(schema)</Schema></edmx:DataServices></edmx:Edmx>
            """
        let told = try CSDL.document(Array(text.utf8)).diagnostics.map(\.message)
        #expect(told.count { $0.hasPrefix(message) } == 1, "\(told)")
    }

    @Test("Nothing is told of what has its place")
    func quiet() throws {
        let text = #"""
            {"$Version":"4.01","$EntityContainer":"N.C",
            "$Reference":{"u":{"$Include":[{"$Namespace":"V","$Alias":"v","@v.X":1}],"@v.X":1,
            "$IncludeAnnotations":[{"$TermNamespace":"V","$TargetNamespace":"N","$Qualifier":"q"}]}},
            "N":{"$Alias":"S","@v.X":1,"@v.X@v.Y":2,"@v.D":"2000-01-01","@v.D@type":"#Date",
            "E":{"$Kind":"EntityType","$HasStream":true,"$OpenType":true,"$Key":["a",{"k":"b/c"}],
            "a":{"$Type":"Edm.Decimal","$Precision":5,"$Scale":2,"$DefaultValue":1.5,"@v.X":{"@type":"#S.D","x":1,"x@v.Y":2}},
            "b":{"$Type":"S.D"},
            "n":{"$Kind":"NavigationProperty","$Type":"S.E","$Nullable":true,"$Partner":"m","$OnDelete":"None",
            "$OnDelete@v.X":1,"$ReferentialConstraint":{"a":"a","a@v.X":1}},
            "m":{"$Kind":"NavigationProperty","$Type":"S.E","$Collection":true,"$ContainsTarget":true,"$Partner":"n"}},
            "D":{"$Kind":"ComplexType","$Abstract":true,"c":{"$Kind":"Property","$MaxLength":5,"$Unicode":false}},
            "B":{"$Kind":"ComplexType","$BaseType":"S.D","g":{"$Type":"Edm.GeographyPoint","$SRID":0,"$Nullable":true}},
            "F":{"$Kind":"EnumType","$UnderlyingType":"Edm.Byte","$IsFlags":true,"x":1,"x@v.X":1},
            "T":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.String","$MaxLength":5},
            "W":{"$Kind":"Term","$Type":"S.T","$Collection":true,"$BaseTerm":"v.X","$AppliesTo":["Property"]},
            "O":[{"$Kind":"Function","$IsBound":true,"$EntitySetPath":"p/n","$IsComposable":true,
            "$Parameter":[{"$Name":"p","$Type":"S.E","@v.X":1}],"$ReturnType":{"$Type":"S.E","@v.X":1}}],
            "U":[{"$Kind":"Function","$ReturnType":{}}],"A":[{"$Kind":"Action"}],
            "C":{"$Kind":"EntityContainer","Es":{"$Collection":true,"$Type":"S.E","$IncludeInServiceDocument":false,
            "$NavigationPropertyBinding":{"n":"Es"}},"One":{"$Type":"S.E","$Nullable":true},
            "UI":{"$Function":"S.U","$IncludeInServiceDocument":true},"AI":{"$Action":"S.A","$EntitySet":"Es"}},
            "$Annotations":{"S.E/a":{"@v.Z":1,"@v.Z@v.Y":2}}}}
            """#
        let document = try CSDL.document(Array(text.utf8))
        #expect(document.diagnostics.map(\.message) == [])
        try CSDLTests.checkReadingBack(document.model)
    }
}
