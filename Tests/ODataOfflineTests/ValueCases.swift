import ODataModel

/// Values that the model forbids, for each type and facet.
struct ValueCase {
    /// The type and the facets of a property: `Edm.String" MaxLength="5`
    let declaration: String
    let value: EdmValue
    /// What follows the name of the property in the path of the message: `/Zip`
    let path: String
    /// The message after the path.
    let message: String

    init(_ declaration: String, _ value: EdmValue, at path: String = "", _ message: String) {
        self.declaration = declaration
        self.value = value
        self.path = path
        self.message = message
    }

    static let all = types + facets + geo + enumerations + nullability + collections + nested

    /// The types that ``all`` declares properties of.
    static let declarations = """
        <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
        <EnumType Name="Marks" IsFlags="true"><Member Name="A" Value="1"/><Member Name="B" Value="2"/></EnumType>
        <TypeDefinition Name="Code" UnderlyingType="Edm.String" MaxLength="3"/>
        <TypeDefinition Name="Plain" UnderlyingType="Edm.String" Unicode="false"/>
        <TypeDefinition Name="Amount" UnderlyingType="Edm.Decimal" Precision="4" Scale="1"/>
        <TypeDefinition Name="Stamp" UnderlyingType="Edm.DateTimeOffset" Precision="0"/>
        <TypeDefinition Name="Mark" UnderlyingType="Edm.Binary" MaxLength="1"/>
        <TypeDefinition Name="Spot" UnderlyingType="Edm.GeometryPoint" SRID="25832"/>
        <ComplexType Name="Inner"><Property Name="Amount" Type="Edm.Decimal" Precision="3" Scale="1"/></ComplexType>
        <ComplexType Name="Place"><Property Name="Zip" Type="Edm.String" MaxLength="5"/>
          <Property Name="Must" Type="Edm.String" Nullable="false" DefaultValue="x"/>
          <Property Name="Inner" Type="NS.Inner"/><Property Name="Colors" Type="Collection(NS.Color)"/>
          <Property Name="Codes" Type="Collection(NS.Code)" Nullable="false"/>
          <Property Name="Inners" Type="Collection(NS.Inner)" Nullable="false"/></ComplexType>
        <ComplexType Name="Street" BaseType="NS.Place"><Property Name="Number" Type="Edm.Byte"/></ComplexType>
        """

    private static let types = [
        ValueCase("Edm.Boolean", .string("true"), "takes values of Edm.Boolean, not “true”"),
        ValueCase("Edm.Byte", .integer(300), "takes values of Edm.Byte, not 300"),
        ValueCase("Edm.SByte", .integer(200), "takes values of Edm.SByte, not 200"),
        ValueCase("Edm.Int16", .integer(40_000), "takes values of Edm.Int16, not 40000"),
        ValueCase("Edm.Int32", .integer(3_000_000_000), "takes values of Edm.Int32, not 3000000000"),
        ValueCase("Edm.Int64", .double(1.5), "takes values of Edm.Int64, not 1.5"),
        ValueCase("Edm.Single", .string("x"), "takes values of Edm.Single, not “x”"),
        ValueCase("Edm.Double", .boolean(true), "takes values of Edm.Double, not true"),
        ValueCase("Edm.Decimal", .boolean(false), "takes values of Edm.Decimal, not false"),
        ValueCase("Edm.String", .integer(1), "takes values of Edm.String, not 1"),
        ValueCase("Edm.Binary", .string("§"), "takes values of Edm.Binary, not “§”"),
        ValueCase("Edm.Guid", .string("x"), "takes values of Edm.Guid, not “x”"),
        ValueCase("Edm.Date", .string("2024-02-30"), "takes values of Edm.Date, not “2024-02-30”"),
        ValueCase("Edm.DateTimeOffset", .string("now"), "takes values of Edm.DateTimeOffset, not “now”"),
        ValueCase("Edm.TimeOfDay", .string("25:00"), "takes values of Edm.TimeOfDay, not “25:00”"),
        ValueCase("Edm.Duration", .string("1h"), "takes values of Edm.Duration, not “1h”"),
        ValueCase("NS.Place", .string("abc"), "takes a NS.Place, not “abc”"),
        ValueCase("NS.Place", .collection([]), "takes a NS.Place, not an array"),
        ValueCase(
            "NS.Place", .complex(EdmComplexValue([], type: EdmQualifiedName("NS.Inner"))),
            "takes a NS.Place, not a NS.Inner"),
        ValueCase("Edm.Int32", .complex(["A": .integer(1)]), "takes values of Edm.Int32, not an object"),
        ValueCase("Edm.Int32", .collection([.integer(1)]), "takes values of Edm.Int32, not an array"),
    ]

