import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite struct JSONEntityReaderTests {
    static let full = #"""
        {"@odata.context":"http://h/$metadata#Products","value":[
        {"@odata.id":"Products(1)","@odata.etag":"W/\"1\"","ID":1,"Name":"Größe \"x\" \u00e9\ud83d\ude00\n",
         "Stock":9223372036854775807,"Small":-128,"Level":255,"Rank":-32768,
         "Price":12345678901234567890.123456789,"Weight":-1.5e3,"Old":true,
         "Code":"01234567-89AB-cdef-0123-456789abcdef","Born":"2024-02-29","Changed":"2024-02-29T12:00:00.5+01:00",
         "Opens":"07:59:59","Lasts":"P1DT2H","Data":"AAEC_w","Place":{"type":"Point","coordinates":[1,2]},
         "Color":"Red","Home":{"City":"Köln","Zip":50667},"Tags":["a","b"],
         "@odata.mediaReadLink":"Products(1)/$value","@odata.mediaContentType":"image/png","@odata.mediaEtag":"\"m\"",
         "Photo@odata.mediaReadLink":"Products(1)/Photo","Photo@odata.mediaContentType":"image/jpeg",
         "Parts@odata.count":7,"Parts":[{"ID":2,"Name":"B","Maker":{"ID":9,"Name":"M"}},{"ID":3,"Name":null,"Maker":null}],
         "Parts@odata.nextLink":"http://h/next","Maker@odata.navigationLink":"Products(1)/Maker",
         "Maker":{"ID":8,"Name":"N"},"Unknown":{"a":[1,2,{"b":"\\"}]}},
        {"ID":2,"Stock":"12","Price":"1.50","Weight":"INF","Maker":null,"Parts":[]}
        ],"@odata.count":2,"@odata.nextLink":"Products?$skiptoken=2"}
        """#

    @Test(arguments: [1, 2, 3, 7, 64, 1 << 20])
    func allKindsOfValuesAreRead(chunk: Int) async throws {
        let reader = JSONEntityReader(Self.full, shape: try ShopModel.shape(), chunk: chunk)
        let blocks = try await reader.blocks()
        let entities = blocks.flatMap { EntityAssembler(shape: reader.shape).entities(in: $0) }
        #expect(blocks.last?.nextLink == "Products?$skiptoken=2")
        #expect(blocks.compactMap(\.count) == [2])
        #expect(entities.count == 2)
        let first = try #require(entities.first)
        #expect(first.id == "Products(1)")
        #expect(first.etag == "W/\"1\"")
        let expected: EdmComplexValue = [
            "ID": .integer(1), "Name": .string("Größe \"x\" é😀\n"), "Stock": .integer(.max), "Small": .integer(-128),
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
        #expect(first.properties == expected)
        #expect(first.media?.contentType == "image/png")
        #expect(first.media?.etag == "\"m\"")
        #expect(first.streams["Photo"]?.readLink == "Products(1)/Photo")
        guard case .many(let parts, let count) = first.expanded["Parts"] else {
            Issue.record("Parts are not expanded")
            return
        }
        #expect(count == 7)
        #expect(parts.map { $0["ID"] } == [.integer(2), .integer(3)])
        #expect(parts[0].expanded["Maker"] == .one(Self.maker(9, "M", reader.shape)))
        #expect(parts[1].expanded["Maker"] == .one(nil))
        #expect(first.expanded["Maker"] == .one(Self.maker(8, "N", reader.shape)))
        let expansions = blocks.flatMap(\.expansions)
        #expect(expansions.map(\.nextLink) == ["http://h/next"])
        #expect(entities[1].properties.names == ["ID", "Stock", "Price", "Weight"])
        #expect(entities[1]["Weight"] == .double(.infinity))
        #expect(entities[1].expanded["Parts"] == .many([], count: nil))
    }

    @Test func entitiesOfAResultMayBeOfAnySetThoseOfChangesAreOfTheirs() async throws {
        let shape = try ShopModel.shape()
        for (fragment, expected) in [("Products", [1, 9]), ("Products/$delta", [1])] {
            let reader = JSONEntityReader(
                ##"""
                {"@odata.context":"http://h/$metadata#\##(fragment)","value":[{"ID":1},
                {"@odata.context":"http://h/$metadata#Makers/$entity","ID":9}]}
                """##, shape: shape, chunk: 1 << 20)
            let entities = try await reader.blocks().flatMap { EntityAssembler(shape: shape).entities(in: $0) }
            #expect(entities.map { $0["ID"] } == expected.map { .integer(Int64($0)) }, "\(fragment)")
        }
    }

    @Test func annotationsWithOtherValuesTakeNoRoom() async throws {
        let others = (1...40).map { #""@Other.term\#($0)":"text","# }.joined()
        let shape = try ShopModel.shape()
        let reader = JSONEntityReader(
            #"{"value":[{\#(others)"@Own.isLocal":true,"ID":1},{"@Own.isLocal":false,"ID":2},{"ID":3}]}"#,
            shape: shape, chunk: 1 << 20)
        let entities = try await reader.blocks().flatMap { EntityAssembler(shape: shape).entities(in: $0) }
        #expect(entities.map { $0.annotations["Own.isLocal"] } == [.boolean(true), .boolean(false), nil])
    }

    private static func maker(_ id: Int64, _ name: String, _ shape: RowShape) -> EdmEntity {
        let maker = shape.children[0].shape
        return EdmEntity(
            type: maker.type, entitySet: maker.entitySet, properties: ["ID": .integer(id), "Name": .string(name)])
    }

    @Test func expandedEntitiesComeInTheOrderOfTheShape() async throws {
        let text = #"{"value":[{"Parts":[{"ID":2,"Maker":{"ID":5}},{"ID":3}],"Maker":{"ID":4},"ID":1}]}"#
        let block = try #require(try await JSONEntityReader(text, shape: ShopModel.shape()).next())
        #expect(block.rows.map(\.depth) == [0, 1, 1, 2, 1])
        #expect(block.rows.map(\.child) == [-1, 0, 1, 0, 1])
    }

    @Test(arguments: [
        #"{"value":[],"@odata.deltaLink":"d"}"#, #"{"@deltaLink":"d","@odata.count":"0","value":[]}"#,
        "\u{FEFF} {\n\"value\" : [ ] ,\t\"x\":[1,{}], \"@odata.deltaLink\":\"d\"}\n",
    ])
    func emptyCollectionsKeepTheirLinks(text: String) async throws {
        let blocks = try await JSONEntityReader(text, shape: ShopModel.shape(), chunk: 1).blocks()
        #expect(blocks.last?.deltaLink == "d")
        #expect(blocks.filter { !$0.isEmpty }.count == 0)
    }

    @Test func anEntityByItselfIsRead() async throws {
        let text = #"{"@odata.context":"c","@odata.etag":"e","ID":5,"Name":"\/"}"#
        let entities = try await JSONEntityReader(text, shape: ShopModel.shape(), kind: .entity, chunk: 5).entities()
        #expect(entities.map(\.etag) == ["e"])
        #expect(entities.first?.properties == ["ID": .integer(5), "Name": .string("/")])
    }

    @Test func deltaPayloadsOfBothVersionsAreRead() async throws {
        let text = #"""
            {"value":[{"ID":1},{"@removed":{"reason":"changed"},"@id":"Products(2)"},
            {"@odata.removed":{"reason":"deleted"},"@odata.id":"Products(3)","ID":3},
            {"@odata.context":"#Products/$deletedEntity","id":"Products(4)","reason":"deleted"},
            {"@context":"http://h/$metadata#Products/$link","source":"Products(1)","relationship":"Maker","target":"Makers(2)"},
            {"@odata.context":"#Products/$deletedLink","source":"Products(5)","relationship":"Parts","target":"Products(6)"}
            ],"@deltaLink":"next"}
            """#
        for chunk in [3, 1 << 20] {
            let blocks = try await JSONEntityReader(text, shape: ShopModel.shape(), chunk: chunk).blocks()
            let rows = blocks.flatMap { block in
                block.rows.map {
                    ($0.change, [$0.id, $0.link, $0.linkTarget].map { block.text($0) ?? "" }.joined(separator: " "))
                }
            }
            #expect(rows.map(\.0) == [.entity, .left, .deleted, .deleted, .addedLink, .deletedLink])
            #expect(
                rows.map(\.1) == [
                    "  ", "Products(2)  ", "Products(3)  ", "Products(4)  ", "Products(1) Maker Makers(2)",
                    "Products(5) Parts Products(6)",
                ])
            #expect(blocks.last?.deltaLink == "next")
        }
    }

    @Test(arguments: [
        (#"{"value":[{"ID":"x"}]}"#, 16, "ID is of type Edm.Int32, but a string"),
        (#"{"value":[{"ID":2147483648}]}"#, 16, "out of the range of Edm.Int32"),
        (#"{"value":[{"ID":1.5}]}"#, 16, "ID is of type Edm.Int32"),
        (#"{"value":[{"Stock":9223372036854775808}]}"#, 19, "out of the range"),
        (#"{"value":[{"Stock":99999999999999999999999999}]}"#, 19, "out of the range"),
        (#"{"value":[{"Name":[5]}]}"#, 18, "Name is of type Edm.String, but an array"),
        (#"{"value":[{"Born":"2023-02-29"}]}"#, 18, "Born"), (#"{"value":[{"Code":"x"}]}"#, 18, "Code"),
        (#"{"value":[{"Home":[]}]}"#, 18, "Home is of type Shop.Address, but an array"),
        (#"{"value":[{"Tags":{}}]}"#, 18, "Tags"), (#"{"value":[{"Price":true}]}"#, 19, "Price"),
        (#"{"value":[{"Old":"yes"}]}"#, 17, "Old"), (#"{"value":[{"Data":"*"}]}"#, 18, "Data"),
        (#"{"value":[{"Maker":5}]}"#, 19, "Maker is of type Shop.Maker, but a number"),
        (#"{"value":[5]}"#, 10, "an entity is expected"), (#"{"value":[{"ID":01}]}"#, 16, "malformed"),
        (#"{"value":[{"Name":"\x"}]}"#, 19, "escape"), (#"{"value":[{"Name":"\ud800"}]}"#, 19, "escape"),
        ("{\"value\":[{\"Name\":\"a\nb\"}]}", 20, "control character"), (#"{"value":[{"ID":1}}"#, 18, "“}”"),
        (#"{"value":[{"ID":1},]}"#, 19, "entity is expected"), (#"{"value":[{"ID" 1}]}"#, 16, "“1”"),
        ("<html>", 0, "“<”"),
        (#"{"values":[]}"#, 12, "no array “value”"), (#"{"value":5}"#, 9, "no array “value”"),
        (#"{"value":[]} x"#, 13, "follows"), (#"{"value":[]}}"#, 12, "follows"),
        (#"{"error":{"code":"1","message":"No such thing"}}"#, 9, "No such thing"),
    ])
    func brokenPayloadsTellWhereAndWhat(text: String, offset: Int, message: String) async throws {
        for chunk in [1, 1 << 20] {
            let error = try #require(await Self.error(text, chunk: chunk), "\(text)")
            #expect(error.offset == offset, "\(text)")
            #expect(error.message.contains(message), "\(error)")
        }
    }

    @Test func invalidUTF8IsRefused() async throws {
        for bytes: [UInt8] in [
            [0xC3, 0x28], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0x80],
        ] {
            for name in ["Name", "Unknown"] {
                let text = Array("{\"value\":[{\"\(name)\":\"ab".utf8) + bytes + Array("\"}]}".utf8)
                let reader = JSONEntityReader(.init(text), shape: try ShopModel.shape(), kind: .collection)
                await #expect(throws: FormatError.self) { try await reader.next() }
            }
        }
    }

    @Test func everyTruncationIsAnErrorAtTheEnd() async throws {
        let bytes = Array(Self.full.utf8)
        for length in 0..<bytes.count - 1 {
            let reader = JSONEntityReader(
                .init(Array(bytes[..<length])), shape: try ShopModel.shape(), kind: .collection)
            let error = await #expect(throws: FormatError.self, "\(length)") { while try await reader.next() != nil {} }
            #expect(error?.offset == length)
            #expect(try await reader.next() == nil)
        }
    }

    @Test func limitsHold() async throws {
        var limits = PayloadLimits()
        limits.entityBytes = 100_000
        let long = #"{"value":[{"Name":"\#(String(repeating: "x", count: 200_000))"}]}"#
        let reader = JSONEntityReader(long, shape: try ShopModel.shape(), chunk: 4096, limits: limits)
        await #expect(throws: FormatError.self) { try await reader.next() }
        let deep = #"{"value":[{"X":\#(String(repeating: "[", count: 10_000))"#
        #expect(await Self.error(deep, chunk: 1 << 20)?.message.contains("nested too deeply") == true)
        limits = PayloadLimits()
        limits.expandedEntities = 3
        let many = JSONEntityReader(
            #"{"value":[{},{"Parts":[{},{},{},{}]}]}"#, shape: try ShopModel.shape(), limits: limits)
        let error = await #expect(throws: FormatError.self) { try await many.blocks() }
        #expect(error?.message.contains("too many") == true)
        let few = JSONEntityReader(
            #"{"value":[{},{"Parts":[{},{},{}]}]}"#, shape: try ShopModel.shape(), limits: limits)
        #expect(try await few.blocks().flatMap(\.rows).count == 5)
        let digits = #"{"value":[{"Price":\#(String(repeating: "1", count: 20_000))}]}"#
        #expect(await Self.error(digits, chunk: 1 << 20)?.property == "Price")
        limits.values = 3
        #expect(throws: FormatError.self) { try parsed(Array("[1,2,3]".utf8)[...], limits: limits) }
        #expect(throws: Never.self) { try parsed(Array("[1,2]".utf8)[...], limits: limits) }
    }

    @Test func aServiceErrorIsKept() async throws {
        let text = #"{"error":{"code":"E","message":"Gone","target":"t"}}"#
        let expected = ServiceError(code: "E", message: "Gone", target: "t")
        #expect(await Self.error(text, chunk: 1)?.service == expected)
        let reader = JSONEntityReader(text, shape: try ShopModel.shape(), kind: .entity)
        let error = await #expect(throws: FormatError.self) { try await reader.next() }
        #expect(error?.service == expected)
    }

    @Test func manyDifferentMembersAreRead() async throws {
        var text = #"{"value":["#
        for id in 0..<6000 {
            text += #"{"X\#(id)":[],"ID":\#(id),"Name":"n","Y\#(id)@odata.type":"t"},"#
            text += #"{"Name":"m","Rank":1,"ID":\#(id)},"#
        }
        text.removeLast()
        let entities = try await JSONEntityReader(text + "]}", shape: ShopModel.shape(), chunk: 10_000).entities()
        #expect(entities.count == 12_000)
        let ids: [EdmValue?] = (0..<12_000).map { EdmValue.integer(Int64($0 / 2)) }
        #expect(entities.map { $0["ID"] } == ids)
    }

    private static func error(_ text: String, chunk: Int) async -> FormatError? {
        do {
            _ = try await JSONEntityReader(text, shape: ShopModel.shape(), chunk: chunk).blocks()
            return nil
        } catch {
            return error as? FormatError
        }
    }
}
