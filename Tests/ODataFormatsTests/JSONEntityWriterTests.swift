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
        return String(decoding: writer.take(), as: UTF8.self)
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
