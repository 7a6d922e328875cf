import ODataModel
import ODataOffline
import ODataQuery
import ODataStores
import Testing

@Suite("Values that the metadata forbid")
struct ForbiddenValueTests {
    private static let schema = """
        <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
        <EnumType Name="Marks" IsFlags="true"><Member Name="A" Value="1"/><Member Name="B" Value="2"/></EnumType>
        <TypeDefinition Name="Code" UnderlyingType="Edm.String" MaxLength="3"/>
        <ComplexType Name="Inner"><Property Name="Amount" Type="Edm.Decimal" Precision="3" Scale="1"/></ComplexType>
        <ComplexType Name="Place"><Property Name="Zip" Type="Edm.String" MaxLength="5"/>
          <Property Name="Must" Type="Edm.String" Nullable="false" DefaultValue="x"/>
          <Property Name="Inner" Type="NS.Inner"/><Property Name="Codes" Type="Collection(NS.Code)"/></ComplexType>
        <ComplexType Name="Street" BaseType="NS.Place"><Property Name="Number" Type="Edm.Byte"/></ComplexType>
        <EntityType Name="P"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Price" Type="Edm.Decimal" Precision="5" Scale="2"/>
          <Property Name="Whole" Type="Edm.Decimal" Precision="5"/>
          <Property Name="Free" Type="Edm.Decimal"/>
          <Property Name="Variable" Type="Edm.Decimal" Precision="4" Scale="variable"/>
          <Property Name="Floating" Type="Edm.Decimal" Precision="4" Scale="floating"/>
          <Property Name="Name" Type="Edm.String" MaxLength="4"/><Property Name="Bytes" Type="Edm.Binary" MaxLength="2"/>
          <Property Name="Code" Type="NS.Code"/>
          <Property Name="At" Type="Edm.DateTimeOffset" Precision="3"/>
          <Property Name="Time" Type="Edm.TimeOfDay" Precision="0"/>
          <Property Name="Span" Type="Edm.Duration" Precision="1"/>
          <Property Name="Number" Type="Edm.Double"/><Property Name="Single" Type="Edm.Single"/>
          <Property Name="Small" Type="Edm.SByte"/>
          <Property Name="Color" Type="NS.Color"/><Property Name="Marks" Type="NS.Marks"/>
          <Property Name="Place" Type="NS.Place"/><Property Name="Places" Type="Collection(NS.Place)" Nullable="false"/>
          <Property Name="Names" Type="Collection(Edm.String)" Nullable="false" MaxLength="4"/>
          <Property Name="Prices" Type="Collection(Edm.Decimal)" Precision="3" Scale="1"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Ps" EntityType="NS.P"/></EntityContainer>
        """

    /// Values that the reader of payloads takes, and the property that the refusal names.
    private static let refused: [(property: String, value: EdmValue)] = [
        ("Price", .decimal(EdmDecimal(12345))), ("Price", decimal("1.005")), ("Price", .double(0.125)),
        ("Whole", decimal("1.5")), ("Whole", .integer(123456)), ("Variable", decimal("12.345")),
        ("Floating", decimal("1.2345")), ("Name", .string("12345")), ("Bytes", .binary([1, 2, 3])),
        ("Code", .string("abcd")), ("At", instant("2024-01-01T00:00:00.1234Z")), ("Time", time("10:00:00.5")),
        ("Span", duration("PT1.25S")), ("Single", .double(1e300)),
        ("Small", .integer(200)), ("Color", .string("Green")), ("Color", .enumeration(color, "Green")),
        ("Color", .integer(3)), ("Marks", .string("A,C")), ("Marks", .integer(4)),
        ("Place/Zip", place(["Zip": .string("123456")])), ("Place/Must", place(["Must": .null])),
        ("Place/Inner/Amount", place(["Inner": .complex(["Amount": decimal("1.25")])])),
        ("Place/Codes/0", place(["Codes": .collection([.string("abcd")])])),
        ("Place/Codes", place(["Codes": .string("abc")])), ("Place/Other", place(["Other": .string("abc")])),
        ("Place/Number", .complex(EdmComplexValue([.init(name: "Number", value: .integer(300))], type: street))),
        ("Place", .string("abc")), ("Places/0/Zip", .collection([place(["Zip": .string("123456")])])),
        ("Names/1", .collection([.string("a"), .null])), ("Names/0", .collection([.string("12345")])),
        ("Prices/0", .collection([decimal("1.25")])),
    ]

