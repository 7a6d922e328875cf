import ODataModel
import ODataQuery
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite struct EntityPayloadTests {
    private static func read(_ text: String) throws -> EntityPayload {
        let model = try ShopModel.make()
        let type = try #require(model.entitySet(named: "Products")).type
        return try JSONPayload.entity(Array(text.utf8), type: type, model: model)
    }

    @Test func propertiesBindingsAndNestedEntitiesAreRead() throws {
        let payload = try Self.read(
            #"""
            {"@odata.type":"#Shop.Product","ID":1,"Name":null,"Stock":"5","Color":"Red,Blue","Home":{"City":"x"},
             "Maker@odata.bind":"Makers(1)","Parts":[{"ID":2,"Maker":{"Name":"M"}},{"@id":"Products(9)"}],
             "Name@odata.type":"x"}
            """#)
        #expect(payload.properties.names == ["ID", "Name", "Stock", "Color", "Home"])
        #expect(payload.properties["Stock"] == .integer(5))
        #expect(
            payload.bindings == [
                .init(navigation: "Maker", references: [.url("Makers(1)")]),
                .init(navigation: "Parts", references: [.url("Products(9)")]),
            ])
        let part = EntityPayload(
            ["ID": .integer(2)], nested: [.init(navigation: "Maker", entities: [.init(["Name": .string("M")])])])
        #expect(payload.nested == [.init(navigation: "Parts", entities: [part])])
    }

    @Test func collectionsOfBindingsAndUnboundNavigationAreRead() throws {
        let payload = try Self.read(#"{"Parts@odata.bind":["Products(1)","Products(2)"],"Maker":null}"#)
        #expect(
            payload.bindings == [
                .init(navigation: "Parts", references: [.url("Products(1)"), .url("Products(2)")]),
                .init(navigation: "Maker", references: []),
            ])
    }

    @Test func whatIsWrittenReadsBackTheSame() throws {
        let model = try ShopModel.make()
        let type = try #require(model.entitySet(named: "Products")).type
        let payload = EntityPayload(
            ["ID": .integer(1), "Data": .binary([1]), "Tags": .collection([.string("a")])],
            bindings: [
                .init(navigation: "Maker", references: [.url("Makers(1)")]),
                .init(navigation: "Parts", references: [.url("Products(2)")]),
            ],
            nested: [.init(navigation: "Parts", entities: [EntityPayload(["ID": .integer(3)])])])
        let bytes = JSONPayload.bytes(payload, type: type, model: model)
        #expect(try JSONPayload.entity(bytes, type: type, model: model) == payload)
    }

    @Test(arguments: [
        (#"{"Nmae":"x"}"#, "property Nmae is not declared by Shop.Product: did you mean Name.", 1),
        (#"{"ID":"1"}"#, "ID", 6),
        (#"{"Small":128}"#, "Small takes values of Edm.SByte, not 128", 9),
        (#"{"Color":"Green"}"#, "Color takes members of Shop.Color, not “Green”", 9),
        (#"{"Home":{"Ctiy":"x"}}"#, "property Home/Ctiy is not declared", 9), (#"{"Photo":"x"}"#, "is a stream", 1),
        (#"{"Maker@odata.bind":5}"#, "takes ids", 20), (#"{"Who@odata.bind":"x"}"#, "navigation property Who", 1),
        (#"{"Parts":{}}"#, "takes an array", 9), (#"{"Maker":[]}"#, "takes an object", 9),
        (##"{"@odata.type":"#Shop.Maker"}"##, "is of type Shop.Product, not #Shop.Maker", 15),
        (
            ##"{"@type":"http://h/$metadata#Shop.None"}"##, "is of type Shop.Product, not http://h/$metadata#Shop.None",
            9
        ),
        (##"{"Maker":{"@type":"#Shop.Product"}}"##, "is of type Shop.Maker, not #Shop.Product", 18),
        ("[]", "is an object", 0),
        (#"{"ID":1,"ID":2}"#, "given twice", 8), (#"{"ID":1"#, "ends", 7),
    ])
    func otherPayloadsAreRefused(text: String, message: String, offset: Int) {
        #expect {
            try Self.read(text)
        } throws: { error in
            let error = error as? FormatError
            return error?.message.contains(message) == true && error?.offset == offset
        }
    }

    @Test func valuesReferencesAndTheServiceDocumentAreWrittenAndRead() throws {
        let model = try ShopModel.make()
        let decimal = EdmValue.decimal(try #require(EdmDecimal("12.5")))
        let bytes = JSONPayload.bytes(value: decimal, type: .decimal, contextURL: "c")
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"@odata.context":"c","value":12.5}"#)
        #expect(try JSONPayload.value(bytes, type: .decimal, model: model) == decimal)
        let home = EdmValue.complex(["City": .string("x")])
        let complex = JSONPayload.bytes(value: home, type: .complex(ShopModel.address), contextURL: nil)
        #expect(String(decoding: complex, as: UTF8.self) == #"{"City":"x"}"#)
        #expect(try JSONPayload.value(complex, type: .complex(ShopModel.address), model: model) == home)
        #expect(try JSONPayload.reference(JSONPayload.bytes(reference: "Makers(1)")) == "Makers(1)")
        #expect(throws: FormatError.self) { try JSONPayload.reference(Array("{}".utf8)) }
        let document = String(decoding: JSONPayload.serviceDocument(model: model, serviceRoot: "r/"), as: UTF8.self)
        #expect(document.hasPrefix(#"{"@odata.context":"r/$metadata","value":[{"name":"Products","kind":"EntitySet""#))
    }
}
