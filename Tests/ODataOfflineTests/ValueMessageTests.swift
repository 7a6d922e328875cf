import ODataModel
import ODataQuery
import ODataStores
import Testing

@Suite("Messages about values that the model forbids")
struct ValueMessageTests {
    private typealias Case = (declaration: String, value: EdmValue, path: String, message: String)

    private static func decimal(_ text: String) -> EdmValue { EdmDecimal(text).map(EdmValue.decimal) ?? .null }

    private static func point(_ type: String, _ coordinates: String, system: String = "4326") -> EdmValue {
        .geo(
            #"{"type":"\#(type)","coordinates":\#(coordinates),"#
                + #""crs":{"type":"name","properties":{"name":"EPSG:\#(system)"}}}"#)
    }

    /// The type and the facets of a property, a value, what follows the name of the property in the path, and the message.
    private static let cases: [Case] = [
        (#"Edm.String" MaxLength="5"#, .string("123456"), "", "takes at most 5 characters, not 6: shorten the value"),
        (#"Edm.Binary" MaxLength="2"#, .binary([1, 2, 3]), "", "takes at most 2 bytes, not 3: shorten the value"),
        (
            #"Edm.Decimal" Precision="5" Scale="2"#, decimal("123456.789"), "",
            "takes at most 2 digits after the decimal point, not 3: round the value"
        ),
        (
            #"Edm.Decimal" Precision="5" Scale="2"#, decimal("12345"), "",
            "takes at most 3 digits before the decimal point, not 5: give a smaller value"
        ),
        (
            #"Edm.Decimal" Precision="4" Scale="variable"#, decimal("12.345"), "",
            "takes at most 4 digits, not 5: round the value"
        ),
        (
            #"Edm.Decimal" Precision="4" Scale="variable"#, decimal("0.00001"), "",
            "takes at most 4 digits after the decimal point, not 5: round the value"
        ),
        (
            #"Edm.Decimal" Precision="4" Scale="floating"#, decimal("1.2345"), "",
            "takes at most 4 digits, not 5: round the value"
        ),
        (#"Edm.String" Unicode="false"#, .string("aä"), "", "takes ASCII characters only, not “ä”: replace it"),
        (
            #"Edm.GeographyPoint" SRID="4326"#, point("Point", "[1,2]", system: "3857"), "",
            "takes coordinates of the reference system 4326, not 3857: transform the value"
        ),
        (
            "Edm.GeographyPoint", point("LineString", "[[1,2],[3,4]]"), "",
            "takes values of Edm.GeographyPoint, not an object"
        ),
        (
            #"Edm.TimeOfDay" Precision="0"#, EdmTimeOfDay("10:00:00.5").map(EdmValue.timeOfDay) ?? .null, "",
            "takes at most 0 digits of fractional seconds: round the value"
        ),
        ("Edm.Byte", .integer(300), "", "takes values of Edm.Byte, not 300"),
        (
            "NS.Color", .enumeration(EdmQualifiedName("NS.Color"), "Green"), "",
            "takes members of NS.Color, not “Green”: use Red, Blue"
        ),
        ("NS.Code", .string("abcd"), "", "takes at most 3 characters, not 4: shorten the value"),
        (#"Edm.String" Nullable="false" DefaultValue="x"#, .null, "", "must not be null: give it a value"),
        (
            "NS.Place", .complex(["Zip": .string("123456")]), "/Zip",
            "takes at most 5 characters, not 6: shorten the value"
        ),
        (
            "NS.Place", .complex(["Codes": .collection([.string("a"), .string("abcd")])]), "/Codes/1",
            "takes at most 3 characters, not 4: shorten the value"
        ),
        (
            #"Collection(Edm.String)" Nullable="false" MaxLength="4"#, .collection([.string("a"), .string("12345")]),
            "/1",
            "takes at most 4 characters, not 5: shorten the value"
        ),
    ]

    private static var schema: String {
        let properties = cases.enumerated().map { #"<Property Name="P\#($0)" Type="\#($1.declaration)"/>"# }
        return """
            <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
            <TypeDefinition Name="Code" UnderlyingType="Edm.String" MaxLength="3"/>
            <ComplexType Name="Place"><Property Name="Zip" Type="Edm.String" MaxLength="5"/>
              <Property Name="Codes" Type="Collection(NS.Code)"/></ComplexType>
            <EntityType Name="P"><Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties.joined())</EntityType>
            <Action Name="Try"><Parameter Name="Code" Type="NS.Code"/></Action>
            <EntityContainer Name="C"><EntitySet Name="Ps" EntityType="NS.P"/>
              <ActionImport Name="Try" Action="NS.Try"/></EntityContainer>
            """
    }

    @Test("A fault has one message in tables, in the queue of a device and through the service, and nothing changes")
    func messages() async throws {
        let service = try ModelService(schema: Self.schema)
        try await service.create("Ps", #"{"ID":1}"#)
        let (device, folder) = try await service.device(["Ps"])
        defer { withExtendedLifetime(folder) {} }
        let stores: [(String, any ODataStore)] = [
            ("tables", service.tables), ("device", device), ("service", service.online),
        ]
        for (index, fault) in Self.cases.enumerated() {
            let payload = EntityPayload(EdmComplexValue([.init(name: "P\(index)", value: fault.value)]))
            let request = ChangeRequest(try service.path("Ps(1)"), .update(payload))
            let expected = "The property P\(index)\(fault.path) \(fault.message)."
            for (place, store) in stores {
                let error = await #expect(throws: ODataError.self, "\(place): \(expected)") {
                    try await store.change(request)
                }
                #expect(error?.code == .badRequest, "\(place): \(expected)")
                #expect(error?.message.contains(expected) == true, "\(place): \(error?.message ?? "") – \(expected)")
            }
        }
        #expect(try await device.queueEntries().isEmpty)
    }

    @Test("A parameter of an action is checked before the call is queued")
    func parameters() async throws {
        let service = try ModelService(schema: Self.schema)
        let (device, folder) = try await service.device(["Ps"])
        defer { withExtendedLifetime(folder) {} }
        for (arguments, message) in [
            (["Code": .string("abcd")], "The parameter Code takes at most 3 characters, not 4: shorten the value."),
            (["Code": .integer(1), "More": .integer(2)], "NS.Try has no parameter More."),
        ] as [(EdmComplexValue, String)] {
            let error = await #expect(throws: ODataError.self) {
                try await device.change(ChangeRequest(try service.path("Try"), .call(arguments: arguments)))
            }
            #expect(error?.message == message)
        }
        #expect(try await device.queueEntries().isEmpty)
        _ = try await device.change(ChangeRequest(try service.path("Try"), .call(arguments: ["Code": .string("abc")])))
        #expect(try await device.queueEntries().count == 1)
    }
}
