import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite("The light JSON of V3, read")
struct LightJSONTests {
    static let full = #"""
        {"odata.metadata":"http://h/root/$metadata#Products","odata.count":"2","value":[
        {"odata.type":"Shop.Product","odata.id":"http://h/root/Products(1)","odata.etag":"W/\"1\"",
         "odata.editLink":"Products(1)","odata.mediaReadLink":"http://h/1.png","odata.mediaContentType":"image/png",
         "odata.mediaETag":"\"m\"","Maker@odata.navigationLinkUrl":"http://h/root/Products(1)/Maker",
         "ID":1,"Name":"Tea","Stock":"9223372036854775807","Price@odata.type":"Edm.Decimal","Price":"12.50",
         "Changed":"2012-05-29T09:13:28","Opens":"PT7H59M59S","Code":"01234567-89ab-cdef-0123-456789abcdef",
         "Home":{"odata.type":"Shop.Address","City":"Köln","Zip@odata.type":"Edm.Int64","Zip":"50667"},
         "Tags@odata.type":"Collection(Edm.String)","Tags":["a","b"],
         "Photo@odata.mediaReadLink":"http://h/p.jpg","Photo@odata.mediaETag":"\"p\"",
         "Parts@odata.count":"7","Parts":[{"ID":2,"Name":"B"},{"odata.etag":"x","ID":3,"Name":null}],
         "Parts@odata.nextLink":"http://h/next","Maker":{"ID":8,"Name":"N"}},
        {"ID":2}
        ],"odata.nextLink":"Products?$skiptoken=2"}
        """#

    @Test("Entities, however the bytes are cut", arguments: [1, 64, 1 << 20])
    func entities(chunk: Int) async throws {
        let reader = try VerboseEntityReaderTests.reader(Self.full, chunk: chunk)
        let blocks = try await reader.allBlocks()
        let entities = blocks.flatMap { EntityAssembler(shape: reader.shape).entities(in: $0) }
        #expect(blocks.compactMap(\.count) == [2])
        #expect(blocks.last?.nextLink == "Products?$skiptoken=2")
        #expect(blocks.flatMap(\.expansions).map(\.count) == [7])
        #expect(blocks.flatMap(\.expansions).map(\.nextLink) == ["http://h/next"])
        #expect(entities.map { $0["ID"] } == [.integer(1), .integer(2)])
        let first = try #require(entities.first)
        try expectValues(first)
        #expect(first.id == "Products(1)")
        #expect(first.etag == "W/\"1\"")
        #expect(first.media?.readLink == "http://h/1.png")
        #expect(first.media?.contentType == "image/png")
        #expect(first.media?.etag == "\"m\"")
        #expect(first.streams["Photo"]?.readLink == "http://h/p.jpg")
        #expect(first.streams["Photo"]?.etag == "\"p\"")
    }

    private func expectValues(_ entity: EdmEntity) throws {
        let expected: EdmComplexValue = [
            "ID": .integer(1), "Name": .string("Tea"), "Stock": .integer(.max),
            "Price": .decimal(try #require(EdmDecimal("12.50"))),
            "Code": .guid(try #require(EdmGuid("01234567-89ab-cdef-0123-456789abcdef"))),
            "Changed": .dateTimeOffset(try #require(EdmDateTimeOffset("2012-05-29T09:13:28Z"))),
            "Opens": .timeOfDay(try #require(EdmTimeOfDay("07:59:59"))),
            "Home": .complex(["City": .string("Köln"), "Zip": .integer(50667)]),
            "Tags": .collection([.string("a"), .string("b")]),
        ]
        #expect(entity.properties == expected)
        guard case .many(let parts, _)? = entity.expanded["Parts"] else {
            Issue.record("The parts are not there.")
            return
        }
        #expect(parts.map { $0["ID"] } == [.integer(2), .integer(3)])
        #expect(parts[1].etag == "x")
    }

    static let entity =
        #"{"odata.metadata":"http://h/$metadata#Products/@Element","odata.id":"u","ID":1,"Name":"Tea"}"#

    @Test("An entity has nothing around it", arguments: [1, 1000])
    func entity(chunk: Int) async throws {
        let entities = try await VerboseEntityReaderTests.reader(Self.entity, kind: .entity, chunk: chunk).allEntities()
        #expect(entities.map { $0["Name"] } == [.string("Tea")])
        #expect(entities.map(\.id) == ["u"])
    }

    @Test(
        "What is not an entity is an error",
        arguments: [
            (#"{"odata.metadata":"m","value":[{"ID":1}]}"#, "collection instead of an entity"),
            (#"{"odata.error":{"code":"5","message":{"lang":"en","value":"Gone."}}}"#, "Gone."),
            (#"{"odata.metadata":"m","ID":1"#, "ends in the middle"),
            (#"{"odata.metadata":"m","ID":"x"}"#, "ID is not of type"),
        ])
    func errors(text: String, message: String) async throws {
        for chunk in [1, 1000] {
            let reader = try VerboseEntityReaderTests.reader(text, kind: .entity, chunk: chunk)
            let error = await #expect(throws: FormatError.self) { try await reader.allBlocks() }
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }

    @Test("Values")
    func values() throws {
        let model = try ShopModel.make()
        func value(_ text: String, _ type: EdmTypeReference) throws -> EdmValue {
            try VerbosePayload.value(Array(text.utf8), type: type, model: model)
        }
        #expect(try value(#"{"odata.metadata":"m#Edm.String","value":"Tea"}"#, .string) == .string("Tea"))
        #expect(try value(#"{"odata.metadata":"m#Edm.Null","odata.null":true}"#, .string) == .null)
        let list = #"{"odata.metadata":"m#Collection(Edm.Int32)","value":[1,2]}"#
        #expect(try value(list, .collection(.int32)) == .collection([.integer(1), .integer(2)]))
        let home = #"{"odata.metadata":"m#Shop.Address","odata.type":"Shop.Address","City":"Oslo"}"#
        #expect(try value(home, .complex(ShopModel.address)) == .complex(["City": .string("Oslo")]))
    }

    @Test("Links")
    func links() throws {
        let one = try VerbosePayload.references(Array(#"{"odata.metadata":"m","url":"http://h/Makers(1)"}"#.utf8))
        #expect(one.references == ["http://h/Makers(1)"])
        let text = #"{"odata.metadata":"m","odata.count":"5","value":[{"url":"a"},{"url":"b"}],"odata.nextLink":"n"}"#
        let many = try VerbosePayload.references(Array(text.utf8))
        #expect(many.references == ["a", "b"])
        #expect(many.count == 5)
        #expect(many.nextLink == "n")
    }
}
