import ODataModel
import ODataQuery
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite("Small messages of V2")
struct LegacyPayloadTests {
    static let formats: [LegacyFormat] = [.atom, .verboseJSON]

    private static let values: [(EdmValue, EdmTypeReference)] = [
        (.integer(1), .int32), (.integer(.max), .int64), (.string("a<b&\"'"), .string), (.null, .string),
        (.boolean(true), .boolean), (.double(-1.5), .double), (.double(.infinity), .double),
        (.binary([0, 1, 255]), .primitive(.binary)), (.string(""), .string),
        (.collection([.integer(1), .integer(2)]), .collection(.int32)), (.collection([]), .collection(.string)),
        (.complex(["City": .string("Oslo"), "Zip": .integer(5)]), .complex(ShopModel.address)),
        (.complex(["City": .string("Oslo")]), .complex(ShopModel.address)),
        (.geo(#"{"type":"Point","coordinates":[13.5,52.25]}"#), .primitive(.geographyPoint)),
        (.geo(#"{"type":"Polygon","coordinates":[[[0,1],[2,3],[4,5],[0,1]]]}"#), .primitive(.geographyPolygon)),
        (.enumeration(ShopModel.color, "Red"), .enumeration(ShopModel.color)),
    ]

    @Test("Values are read as they were written", arguments: formats)
    func values(format: LegacyFormat) throws {
        let model = try ShopModel.make()
        var values = Self.values
        values.append((.decimal(try #require(EdmDecimal("12.50"))), .decimal))
        values.append((.date(try #require(EdmDate("2024-02-29"))), .primitive(.date)))
        values.append(
            (
                .dateTimeOffset(try #require(EdmDateTimeOffset("2024-02-29T12:00:00.5+01:00"))),
                .primitive(.dateTimeOffset)
            ))
        values.append((.timeOfDay(try #require(EdmTimeOfDay("07:59:59"))), .primitive(.timeOfDay)))
        values.append((.duration(try #require(EdmDuration("P1DT2H"))), .primitive(.duration)))
        values.append(
            (.guid(try #require(EdmGuid("01234567-89ab-cdef-0123-456789abcdef"))), .primitive(.guid)))
        for (value, type) in values {
            let bytes = try format.bytes(value: value, name: "Thing", type: type, model: model)
            let found = try format.value(bytes, type: type, model: model)
            #expect(found == value, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(
        "Values that services send are understood",
        arguments: [
            (
                LegacyFormat.atom,
                "<ReturnIntCollection xmlns='\(AtomNamespace.data)'><element>1</element></ReturnIntCollection>"
            ),
            (.verboseJSON, #"{"d":{"results":[1]}}"#),
            (.verboseJSON, #"{"d":{"ReturnIntCollection":{"results":[1]}}}"#),
            (.verboseJSON, #"{"d":[1]}"#), (.verboseJSON, #"{"d":{"results":{"ReturnIntCollection":[1]}}}"#),
        ])
    func collections(format: LegacyFormat, text: String) throws {
        let value = try format.value(Array(text.utf8), type: .collection(.int32), model: try ShopModel.make())
        #expect(value == .collection([.integer(1)]))
    }

    @Test("Entities to be made are read as they were written", arguments: formats)
    func payloads(format: LegacyFormat) throws {
        let model = try ShopModel.make()
        let type = try #require(model.structuredType(named: EdmQualifiedName("Shop.Product")))
        let payload = EntityPayload(
            [
                "Name": .string("Tea"), "Stock": .integer(5), "Price": .decimal(try #require(EdmDecimal("1.50"))),
                "Old": .null, "Home": .complex(["City": .string("Oslo"), "Zip": .integer(5)]),
                "Tags": .collection([.string("a")]),
            ], bindings: [.init(navigation: "Maker", references: [.url("http://h/root/Makers(1)")])],
            nested: [.init(navigation: "Parts", entities: [EntityPayload(["ID": .integer(2)])])])
        let bytes = try format.bytes(
            payload, type: type, model: model, options: LegacyWriterOptions(serviceRoot: "http://h/root/"))
        #expect(try format.entity(bytes, type: type, model: model) == payload)
        let empty = EntityPayload([:], bindings: [.init(navigation: "Maker", references: [])])
        let cleared = try format.bytes(
            empty, type: type, model: model, options: LegacyWriterOptions(serviceRoot: "http://h/root/"))
        #expect(try format.entity(cleared, type: type, model: model) == empty)
    }

    @Test(
        "Entities that do not fit their type are refused",
        arguments: [
            (LegacyFormat.verboseJSON, #"{"Nmae":"x"}"#, "property Nmae is not declared by"),
            (.verboseJSON, #"{"__metadata":{"type":"Shop.Maker"}}"#, "not Shop.Maker"),
            (.verboseJSON, #"{"Stock":"x"}"#, "Stock"), (.verboseJSON, "[]", "An entity is an object"),
            (.atom, "<feed xmlns='\(AtomNamespace.atom)'/>", "An entry is expected"),
            (.atom, entry("<d:Nmae>x</d:Nmae>"), "property Nmae is not declared by"),
            (.atom, entry("<d:Stock>x</d:Stock>"), "Stock"),
            (.atom, entry("<d:Photo>x</d:Photo>"), "is a stream"),
            (.atom, entry("<d:ID>1</d:ID><d:ID>1</d:ID>"), "twice"),
        ])
    func refused(format: LegacyFormat, text: String, message: String) throws {
        let model = try ShopModel.make()
        let type = try #require(model.structuredType(named: EdmQualifiedName("Shop.Product")))
        let error = #expect(throws: FormatError.self) { try format.entity(Array(text.utf8), type: type, model: model) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    private static func entry(_ properties: String) -> String {
        "<entry \(AtomSamples.namespaces)><content><m:properties>\(properties)</m:properties></content></entry>"
    }

    @Test("Links are read as they were written", arguments: formats)
    func links(format: LegacyFormat) throws {
        let one = try format.references(format.bytes(reference: "http://h/Categories('a&b')"))
        #expect(one.references == ["http://h/Categories('a&b')"])
        let many = try format.references(format.bytes(references: ["a", "b"], count: 5, nextLink: "http://h/next"))
        #expect(many.references == ["a", "b"])
        #expect(many.count == 5)
        #expect(many.nextLink == "http://h/next")
    }

    @Test("Errors are read as they were written", arguments: formats)
    func errors(format: LegacyFormat) throws {
        let error = ServiceError(
            code: "SY/530", message: "No <such> thing.",
            details: [.init(code: "1", message: "Really", target: "Name")], innerError: nil)
        let read = format == .atom ? { AtomPayload.error($0) } : { VerbosePayload.error($0) }
        var found = try #require(read(format.bytes(error: error)))
        #expect(found.innerError?.contains("errordetails") == true)
        found.innerError = nil
        #expect(found == error)
        #expect(read(Array("<html/>".utf8)) == nil)
        #expect(read([]) == nil)
    }

    @Test("The inner error of a service stays")
    func innerError() throws {
        let text = """
            <?xml version="1.0"?><m:error xmlns:m="\(AtomNamespace.metadata)"><m:code/><m:message xml:lang="en">No.</m:message>\
            <m:innererror><m:type>T</m:type><m:internalexception><m:message>x</m:message></m:internalexception>\
            </m:innererror></m:error>
            """
        let error = try #require(AtomPayload.error(Array(text.utf8)))
        #expect(error.message == "No.")
        #expect(error.innerError == #"{"type":"T","internalexception":{"message":"x"}}"#)
        #expect(AtomPayload.error(AtomPayload.bytes(error: error)) == error)
    }

    @Test("Service documents name the entity sets", arguments: formats)
    func serviceDocument(format: LegacyFormat) throws {
        let model = try ShopModel.make()
        let bytes = format.serviceDocument(model: model, serviceRoot: "http://h/root/")
        let text = String(decoding: bytes, as: UTF8.self)
        for set in ["Products", "Makers"] {
            #expect(
                text.contains(
                    format == .atom
                        ? #"<collection href="\#(set)"><atom:title>\#(set)</atom:title></collection>"# : #""\#(set)""#))
        }
    }

    @Test(
        "Media types tell the format",
        arguments: [
            ("application/atom+xml;type=feed;charset=utf-8", LegacyFormat.atom), ("application/xml", .atom),
            ("application/json;odata=verbose", .verboseJSON), ("text/plain", nil),
        ])
    func mediaTypes(type: String, format: LegacyFormat?) {
        #expect(LegacyFormat(contentType: type) == format)
    }
}
