import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite("Verbose JSON reader")
struct VerboseEntityReaderTests {
    static let full = #"""
        {"d":{"__count":"2","results":[
        {"__metadata":{"uri":"http://h/root/Products(1)","etag":"W/\"1\"","type":"Shop.Product",
          "media_src":"http://h/1.png","edit_media":"http://h/root/Products(1)/$value","content_type":"image/png",
          "media_etag":"\"m\"","properties":{"Maker":{"associationuri":"x"}}},
         "ID":1,"Name":"Größe \"x\" \u00e9\n","Stock":"9223372036854775807","Small":-128,"Level":255,"Rank":-32768,
         "Price":"12345678901234567890.123456789","Weight":"-1.5E+3","Old":true,
         "Code":"01234567-89AB-cdef-0123-456789abcdef","Born":"\/Date(1709164800000)\/",
         "Changed":"\/Date(1709204400500+0060)\/","Opens":"PT7H59M59S","Lasts":"P1DT2H","Data":"AAEC/w==",
         "Place":{"type":"Point","coordinates":[1,2]},"Color":"Red",
         "Home":{"__metadata":{"type":"Shop.Address"},"City":"Köln","Zip":"50667"},
         "Tags":{"__metadata":{"type":"Collection(Edm.String)"},"results":["a","b"]},
         "Photo":{"__mediaresource":{"media_src":"http://h/p.jpg","edit_media":"http://h/e","content_type":"image/jpeg",
           "media_etag":"\"p\""}},
         "Parts":{"results":[{"ID":2,"Name":"B","Maker":{"__metadata":{"uri":"m"},"ID":9,"Name":"M"}},
           {"ID":3,"Name":null,"Maker":null}],"__count":"7","__next":"http://h/next"},
         "Maker":{"ID":8,"Name":"N"},"Unknown":{"__deferred":{"uri":"x"}}},
        {"ID":2,"Stock":12,"Price":1.50,"Weight":"INF","Changed":"2024-02-29T12:00:00","Maker":{"__deferred":{"uri":"x"}},
         "Parts":[]}
        ],"__next":"http://h/root/Products?$skiptoken=2"}}
        """#

    static func reader(
        _ text: String, kind: PayloadKind = .collection, chunk: Int = 1 << 20, limits: PayloadLimits = .default
    ) throws -> VerboseEntityReader {
        VerboseEntityReader(
            ByteContent(PieceSource(bytes: Array(text.utf8), size: chunk)), shape: try ShopModel.shape(), kind: kind,
            limits: limits)
    }

    @Test("All kinds of values are read, however the bytes are cut", arguments: [1, 3, 64, 1 << 20])
    func values(chunk: Int) async throws {
        let reader = try Self.reader(Self.full, chunk: chunk)
        let blocks = try await reader.allBlocks()
        let entities = blocks.flatMap { EntityAssembler(shape: reader.shape).entities(in: $0) }
        #expect(blocks.last?.nextLink == "http://h/root/Products?$skiptoken=2")
        #expect(blocks.compactMap(\.count) == [2])
        #expect(entities.count == 2)
        let first = try #require(entities.first)
        #expect(first.id == "http://h/root/Products(1)")
        #expect(first.etag == "W/\"1\"")
        try expectValues(first)
        #expect(first.media?.readLink == "http://h/1.png")
        #expect(first.media?.editLink == "http://h/root/Products(1)/$value")
        #expect(first.media?.contentType == "image/png")
        #expect(first.media?.etag == "\"m\"")
        #expect(first.streams["Photo"]?.readLink == "http://h/p.jpg")
        #expect(first.streams["Photo"]?.etag == "\"p\"")
        #expect(entities[1].properties.names == ["ID", "Stock", "Price", "Weight", "Changed"])
        #expect(entities[1]["Weight"] == .double(.infinity))
        #expect(entities[1].expanded["Parts"] == .many([], count: nil))
        #expect(entities[1].expanded["Maker"] == nil)
    }

    private func expectValues(_ entity: EdmEntity) throws {
        let expected: EdmComplexValue = [
            "ID": .integer(1), "Name": .string("Größe \"x\" é\n"), "Stock": .integer(.max), "Small": .integer(-128),
            "Level": .integer(255), "Rank": .integer(-32768),
            "Price": .decimal(try #require(EdmDecimal("12345678901234567890.123456789"))), "Weight": .double(-1500),
            "Old": .boolean(true), "Code": .guid(try #require(EdmGuid("01234567-89ab-cdef-0123-456789abcdef"))),
            "Born": .date(try #require(EdmDate("2024-02-29"))),
            "Changed": .dateTimeOffset(try #require(EdmDateTimeOffset("2024-02-29T12:00:00.5+01:00"))),
            "Opens": .timeOfDay(try #require(EdmTimeOfDay("07:59:59"))),
            "Lasts": .duration(try #require(EdmDuration("P1DT2H"))), "Data": .binary([0, 1, 2, 255]),
            "Place": .geo(#"{"type":"Point","coordinates":[1,2]}"#), "Color": .enumeration(ShopModel.color, "Red"),
            "Home": .complex(["City": .string("Köln"), "Zip": .integer(50667)]),
            "Tags": .collection([.string("a"), .string("b")]),
        ]
        #expect(entity.properties == expected)
    }

    @Test("Expanded entities come in the order of the shape")
    func expanded() async throws {
        let block = try #require(try await Self.reader(Self.full).next())
        #expect(block.rows.map(\.depth) == [0, 1, 1, 2, 1, 0])
        #expect(block.rows.map(\.child) == [-1, 0, 1, 0, 1, -1])
        #expect(block.expansions.map(\.nextLink) == ["http://h/next"])
        #expect(block.expansions.map(\.count) == [7])
    }

    @Test("V1 has the entities in “d” itself")
    func versionOne() async throws {
        let entities = try await Self.reader(#"{"d":[{"ID":1},{"ID":2}]}"#).allEntities()
        #expect(entities.map { $0["ID"] } == [.integer(1), .integer(2)])
    }

    @Test("A next link may be an object with the address")
    func nextLink() async throws {
        let blocks = try await Self.reader(#"{"d":{"results":[{"ID":1}],"__next":{"uri":"http://h/next"}}}"#)
            .allBlocks()
        #expect(blocks.last?.nextLink == "http://h/next")
    }

    @Test(
        "An entity stands in “d”, also as a function's result",
        arguments: [
            #"{"d":{"__metadata":{"uri":"u"},"ID":1}}"#, #"{"d":{"GetTop":{"__metadata":{"uri":"u"},"ID":1}}}"#,
        ])
    func entity(text: String) async throws {
        for chunk in [1, 1000] {
            let entities = try await Self.reader(text, kind: .entity, chunk: chunk).allEntities()
            #expect(entities.map { $0["ID"] } == [.integer(1)])
            #expect(entities.map(\.id) == ["u"])
        }
    }

    @Test("Delta payloads have removed entities and a delta link")
    func delta() async throws {
        let text = #"""
            {"d":{"results":[{"ID":1},{"@odata.context":"$metadata#Products/$deletedEntity","id":"http://h/Products(2)"}],
            "__delta":"http://h/Products?!deltatoken=5"}}
            """#
        let blocks = try await Self.reader(text).allBlocks()
        #expect(blocks.flatMap(\.rows).map(\.change) == [.entity, .deleted])
        #expect(blocks[0].text(blocks[0].rows[1].id) == "http://h/Products(2)")
        #expect(blocks.last?.deltaLink == "http://h/Products?!deltatoken=5")
    }

    @Test(
        "What is broken, of another type or no data is an error that says where",
        arguments: [
            (#"{"d":{"results":[{"ID":1}"#, "ends in the middle"), (#"{}"#, "no “d”"), (#"{"d":{}}"#, "no “d”"),
            (#"{"d":{"results":[{"ID":"x"}]}}"#, "ID is not of type Edm.Int32"),
            (#"{"d":{"results":[{"ID":3000000000}]}}"#, "ID is not of type Edm.Int32"),
            (#"{"d":{"results":[{"Name":[5]}]}}"#, "Name is not of type Edm.String"),
            (#"{"d":{"results":[{"ID":{}}]}}"#, "ID is not of type Edm.Int32"),
            (#"{"d":{"results":[],"__next":5}}"#, "__next is not of type Edm.String"),
            (#"{"d":{"results":[{"Name":[],"Maker":{"ID":8,"Name":[1]},"ID":7}]}}"#, "Products(7): The value of Name"),
            (#"{"d":{"results":[{"ID":7,"Maker":{"Name":[1],"ID":8}}]}}"#, "Makers(8): The value of Name"),
            (#"{"d":{"results":[{"ID":7,"Maker":5}]}}"#, "Products(7): The value of Maker is not of type Shop.Maker"),
            (
                #"{"d":{"results":[{"ID":7,"Maker":[{"ID":1},{"ID":2}]}]}}"#,
                "Products(7): The value of Maker is not of type"
            ),
            (#"{"d":{"results":[{"Changed":"/Date(x)/"}]}}"#, "Changed is not of type"),
            (#"{"d":{"results":[{"Home":{"Zip":"x"}}]}}"#, "Home is not of type"),
            (#"{"d":{"results":[5]}}"#, "where an entity is expected"), (#"{"d":{"results":[{}]}} x"#, "follows"),
            (#"{"error":{"code":"5","message":{"lang":"en","value":"Gone."}}}"#, "Gone."),
        ])
    func errors(text: String, message: String) async throws {
        for chunk in [1, 1000] {
            let reader = try Self.reader(text, chunk: chunk)
            let error = await #expect(throws: FormatError.self) { try await reader.allBlocks() }
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
            #expect(error?.offset != nil)
        }
    }

    @Test("An entity that is too long is refused")
    func limits() async throws {
        var limits = PayloadLimits()
        limits.entityBytes = 1000
        let text = #"{"d":{"results":[{"Name":""# + String(repeating: "x", count: 100_000) + #""}]}}"#
        let reader = try Self.reader(text, chunk: 500, limits: limits)
        await #expect(throws: FormatError.self) { try await reader.allBlocks() }
    }

    @Test("Many entities come in several blocks")
    func blocks() async throws {
        let entity = #"{"ID":1,"Name":"\#(String(repeating: "x", count: 1000))"}"#
        let text = #"{"d":{"results":["# + Array(repeating: entity, count: 300).joined(separator: ",") + "]}}"
        let blocks = try await Self.reader(text, chunk: 5000).allBlocks()
        #expect(blocks.count > 2)
        #expect(blocks.map(\.rows.count).reduce(0, +) == 300)
    }
}
