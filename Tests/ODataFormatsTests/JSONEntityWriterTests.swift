import ODataModel
import Testing

@testable import ODataFormats

@Suite struct JSONEntityWriterTests {
    static func written(
        _ text: String, shape: RowShape, kind: PayloadKind = .collection, options: JSONWriterOptions = .init()
    ) async throws -> String {
        var writer = JSONEntityWriter(shape: shape, kind: kind, options: options)
        writer.begin()
        let blocks = try await JSONEntityReader(text, shape: shape, kind: kind).blocks()
        for block in blocks { writer.write(block) }
        writer.end(nextLink: blocks.last?.nextLink, deltaLink: blocks.last?.deltaLink)
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }

    @Test func whatIsWrittenReadsBackTheSame() async throws {
        let shape = try ShopModel.shape()
        var options = JSONWriterOptions()
        options.writesIDs = true
        let text = try await Self.written(JSONEntityReaderTests.full, shape: shape, options: options)
        let expected = try await JSONEntityReader(JSONEntityReaderTests.full, shape: shape).entities()
        #expect(try await JSONEntityReader(text, shape: shape, chunk: 9).entities() == expected)
        #expect(try await Self.written(text, shape: shape, options: options) == text)
        #expect(text.contains(#""Parts@odata.count":7"#))
        #expect(text.contains(#""Parts@odata.nextLink":"http://h/next""#))
        #expect(text.hasSuffix(#"],"@odata.count":2,"@odata.nextLink":"Products?$skiptoken=2"}"#))
    }

