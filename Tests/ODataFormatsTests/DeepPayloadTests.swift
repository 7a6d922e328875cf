import ODataModel
import ODataQuery
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite struct DeepPayloadTests {
    private static func read(_ text: String, isUpdate: Bool = true) throws -> EntityPayload {
        let model = try DrinkModel.make()
        let type = try #require(model.entitySet(named: "Drinks")).type
        return try JSONPayload.entity(Array(text.utf8), type: type, model: model, isUpdate: isUpdate)
    }

    static let update = ##"""
        {"@type":"#Drinks.Tea","ID":1,"Colour":"red","Since@type":"Date","Since":"2024-01-02","Shop":{"@id":"Shops(1)"},
        "Home":{"@odata.type":"#Drinks.Hill","Height":3,"Moss":[1]},
        "Mixes":[{"@id":"Drinks(2)"},{"@id":"Drinks(3)","@etag":"W/\"1\"","Name":"B"},{"ID":4}]}
        """##

    @Test func deepUpdatesNameEntitiesAndKeepTypes() throws {
        let payload = try Self.read(Self.update)
        #expect(payload.type == DrinkModel.name("Tea"))
        let since = try #require(EdmDate("2024-01-02"))
        let height = try #require(EdmDecimal("3"))
        let home = EdmComplexValue(
            [.init(name: "Height", value: .decimal(height)), .init(name: "Moss", value: .collection([.integer(1)]))],
            type: DrinkModel.name("Hill"))
        #expect(
            payload.properties == [
                "ID": .integer(1), "Colour": .string("red"), "Since": .date(since), "Home": .complex(home),
            ])
        #expect(payload.bindings == [.init(navigation: "Shop", references: [.url("Shops(1)")])])
        var first = EntityPayload()
        first.id = .url("Drinks(2)")
        var second = EntityPayload(["Name": .string("B")])
        second.id = .url("Drinks(3)")
        second.etag = "W/\"1\""
        let third = EntityPayload(["ID": .integer(4)])
        #expect(payload.nested == [.init(navigation: "Mixes", entities: [first, second, third])])
        #expect(try Self.read(#"{"Mixes":[]}"#).nested == [.init(navigation: "Mixes", entities: [])])
        #expect(try Self.read(#"{"Mixes":[]}"#, isUpdate: false).nested == [])
    }

    @Test(arguments: ["Mixes@delta", "Mixes@odata.delta"])
    func deltasTellWhatIsRemoved(name: String) throws {
        let payload = try Self.read(
            """
            {"\(name)":[{"ID":4},{"@removed":{"reason":"changed"},"@id":"Drinks(5)"},{"@odata.removed":{},"ID":6},
            {"@odata.context":"#Drinks/$deletedEntity","id":"Drinks(7)","reason":"deleted"}]}
            """)
        let nested = try #require(payload.nested.first)
        #expect(nested.isDelta)
        #expect(nested.entities == [EntityPayload(["ID": .integer(4)])])
        #expect(nested.removed.map(\.isDeleted) == [false, true, true])
        #expect(nested.removed.map(\.reference.url) == ["Drinks(5)", "Drinks(6)", "Drinks(7)"])
    }

    @Test(arguments: [false, true])
    func whatIsWrittenReadsBackTheSame(isShort: Bool) throws {
        let model = try DrinkModel.make()
        let type = try #require(model.entitySet(named: "Drinks")).type
        var style = JSONStyle()
        style.isShort = isShort
        let delta = ##"{"Mixes@delta":[{"ID":4},{"@removed":{"reason":"changed"},"@id":"Drinks(5)"}]}"##
        for text in [Self.update, delta] {
            let payload = try Self.read(text)
            let bytes = JSONPayload.bytes(payload, type: type, model: model, style: style)
            let written = String(decoding: bytes, as: UTF8.self)
            #expect(try Self.read(written) == payload, "\(written)")
            #expect(written.contains("odata.") != isShort, "\(written)")
        }
    }

    @Test(arguments: [
        (#"{"Mixes":[{"@removed":{},"ID":1}]}"#, "Only a delta", 22),
        (#"{"Mixes@delta":[{"@removed":{}}]}"#, "by its id or its key", 16),
        (#"{"Shop@delta":[]}"#, "not a collection", 1), (#"{"Mixes@delta":{}}"#, "takes an array", 15),
        (##"{"@type":"#Drinks.Tea","A@odata.type":"#Nope","A":1}"##, "type #Nope of A is unknown", 46),
        (
            ##"{"@type":"#Drinks.Tea","A@odata.type":"#Date","A":"x"}"##,
            "property A takes values of Edm.Date, not “x”", 50
        ),
        (##"{"Home":{"@odata.type":"#Drinks.Tea"}}"##, "takes a Drinks.Place, not a Drinks.Tea", 23),
        (#"{"Home":{"Citi":1}}"#, "property Home/Citi is not declared", 9),
    ])
    func otherPayloadsAreRefused(text: String, message: String, offset: Int) {
        #expect {
            try Self.read(text)
        } throws: { error in
            let error = error as? FormatError
            return error?.message.contains(message) == true && error?.offset == offset
        }
    }

    @Test func updatesOfCollectionsAreRead() throws {
        let model = try DrinkModel.make()
        let type = try #require(model.entitySet(named: "Drinks")).type
        let text = ##"{"@context":"#$delta","value":[{"ID":1},{"@removed":{"reason":"deleted"},"@id":"Drinks(2)"}]}"##
        let nested = try JSONPayload.entities(Array(text.utf8), type: type, model: model)
        #expect(nested.isDelta)
        #expect(nested.entities.count == 1)
        #expect(nested.removed == [.init(.url("Drinks(2)"), isDeleted: true)])
    }

    // MARK: Actions

    private static let action = EdmOperationDeclaration(
        kind: .action, name: DrinkModel.name("Mix"), isBound: true,
        parameters: [
            .init(name: "bound", type: .entity(DrinkModel.name("Drink"))),
            .init(name: "Count", type: .int64, isNullable: false),
            .init(name: "Note", type: .string),
            .init(name: "With", type: .collection(.entity(DrinkModel.name("Drink")))),
            .init(name: "Place", type: .complex(DrinkModel.name("Place"))),
        ])

    @Test func parametersOfActionsAreRead() throws {
        let model = try DrinkModel.make()
        let text = ##"""
            {"Count":"5","With":[{"@odata.id":"Drinks(1)"},{"@odata.type":"#Drinks.Tea","ID":2}],"Place":null}
            """##
        let values = try JSONPayload.parameters(Array(text.utf8), of: Self.action, model: model)
        let expected: EdmComplexValue = [
            "Count": .integer(5),
            "With": .collection([
                .complex(["@odata.id": .string("Drinks(1)")]),
                .complex(EdmComplexValue([.init(name: "ID", value: .integer(2))], type: DrinkModel.name("Tea"))),
            ]),
            "Place": .null,
        ]
        #expect(values == expected)
    }

    @Test(arguments: [
        ("", "Count of Drinks.Mix is needed"), ("{}", "Count of Drinks.Mix is needed"),
        (#"{"Count":null}"#, "is needed"), (#"{"Count":1,"Nota":1}"#, "no parameter Nota. Did you mean Note?"),
        (#"{"Count":1,"bound":null}"#, "no parameter bound"),
        (#"{"Count":true}"#, "parameter Count takes values of Edm.Int64, not true"),
        (#"{"Count":1,"Count":1}"#, "twice"), ("[]", "are an object"),
    ])
    func wrongParametersAreRefused(text: String, message: String) throws {
        let model = try DrinkModel.make()
        let error = #expect(throws: FormatError.self) {
            try JSONPayload.parameters(Array(text.utf8), of: Self.action, model: model)
        }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