    private static let facets = [
        ValueCase(
            #"Edm.String" MaxLength="5"#, .string("123456"), "takes at most 5 characters, not 6: shorten the value"),
        ValueCase(#"Edm.String" Unicode="false"#, .string("aä"), "takes ASCII characters only, not “ä”: replace it"),
        ValueCase(#"Edm.Binary" MaxLength="2"#, .binary([1, 2, 3]), "takes at most 2 bytes, not 3: shorten the value"),
        ValueCase(
            #"Edm.Decimal" Precision="5" Scale="2"#, decimal("123456.789"),
            "takes at most 2 digits after the decimal point, not 3: round the value"),
        ValueCase(
            #"Edm.Decimal" Precision="5" Scale="2"#, decimal("12345"),
            "takes at most 3 digits before the decimal point, not 5: give a smaller value"),
        ValueCase(
            #"Edm.Decimal" Precision="5"#, decimal("1.5"),
            "takes at most 0 digits after the decimal point, not 1: round the value"),
        ValueCase(
            #"Edm.Decimal" Precision="4" Scale="variable"#, decimal("12.345"),
            "takes at most 4 digits, not 5: round the value"),
        ValueCase(
            #"Edm.Decimal" Precision="4" Scale="variable"#, decimal("0.00001"),
            "takes at most 4 digits after the decimal point, not 5: round the value"),
        ValueCase(
            #"Edm.Decimal" Precision="4" Scale="floating"#, decimal("1.2345"),
            "takes at most 4 digits, not 5: round the value"),
        ValueCase(
            #"Edm.TimeOfDay" Precision="0"#, EdmTimeOfDay("10:00:00.5").map(EdmValue.timeOfDay) ?? .null,
            "takes at most 0 digits of fractional seconds: round the value"),
        ValueCase(
            #"Edm.DateTimeOffset" Precision="3"#, instant("2024-01-01T00:00:00.1234Z"),
            "takes at most 3 digits of fractional seconds: round the value"),
        ValueCase(
            #"Edm.Duration" Precision="1"#, EdmDuration("PT1.25S").map(EdmValue.duration) ?? .null,
            "takes at most 1 digits of fractional seconds: round the value"),
        ValueCase("NS.Code", .string("abcd"), "takes at most 3 characters, not 4: shorten the value"),
        ValueCase("NS.Plain", .string("ß"), "takes ASCII characters only, not “ß”: replace it"),
        ValueCase(
            #"NS.Plain" MaxLength="1"#, .string("ab"), "takes at most 1 characters, not 2: shorten the value"),
        ValueCase(
            "NS.Amount", decimal("1.25"), "takes at most 1 digits after the decimal point, not 2: round the value"),
        ValueCase(
            "NS.Stamp", instant("2024-01-01T00:00:00.5Z"),
            "takes at most 0 digits of fractional seconds: round the value"),
        ValueCase("NS.Mark", .binary([1, 2]), "takes at most 1 bytes, not 2: shorten the value"),
    ]

    private static let geo =
        ["Geography", "Geometry"].flatMap { kind -> [ValueCase] in
            let others = ["LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "Collection"].map {
                ValueCase(
                    "Edm.\(kind)\($0)", point("Point", "[1,2]"), "takes values of Edm.\(kind)\($0), not an object")
            }
            return others + [
                ValueCase(
                    "Edm.\(kind)Point", point("LineString", "[[1,2],[3,4]]"),
                    "takes values of Edm.\(kind)Point, not an object"),
                ValueCase("Edm.\(kind)", .string("here"), "takes values of Edm.\(kind), not “here”"),
                ValueCase(
                    #"Edm.\#(kind)Point" SRID="4326"#, point("Point", "[1,2]", system: "3857"),
                    "takes coordinates of the reference system 4326, not 3857: transform the value"),
                ValueCase(
                    #"Collection(Edm.\#(kind)LineString)" SRID="4326"#,
                    .collection([point("LineString", "[[1,2],[3,4]]", system: "1")]), at: "/0",
                    "takes coordinates of the reference system 4326, not 1: transform the value"),
            ]
        } + [
            ValueCase(
                "NS.Spot", point("Point", "[1,2]"),
                "takes coordinates of the reference system 25832, not 4326: transform the value")
        ]

    private static let enumerations = [
        ValueCase(
            "NS.Color", .enumeration(EdmQualifiedName("NS.Color"), "Green"),
            "takes members of NS.Color, not “Green”: use Red, Blue"),
        ValueCase("NS.Color", .string("Red,Blue"), "takes members of NS.Color, not “Red,Blue”: use Red, Blue"),
        ValueCase("NS.Color", .integer(3), "takes members of NS.Color, not 3: use Red, Blue"),
        ValueCase("NS.Color", .boolean(true), "takes members of NS.Color, not true: use Red, Blue"),
        ValueCase("NS.Marks", .string("A,C"), "takes members of NS.Marks, not “A,C”: use A, B"),
        ValueCase("NS.Marks", .integer(4), "takes members of NS.Marks, not 4: use A, B"),
    ]

    private static let nullability =
        [
            "Edm.Int32\" Nullable=\"false\" DefaultValue=\"1", "NS.Color\" Nullable=\"false\" DefaultValue=\"Red",
            "Edm.String\" Nullable=\"false\" DefaultValue=\"x",
            "Edm.Date\" Nullable=\"false\" DefaultValue=\"2024-01-01",
            "Edm.Boolean\" Nullable=\"false\" DefaultValue=\"true", "NS.Code\" Nullable=\"false\" DefaultValue=\"x",
        ].map { ValueCase($0, .null, "must not be null: give it a value") } + [
            ValueCase("NS.Place", .complex(["Must": .null]), at: "/Must", "must not be null: give it a value"),
            ValueCase(
                #"Collection(Edm.String)" Nullable="false"#, .collection([.string("a"), .null]), at: "/1",
                "must not be null: give it a value"),
            ValueCase(
                "NS.Place", .complex(["Codes": .collection([.null])]), at: "/Codes/0",
                "must not be null: give it a value"),
            ValueCase(
                #"Collection(NS.Place)" Nullable="false"#, .collection([.complex(["Must": .null])]), at: "/0/Must",
                "must not be null: give it a value"),
        ]

    private static let collections = [
        ValueCase("Collection(Edm.String)", .string("abc"), "takes a collection, not “abc”"),
        ValueCase("Collection(NS.Place)", .complex(["Zip": .string("1")]), "takes a collection, not an object"),
        ValueCase(
            #"Collection(Edm.String)" MaxLength="4"#, .collection([.string("a"), .string("12345")]), at: "/1",
            "takes at most 4 characters, not 5: shorten the value"),
        ValueCase(
            #"Collection(Edm.Decimal)" Precision="3" Scale="1"#, .collection([.null, decimal("1.25")]), at: "/1",
            "takes at most 1 digits after the decimal point, not 2: round the value"),
        ValueCase(
            "Collection(Edm.Byte)", .collection([.integer(1), .integer(-1)]), at: "/1",
            "takes values of Edm.Byte, not -1"),
        ValueCase(
            "Collection(Edm.Byte)", .collection([.collection([.integer(1)])]), at: "/0",
            "takes values of Edm.Byte, not an array"),
        ValueCase(
            "Collection(NS.Color)", .collection([.string("Red"), .string("Pink")]), at: "/1",
            "takes members of NS.Color, not “Pink”: use Red, Blue"),
        ValueCase(
            "Collection(NS.Code)", .collection([.string("abcd")]), at: "/0",
            "takes at most 3 characters, not 4: shorten the value"),
    ]

    private static let nested = [
        ValueCase(
            "NS.Place", .complex(["Zip": .string("123456")]), at: "/Zip",
            "takes at most 5 characters, not 6: shorten the value"),
        ValueCase("NS.Place", .complex(["Zip": .integer(1)]), at: "/Zip", "takes values of Edm.String, not 1"),
        ValueCase("NS.Place", .complex(["Other": .string("x")]), at: "/Other", "is not declared by NS.Place"),
        ValueCase(
            "NS.Place", .complex(["Codes": .collection([.string("a"), .string("abcd")])]), at: "/Codes/1",
            "takes at most 3 characters, not 4: shorten the value"),
        ValueCase("NS.Place", .complex(["Codes": .string("a")]), at: "/Codes", "takes a collection, not “a”"),
        ValueCase(
            "NS.Place", .complex(["Inner": .complex(["Amount": decimal("1.25")])]), at: "/Inner/Amount",
            "takes at most 1 digits after the decimal point, not 2: round the value"),
        ValueCase(
            "NS.Place", .complex(["Inners": .collection([.complex(["Amount": .integer(100)])])]),
            at: "/Inners/0/Amount", "takes at most 2 digits before the decimal point, not 3: give a smaller value"),
        ValueCase(
            "NS.Place", .complex(["Colors": .collection([.string("Pink")])]), at: "/Colors/0",
            "takes members of NS.Color, not “Pink”: use Red, Blue"),
        ValueCase(
            "NS.Place",
            .complex(
                EdmComplexValue([.init(name: "Number", value: .integer(300))], type: EdmQualifiedName("NS.Street"))),
            at: "/Number", "takes values of Edm.Byte, not 300"),
        ValueCase(
            #"Collection(NS.Place)" Nullable="false"#,
            .collection([.complex(["Zip": .string("1")]), .complex(["Zip": .string("123456")])]), at: "/1/Zip",
            "takes at most 5 characters, not 6: shorten the value"),
    ]

    private static func decimal(_ text: String) -> EdmValue { EdmDecimal(text).map(EdmValue.decimal) ?? .null }

    private static func instant(_ text: String) -> EdmValue {
        EdmDateTimeOffset(text).map(EdmValue.dateTimeOffset) ?? .null
    }

    private static func point(_ type: String, _ coordinates: String, system: String = "4326") -> EdmValue {
        .geo(
            #"{"type":"\#(type)","coordinates":\#(coordinates),"#
                + #""crs":{"type":"name","properties":{"name":"EPSG:\#(system)"}}}"#)
    }
}