    @Test(
        "The content of a stream stands there by its media type",
        arguments: [
            ("application/json", #"{"a":[1.50,"x"]}"#, #"{"a":[1.50,"x"]}"#),
            ("application/problem+json;charset=utf-8", "[]", "[]"), ("text/plain", #""a\"b\nc""#, "a\"b\nc"),
            ("text/html;charset=utf-8", #""<b>""#, "<b>"), ("image/png", #""aGV5""#, "hey"),
        ])
    func streams(type: String, written: String, content: String) async throws {
        let shape = try ShopModel.shape(["ID"], expands: false)
        let text =
            #"{"value":[{"ID":1,"@odata.mediaContentType":"\#(type)","$value":"aGV5","#
            + #""Photo@odata.mediaContentType":"\#(type)","Photo":\#(written)}]}"#
        let entity = try #require(try await JSONEntityReader(text, shape: shape).entities().first)
        #expect(entity.media?.content == Array("hey".utf8))
        #expect(entity.streams["Photo"]?.content == Array(content.utf8))
        #expect(try await Self.written(text, shape: shape) == text)
    }

    @Test func hiddenSlotsAreNotWritten() async throws {
        let shape = try ShopModel.shape(["Name", "ID"], expands: false, hidden: 1)
        let text = #"{"value":[{"ID":1,"Name":"a\u0001\"\\\u00fc"},{"ID":2},{}]}"#
        #expect(try await Self.written(text, shape: shape) == "{\"value\":[{\"Name\":\"a\\u0001\\\"\\\\ü\"},{},{}]}")
    }

    @Test func fullMetadataTellsTypesAndLinks() async throws {
        let shape = try ShopModel.shape(["ID", "Name"], expands: false)
        var options = JSONWriterOptions()
        options.metadata = .full
        options.contextURL = "http://h/$metadata#Products/$entity"
        options.serviceRoot = "http://h/"
        options.writesAbsoluteLinks = true
        let text = try await Self.written(
            #"{"@odata.id":"Products(1)","ID":1,"Name":"a"}"#, shape: shape, kind: .entity, options: options)
        #expect(
            text == ##"{"@odata.context":"http://h/$metadata#Products/$entity","@odata.type":"#Shop.Product","##
                + #""@odata.id":"http://h/Products(1)","@odata.editLink":"http://h/Products(1)","#
                + ##""ID@odata.type":"#Int32","ID":1,"Name":"a","##
                + #""Maker@odata.associationLink":"http://h/Products(1)/Maker/$ref","#
                + #""Maker@odata.navigationLink":"http://h/Products(1)/Maker","#
                + #""Parts@odata.associationLink":"http://h/Products(1)/Parts/$ref","#
                + #""Parts@odata.navigationLink":"http://h/Products(1)/Parts"}"#)
    }

    @Test("Full metadata tells the links of streams", arguments: [true, false])
    func linksOfStreams(isEditable: Bool) async throws {
        let shape = try ShopModel.shape(["ID"], expands: false)
        var options = JSONWriterOptions()
        options.metadata = .full
        options.isEditable = isEditable
        let text = try await Self.written(
            #"{"@odata.id":"Products(1)","ID":1,"@odata.mediaContentType":"image/png","#
                + #""Photo@odata.mediaReadLink":"p.jpg","Photo@odata.mediaContentType":"image/jpeg"}"#,
            shape: shape, kind: .entity, options: options)
        let media = isEditable ? #""@odata.mediaEditLink":"Products(1)/$value","# : ""
        let photo = isEditable ? #""Photo@odata.mediaEditLink":"Products(1)/Photo","# : ""
        #expect(
            text.contains(
                #""ID":1,"@odata.mediaReadLink":"Products(1)/$value",\#(media)"@odata.mediaContentType":"image/png","#
                    + #""Photo@odata.mediaReadLink":"p.jpg",\#(photo)"Photo@odata.mediaContentType":"image/jpeg""#),
            "\(text)")
    }

    @Test func longNumbersAreTextForIEEE754Compatible() async throws {
        let shape = try ShopModel.shape(["ID", "Stock", "Price", "Home"], expands: false)
        var options = JSONWriterOptions()
        options.ieee754Compatible = true
        let text = #"{"value":[{"ID":1,"Stock":-20,"Price":1.50,"Home":{"Zip":5}}]}"#
        #expect(
            try await Self.written(text, shape: shape, options: options)
                == #"{"value":[{"ID":1,"Stock":"-20","Price":"1.50","Home":{"Zip":"5"}}]}"#)
    }

    @Test(arguments: [
        (
            JSONWriterOptions.Removal.removed,
            #"{"@removed":{"reason":"changed"},"@id":"Products(2)"},{"@removed":{"reason":"deleted"},"@id":"Products(3)"}"#
        ),
        (
            .deletedEntity,
            ##"{"@odata.context":"#Products/$deletedEntity","id":"Products(2)","reason":"changed"},"##
                + ##"{"@odata.context":"#Products/$deletedEntity","id":"Products(3)","reason":"deleted"}"##
        ),
    ])
    func removalsAreWrittenInBothForms(form: JSONWriterOptions.Removal, expected: String) async throws {
        let shape = try ShopModel.shape(["ID"], expands: false)
        var options = JSONWriterOptions()
        options.isDelta = true
        options.removal = form
        options.contextURL = "$metadata#Products"
        let text = #"""
            {"value":[{"ID":1},{"@removed":{"reason":"changed"},"@id":"Products(2)"},{"@removed":{},"@id":"Products(3)"},
            {"@odata.context":"#Products/$link","source":"s","relationship":"r","target":"t"}],"@deltaLink":"d"}
            """#
        #expect(
            try await Self.written(text, shape: shape, options: options)
                == ##"{"@odata.context":"$metadata#Products/$delta","value":[{"ID":1},\##(expected),"##
                + ##"{"@odata.context":"#Products/$link","source":"s","relationship":"r","target":"t"}],"##
                + ##""@odata.deltaLink":"d"}"##)
    }

    @Test("Entities of other sets keep what they expand, and are none of the result")
    func entitiesOfOtherSets() async throws {
        let shape = try ShopModel.shape(["ID", "Name"])
        let makers = try #require(shape.model.entitySet(named: "Makers"))
        let expandsProducts = RowShape(
            model: shape.model, entitySet: makers, type: makers.type,
            children: [.init(navigation: makers.type.navigationProperties[0], shape: shape)])
        let root = RowShape(
            model: shape.model, entitySet: shape.entitySet, type: shape.type, properties: shape.properties,
            children: [.init(navigation: shape.type.navigationProperties[0], shape: expandsProducts)])
        var options = JSONWriterOptions()
        options.isDelta = true
        let kept = ##"""
            {"value":[{"ID":1,"Name":"tea"},{"@odata.context":"#Makers/$entity","ID":7,"Name":"maker",\##
            "Products":[{"ID":2,"Name":"pot"}]},{"@removed":{"reason":"deleted"},"@id":"Products(3)"}]}
            """##
        let alone =
            #"{"value":[{"ID":1,"Name":"tea"},{"@removed":{"reason":"deleted"},"@id":"Products(3)"}]}"#
        for (shape, expected) in [(root, kept), (try ShopModel.shape(["ID", "Name"], expands: false), alone)] {
            for chunk in [3, 1 << 20] {
                let entities = try await JSONEntityReader(kept, shape: shape, chunk: chunk).entities()
                #expect(entities.map { $0["Name"] } == [.string("tea")])
            }
            #expect(try await Self.written(kept, shape: shape, options: options) == expected)
        }
    }

    @Test func anEntityValueIsWrittenAsAnObject() async throws {
        let shape = try ShopModel.shape()
        let entity = try #require(try await JSONEntityReader(JSONEntityReaderTests.full, shape: shape).entities().first)
        var options = JSONWriterOptions()
        options.writesIDs = true
        let bytes = JSONPayload.bytes(entity: entity, model: shape.model, options: options)
        let again = try await JSONEntityReader(.init(bytes), shape: shape, kind: .entity).entities()
        #expect(again == [entity])
    }
}