    private static let taken: [(property: String, value: EdmValue)] = [
        ("Price", decimal("999.99")), ("Price", .integer(999)), ("Price", decimal("1.500")), ("Whole", .integer(12345)),
        ("Free", decimal("123456.789")), ("Variable", decimal("1.234")), ("Floating", decimal("0.0001234")),
        ("Floating", decimal("123400")), ("Name", .string("äöüß")), ("Code", .string("abc")),
        ("At", instant("2024-01-01T00:00:00.123Z")), ("Time", time("10:00:00")), ("Span", duration("PT1.5S")),
        ("Number", .integer(1)), ("Number", .double(.infinity)), ("Number", .double(.nan)), ("Single", .double(.nan)),
        ("Single", .double(0.5)), ("Color", .string("Red")),
        ("Marks", .string("A,B")), ("Marks", .integer(3)), ("Place", place(["Zip": .string("12345")])),
        ("Place", .complex(EdmComplexValue([.init(name: "Number", value: .integer(255))], type: street))),
        ("Names", .collection([.string("1234")])), ("Prices", .collection([decimal("12.5"), .null])),
    ]

    @Test("A new entity has empty collections where none are given")
    func collections() async throws {
        let service = try ModelService(schema: Self.schema)
        let (store, folder) = try await service.device(["Ps"])
        defer { withExtendedLifetime(folder) {} }
        try await service.request("Ps", #"{"ID":1}"#, on: store, creates: true)
        for name in ["Places", "Names", "Prices"] {
            let entity = try await store.entities(try service.parser.query("Ps(1)")).first
            #expect(entity?[name] == .collection([]), "\(name)")
        }
        #expect(try await store.upload().isComplete)
    }

    private static let color = EdmQualifiedName("NS.Color")
    private static let street = EdmQualifiedName("NS.Street")
    private static func decimal(_ text: String) -> EdmValue { EdmDecimal(text).map(EdmValue.decimal) ?? .null }
    private static func instant(_ text: String) -> EdmValue {
        EdmDateTimeOffset(text).map(EdmValue.dateTimeOffset) ?? .null
    }
    private static func time(_ text: String) -> EdmValue { EdmTimeOfDay(text).map(EdmValue.timeOfDay) ?? .null }
    private static func duration(_ text: String) -> EdmValue { EdmDuration(text).map(EdmValue.duration) ?? .null }
    private static func place(_ members: EdmComplexValue) -> EdmValue { .complex(members) }

    @Test("They are refused by the name of the property, offline as by the service, and nothing changes")
    func refuses() async throws {
        let service = try ModelService(schema: Self.schema)
        try await service.create("Ps", #"{"ID":1,"Names":[],"Places":[]}"#)
        let (device, folder) = try await service.device(["Ps"])
        defer { withExtendedLifetime(folder) {} }
        let stores: [(String, any ODataStore)] = [("tables", service.tables), ("device", device)]
        for (property, value) in Self.refused {
            let name = String(property.prefix { $0 != "/" })
            let wrong = EntityPayload([name: value])
            let new = EntityPayload(["ID": .integer(2), name: value])
            for (place, store) in stores {
                for request in [
                    ChangeRequest(try service.path("Ps(1)"), .update(wrong)),
                    ChangeRequest(try service.path("Ps"), .create(new)),
                ] {
                    await #expect("\(place): \(property) \(value)") {
                        try await store.change(request)
                    } throws: { error in
                        (error as? ODataError)?.code == .badRequest && "\(error)".contains("property \(property) ")
                    }
                }
            }
        }
        #expect(try await device.queueEntries().isEmpty)
        #expect(try await service.names("Ps", on: device).count == 1)
        #expect(try await service.names("Ps", on: service.tables).count == 1)
    }

    @Test("What they allow is taken, and arrives")
    func takes() async throws {
        let service = try ModelService(schema: Self.schema)
        try await service.create("Ps", #"{"ID":1,"Names":[],"Places":[]}"#)
        let (device, folder) = try await service.device(["Ps"])
        defer { withExtendedLifetime(folder) {} }
        for (property, value) in Self.taken {
            let payload = EntityPayload([property: value])
            _ = try await device.change(ChangeRequest(try service.path("Ps(1)"), .update(payload)))
            #expect(try await device.upload().isComplete, "\(property) \(value)")
            let here = try await device.entities(try service.parser.query("Ps(1)")).first?[property]
            let there = try await service.tables.entities(try service.parser.query("Ps(1)")).first?[property]
            #expect(here?.isNull == false)
            #expect(here?.lexical == there?.lexical, "\(property) \(value)")
        }
    }
}
