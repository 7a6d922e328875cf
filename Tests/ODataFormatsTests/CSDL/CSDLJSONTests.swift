import ODataFormats
import ODataMetadata
import ODataModel
import Testing

@Suite struct CSDLJSONTests {
    static let shop = """
        {"$Version": "4.01", "$EntityContainer": "Shop.Container",
         "$Reference": {"core.xml": {"$Include": [{"$Namespace": "Org.OData.Core.V1", "$Alias": "Core",
            "@Core.DefaultNamespace": true}],
           "$IncludeAnnotations": [{"$TermNamespace": "T", "$TargetNamespace": "N", "$Qualifier": "Q"}]}},
         "Shop": {"$Alias": "self", "@Core.Description": "A shop",
          "Money": {"$Kind": "TypeDefinition", "$UnderlyingType": "Edm.Decimal", "$Precision": 15, "$Scale": 2},
          "Color": {"$Kind": "EnumType", "$IsFlags": true, "$UnderlyingType": "Edm.Int64",
            "Red": 1, "Red@Core.Description": "like blood", "Green": 2, "@Core.Description": "of things"},
          "Thing": {"$Kind": "EntityType", "$Abstract": true, "$Key": ["ID", {"city": "Home/City"}],
            "ID": {"$Type": "Edm.Int32", "@Core.Computed": true}, "Home": {"$Type": "self.Address"}},
          "Address": {"$Kind": "ComplexType", "$OpenType": true, "City": {"$MaxLength": 40, "$Unicode": false}},
          "Product": {"$Kind": "EntityType", "$BaseType": "self.Thing", "$HasStream": true,
            "Price": {"$Type": "self.Money", "$Nullable": true, "$DefaultValue": 1.50},
            "Rest": {"$Type": "Edm.Decimal", "$Scale": "floating"}, "Open": {"$Type": "Edm.Boolean", "$DefaultValue": true},
            "Tags": {"$Collection": true}, "Place": {"$Type": "Edm.GeographyPoint", "$SRID": "variable"},
            "Color": {"$Type": "self.Color", "$DefaultValue": "Red"},
            "Maker": {"$Kind": "NavigationProperty", "$Type": "self.Maker", "$Partner": "Products", "$Nullable": true,
              "$ReferentialConstraint": {"Price": "ID", "Price@Core.Description": "odd"},
              "$OnDelete": "SetNull", "$OnDelete@Core.Description": "so"}},
          "Maker": {"$Kind": "EntityType", "$BaseType": "self.Thing",
            "Products": {"$Kind": "NavigationProperty", "$Collection": true, "$Type": "self.Product",
              "$ContainsTarget": true, "$Partner": "Maker"}},
          "Rate": [{"$Kind": "Action", "$IsBound": true, "$EntitySetPath": "p/Maker",
              "$Parameter": [{"$Name": "p", "$Type": "self.Product"}, {"$Name": "n", "$Type": "Edm.Int32",
                "$Nullable": true, "@Core.Description": "stars"}],
              "$ReturnType": {"$Type": "self.Maker", "@Core.Description": "who"}},
            {"$Kind": "Action", "@Core.Description": "unbound"}],
          "Top": [{"$Kind": "Function", "$IsComposable": true,
            "$ReturnType": {"$Collection": true, "$Type": "self.Product"}}],
          "Note": {"$Kind": "Term", "$Nullable": true, "$AppliesTo": ["EntitySet"], "$BaseTerm": "self.Base",
            "$DefaultValue": "x"},
          "Container": {"$Kind": "EntityContainer", "$Extends": "Other.Container", "@Core.Description": "all",
            "Products": {"$Collection": true, "$Type": "self.Product", "$IncludeInServiceDocument": false,
              "$NavigationPropertyBinding": {"Maker": "Makers"}, "@self.Note#Q": "here",
              "@self.Note#Q@Core.Description": "on a note"},
            "Makers": {"$Collection": true, "$Type": "self.Maker"},
            "Me": {"$Type": "self.Maker", "$Nullable": true},
            "Rate": {"$Action": "self.Rate"},
            "Top": {"$Function": "self.Top", "$EntitySet": "Products", "$IncludeInServiceDocument": true}},
          "$Annotations": {"self.Product/Tags": {"@self.Note": "tags"}, "Else.Where": {"@self.Note": "far"}}}}
        """

