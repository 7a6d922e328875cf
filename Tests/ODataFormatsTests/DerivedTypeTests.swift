import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite struct DerivedTypeTests {
    static let mixed = ##"""
        {"value":[
        {"@odata.type":"#Drinks.Tea","ID":1,"Name":"Earl","Colour":"red","Since@odata.type":"#Date","Since":"2024-01-02",
         "Steeping":"PT3M","Taste@odata.type":"#Drinks.Taste","Taste":"Sour","Small":7,"Deep":{"a":[1,null]},
         "@Core.Note":{"x":1},"Name@Core.Note":"n"},
        {"ID":2,"Name":"Water","Home":{"@odata.type":"#Drinks.Hill","City":"Ulm","Height":12.50,"Moss":true}},
        {"@type":"http://h/$metadata#Drinks.GreenTea","ID":3,"Garden":"Uji"},
        {"@odata.type":"Drinks.Coffee","Roast":5,"ID":4},
        {"@odata.type":"#Drinks.Beer","ID":5,"Hops":1},{"@odata.type":"#Drinks.Beer","ID":6}
        ]}
        """##

    @Test(arguments: [1, 50, 1 << 20])
    func derivedTypesAndDynamicPropertiesAreRead(chunk: Int) async throws {
        let shape = try DrinkModel.shape()
        let blocks = try await JSONEntityReader(Self.mixed, shape: shape, chunk: chunk).blocks()
        let entities = blocks.flatMap { EntityAssembler(shape: shape).entities(in: $0) }
        #expect(entities.map(\.type.name.name) == ["Tea", "Drink", "GreenTea", "Coffee", "Drink", "Drink"])
        let since = try #require(EdmDate("2024-01-02"))
        let steeping = try #require(EdmDuration("PT3M"))
        let first: EdmComplexValue = [
            "ID": .integer(1), "Name": .string("Earl"), "Steeping": .duration(steeping), "Colour": .string("red"),
            "Since": .date(since), "Taste": .enumeration(DrinkModel.name("Taste"), "Sour"), "Small": .integer(7),
            "Deep": .complex(["a": .collection([.integer(1), .null])]),
        ]
        #expect(entities[0].properties == first)
        let home = EdmComplexValue(
            [
                .init(name: "City", value: .string("Ulm")),
                .init(name: "Height", value: .decimal(try #require(EdmDecimal("12.5")))),
                .init(name: "Moss", value: .boolean(true)),
            ], type: DrinkModel.name("Hill"))
        #expect(entities[1]["Home"] == .complex(home))
        #expect(entities[3].properties == ["ID": .integer(4), "Roast": .integer(5)])
        let diagnostics = blocks.flatMap(\.diagnostics)
        #expect(diagnostics.count == 1)
        #expect(diagnostics.first?.message.contains("Drinks.Beer") == true)
    }

    @Test func typesThatAreNotTheDeclaredOneAreWritten() async throws {
        let shape = try DrinkModel.shape()
        let text = try await JSONEntityWriterTests.written(Self.mixed, shape: shape)
        let expected = ##"""
            {"value":[{"@odata.type":"#Drinks.Tea","ID":1,"Name":"Earl","Steeping":"PT3M","Colour":"red",
            "Since@odata.type":"#Date","Since":"2024-01-02","Taste@odata.type":"#Drinks.Taste","Taste":"Sour","Small":7,
            "Deep":{"a":[1,null]}},
            {"ID":2,"Name":"Water","Home":{"@odata.type":"#Drinks.Hill","City":"Ulm","Height":12.50,"Moss":true}},
            {"@odata.type":"#Drinks.GreenTea","ID":3,"Garden":"Uji"},
            {"@odata.type":"#Drinks.Coffee","ID":4,"Roast":5},
            {"ID":5,"Hops":1},{"ID":6}]}
            """##
        #expect(text == expected.replacing("\n", with: ""))
        #expect(try await JSONEntityReader(text, shape: shape).entities().count == 6)
    }

    @Test func shortNamesAndNoMetadataRewriteWhatIsInside() async throws {
        let shape = try DrinkModel.shape()
        var options = JSONWriterOptions()
        options.usesShortNames = true
        let short = try await JSONEntityWriterTests.written(Self.mixed, shape: shape, options: options)
        #expect(short.contains(##"{"@type":"#Drinks.Tea","ID":1"##))
        #expect(short.contains(#""Since@type":"Date","Since":"2024-01-02""#))
        #expect(short.contains(##""Home":{"@type":"#Drinks.Hill","City":"Ulm","Height":12.5,"Moss":true}"##))
        #expect(!short.contains("odata."))
        options.metadata = .none
        let bare = try await JSONEntityWriterTests.written(Self.mixed, shape: shape, options: options)
        #expect(!bare.contains("@"))
        #expect(bare.contains(#""Taste":"Sour","Small":7"#))
    }

    @Test func fullMetadataTellsTypesLinksAndCasts() async throws {
        var options = JSONWriterOptions()
        options.metadata = .full
        let text = ##"{"@odata.type":"#Drinks.Coffee","@odata.id":"Drinks(4)","ID":4,"Roast":5,"Home":{"City":"Ulm"}}"##
        let written = try await JSONEntityWriterTests.written(
            text, shape: DrinkModel.shape(), kind: .entity, options: options)
        let expected = ##"""
            {"@odata.type":"#Drinks.Coffee","@odata.id":"Drinks(4)","@odata.editLink":"Drinks(4)/Drinks.Coffee",
            "ID@odata.type":"#Int32","ID":4,"Home@odata.type":"#Drinks.Place",
            "Home":{"@odata.type":"#Drinks.Place","City":"Ulm"},"Roast@odata.type":"#Int64","Roast":5,
            "Shop@odata.associationLink":"Drinks(4)/Drinks.Coffee/Shop/$ref",
            "Shop@odata.navigationLink":"Drinks(4)/Drinks.Coffee/Shop",
            "Mixes@odata.associationLink":"Drinks(4)/Drinks.Coffee/Mixes/$ref",
            "Mixes@odata.navigationLink":"Drinks(4)/Drinks.Coffee/Mixes",
            "Roaster@odata.associationLink":"Drinks(4)/Drinks.Coffee/Roaster/$ref",
            "Roaster@odata.navigationLink":"Drinks(4)/Drinks.Coffee/Roaster"}
            """##
        #expect(written == expected.replacing("\n", with: ""))
    }

    @Test func dynamicPropertiesOfExpandedEntitiesStayWithThem() async throws {
        let shape = try DrinkModel.shape(expands: ["Shop", "Mixes"])
        let text = ##"""
            {"value":[{"@odata.type":"#Drinks.Tea","ID":1,"A":1,"Shop":{"ID":9,"B":2,"Any":[1,"x",{"y":null}],"C":3},
            "Mixes":[{"@odata.type":"#Drinks.Coffee","ID":2,"Roast":1}],"D":4}]}
            """##
        let entity = try #require(try await JSONEntityReader(text, shape: shape).entities().first)
        #expect(entity.properties == ["ID": .integer(1), "A": .integer(1), "D": .integer(4)])
        guard case .one(let shop?) = entity.expanded["Shop"], case .many(let mixes, _) = entity.expanded["Mixes"] else {
            Issue.record("nothing is expanded")
            return
        }
        let any = EdmValue.collection([.integer(1), .string("x"), .complex(["y": .null])])
        #expect(shop.properties == ["ID": .integer(9), "Any": any, "B": .integer(2), "C": .integer(3)])
        #expect(mixes.map(\.type.name.name) == ["Coffee"])
        let written = try await JSONEntityWriterTests.written(text, shape: shape)
        #expect(written.contains(#""Shop":{"ID":9,"Any":[1,"x",{"y":null}],"B":2,"C":3}"#))
        #expect(written.contains(##""Mixes":[{"@odata.type":"#Drinks.Coffee","ID":2"##))
    }

    @Test func propertiesNamedByPathsAreNested() async throws {
        let model = try DrinkModel.make()
        let type = EdmStructuredType(
            declaration: .init(
                name: DrinkModel.name("Drink"),
                properties: [
                    EdmProperty(name: "Shop/Owner/Name", type: .string), EdmProperty(name: "Year", type: .int32),
                    EdmProperty(name: "Shop/City", type: .string),
                    EdmProperty(name: "Shop/Drinks.Cafe/Seats", type: .int64),
                    EdmProperty(name: "Total", type: .decimal),
                ]))
        let shape = RowShape(model: model, entitySet: nil, type: type)
        let text = #"""
            {"value":[{"Shop":{"Owner":{"Name":"A"},"City":"Ulm","Seats":4},"Year":1,"Total":2.5},
            {"Year":2,"Shop":{"Owner":null,"x":[1]}},{"Shop":null}]}
            """#
        let entities = try await JSONEntityReader(text, shape: shape, chunk: 3).entities()
        let shop = EdmValue.complex([
            "Owner": .complex(["Name": .string("A")]), "City": .string("Ulm"), "Seats": .integer(4),
        ])
        let total = try #require(EdmDecimal("2.5"))
        #expect(entities[0].properties == ["Year": .integer(1), "Total": .decimal(total), "Shop": shop])
        var options = JSONWriterOptions()
        options.metadata = .none
        #expect(
            try await JSONEntityWriterTests.written(text, shape: shape, options: options)
                == #"""
                {"value":[{"Shop":{"Owner":{"Name":"A"},"City":"Ulm","Seats":4},"Year":1,"Total":2.5},
                {"Shop":{"Owner":{"Name":null}},"Year":2},{"Shop":{"Owner":{"Name":null},"City":null,"Seats":null}}]}
                """#.replacing("\n", with: ""))
    }

    @Test(arguments: [
        #"{"value":[{"ID":1,"ID":2}]}"#, #"{"value":[{"Shop":null,"Shop":null}]}"#,
        ##"{"value":[{"@odata.type":"#Drinks.Tea","A":1,"B":2,"A":3}]}"##, #"{"value":[{"@odata.id":"a","@id":"b"}]}"#,
        #"{"value":[{"ID":1,"Home":null,"Home":{}}]}"#,
    ])
    func membersGivenTwiceAreRefused(text: String) async throws {
        let reader = JSONEntityReader(text, shape: try DrinkModel.shape(expands: ["Shop"]))
        let error = await #expect(throws: FormatError.self) { try await reader.next() }
        #expect(error?.message.contains("twice") == true)
    }

    @Test func entitiesAreWrittenAsTheRowsThatTheyCameFrom() async throws {
        let shape = try DrinkModel.shape(expands: ["Shop"])
        let text =
            ##"{"@odata.type":"#Drinks.Tea","ID":1,"A@odata.type":"#Date","A":"2024-01-01","Shop":{"ID":9,"B":2}}"##
        let entity = try #require(try await JSONEntityReader(text, shape: shape, kind: .entity).entities().first)
        let bytes = JSONPayload.bytes(entity: entity, model: shape.model)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