    @Test func aDocumentBecomesAModel() throws {
        let document = try CSDL.document(Array(Self.shop.utf8))
        #expect(document.format == .json && document.version == .v401)
        #expect(document.diagnostics == [])
        let schema = try #require(document.model.schemas.first)
        let product = try #require(document.model.structuredType(named: EdmQualifiedName("Shop.Product")))
        #expect(product.key == ["ID", "city"] && product.keyPaths == [["ID"], ["Home", "City"]])
        let price = try #require(product.property(named: "Price"))
        #expect(price.type == .decimal && price.precision == 15 && price.isNullable && price.defaultValue == "1.50")
        #expect(product.property(named: "Tags")?.type == .collection(.string))
        #expect(product.property(named: "Tags")?.annotation("Shop.Note") == .string("tags"))
        #expect(product.property(named: "Rest")?.scale == .floating)
        #expect(product.navigationProperty(named: "Maker")?.onDelete?.annotations.count == 1)
        #expect(schema.enumTypes.first?.members.map(\.annotations.count) == [1, 0])
        #expect(schema.operations.map(\.parameters.count) == [2, 0, 0])
        #expect(schema.operations.map(\.isBound) == [true, false, false])
        #expect(schema.terms.first?.appliesTo == ["EntitySet"])
        #expect(schema.entitySets.map(\.kind) == [.entitySet, .entitySet, .singleton])
        #expect(schema.entitySets.map(\.isInServiceDocument) == [false, true, true])
        #expect(schema.operationImports.map(\.kind) == [.action, .function])
        #expect(schema.entitySets.first?.annotations.first?.annotations.count == 1)
        #expect(schema.targetedAnnotations.map(\.target) == ["Else.Where"])
        #expect(schema.baseContainer == EdmQualifiedName("Other.Container"))
        #expect(document.model.references.first?.includedAnnotations.first?.qualifier == "Q")
        try CSDLTests.checkReadingBack(document.model)
    }

    /// Annotation values that JSON writes without their type have it beside them.
    static let values: [(member: String, value: EdmAnnotation.Value)] = [
        (##""@N.A": 5"##, .int(5)), (##""@N.A": 1.50"##, .constant(.decimal, "1.50")),
        (##""@N.A": 1e5"##, .constant(.double, "1e5")),
        (##""@N.A": 99999999999999999999"##, .constant(.decimal, "99999999999999999999")),
        (##""@N.A": "2000-01-01""##, .string("2000-01-01")),
        (##""@N.A@type": "#Date", "@N.A": "2000-01-01""##, .constant(.date, "2000-01-01")),
        (##""@N.A@odata.type": "#Edm.PropertyPath", "@N.A": "P""##, .path(.property, "P")),
        (##""@N.A@type": "#N.Color", "@N.A": "Red,Blue""##, .enumMember(EdmQualifiedName("N.Color"), ["Red", "Blue"])),
        (##""@N.A@type": "#Collection(PropertyPath)", "@N.A": ["P"]"##, .collection([.path(.property, "P")])),
        (##""@N.A": {"$Cast": "Red", "$Type": "N.Color"}"##, .enumMember(EdmQualifiedName("N.Color"), ["Red"])),
        (##""@N.A": {"$Path": "a/b"}"##, .path(.value, "a/b")),
        (
            ##""@N.A": {"@type": "x#N.R", "B": null}"##,
            .record(.init(type: EdmQualifiedName("N.R"), members: [.init(name: "B", value: .null)]))
        ),
        (
            ##""@N.A": {"$Apply": ["a"], "$Function": "odata.concat"}"##,
            .expression(.init(.apply, [.string("a")], name: "odata.concat"))
        ),
        (##""@N.A": {"$EnumMember": "Red"}"##, .string("Red")),
    ]

    @Test(arguments: values)
    func annotationValues(member: String, value: EdmAnnotation.Value) throws {
        let document = try CSDL.document(Array(#"{"$Version":"4.01","N":{\#(member)}}"#.utf8))
        #expect(document.model.schemas.first?.annotation("N.A") == value)
        try CSDLTests.checkReadingBack(document.model)
    }
}
