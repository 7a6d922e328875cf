import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite("What has no place in payloads of V2")
struct StrayContentTests {
    private static let home = EdmQualifiedName("Shop.Address")

    private static func read(_ reader: any EntityReader) async throws -> (entities: [EdmEntity], told: [String]) {
        var (entities, told) = ([EdmEntity](), [String]())
        while let block = try await reader.next() {
            entities += EntityAssembler(shape: reader.shape).entities(in: block)
            told += block.diagnostics.map(\.message)
        }
        return (entities, told)
    }

    private static func link(_ name: String, _ content: String) -> String {
        "<link rel=\"\(AtomSamples.related)/\(name)\" href=\"x\">\(content)</link>"
    }

    // MARK: Atom: small messages

    @Test(
        "Values that do not fit are refused",
        arguments: [
            ("Oslo", EdmTypeReference.complex(home)), ("x<d:City>Oslo</d:City>", .complex(home)),
            ("a", .collection(.string)), ("<d:element>a</d:element>b", .collection(.string)), ("<b>5</b>", .int32),
            ("<b/>Red", .enumeration(ShopModel.color)), ("<d:City><b>x</b></d:City>", .complex(home)),
        ])
    func values(content: String, type: EdmTypeReference) throws {
        let text = "<d:Thing \(AtomSamples.namespaces)>\(content)</d:Thing>"
        let model = try ShopModel.make()
        #expect(throws: FormatError.self) { try LegacyFormat.atom.value(Array(text.utf8), type: type, model: model) }
    }

    @Test(
        "Entities to be made with what would be lost are refused",
        arguments: [
            ("<content><m:properties><d:Home>Oslo</d:Home></m:properties></content>", "“Oslo”"),
            ("<content><m:properties><d:Tags>a</d:Tags></m:properties></content>", "“a”"),
            ("<content><m:properties><d:Name><b>x</b></d:Name></m:properties></content>", "not an element <b>"),
            ("<content><m:properties><d:Home><City>x</City></d:Home></m:properties></content>", "<City>"),
            ("<content><m:properties><d:Name m:null='true'>x</d:Name></m:properties></content>", "Name is null"),
            ("<content><m:properties>x<d:ID>1</d:ID></m:properties></content>", "“x”"),
            ("<content><m:properties><Name>x</Name></m:properties></content>", "<Name>"),
            ("<content>x</content>", "“x”"), ("<content><d:ID>1</d:ID></content>", "<ID>"),
            ("<d:ID>1</d:ID>", "<ID>"), ("x", "“x”"), (link("Maker", "<m:inline>x</m:inline>"), "“x”"),
            (link("Maker", "<m:inline><d:ID>1</d:ID></m:inline>"), "<ID>"),
            (link("Maker", "<m:inline><entry/><entry/></m:inline>"), "several"),
        ])
    func bodies(content: String, message: String) throws {
        let model = try ShopModel.make()
        let type = try #require(model.structuredType(named: EdmQualifiedName("Shop.Product")))
        let text = "<entry \(AtomSamples.namespaces)>\(content)</entry>"
        let error = #expect(throws: FormatError.self) {
            try LegacyFormat.atom.entity(Array(text.utf8), type: type, model: model)
        }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    // MARK: Verbose JSON

    @Test(
        "An entity without “d” is read, whatever stands first in it",
        arguments: [
            #"{"ID":1,"Name":"A"}"#, #"{"__metadata":{"uri":"u"},"ID":1,"Name":"A"}"#,
            #"{"Extra":1,"ID":1,"Name":"A"}"#, #"{"Maker":{"__deferred":{"uri":"u"}},"ID":1,"Name":"A"}"#,
            #"{"Photo":{"__mediaresource":{}},"ID":1,"Name":"A"}"#,
            #"{"GetTop":{"__metadata":{"uri":"u"},"ID":1,"Name":"A"}}"#, #"{"d":{"Extra":1,"ID":1,"Name":"A"}}"#,
        ], [1, 1000])
    func bare(text: String, chunk: Int) async throws {
        let reader = try VerboseEntityReaderTests.reader(text, kind: .entity, chunk: chunk)
        let (entities, told) = try await Self.read(reader)
        #expect(entities.map { $0["ID"] } == [.integer(1)])
        #expect(entities.map { $0["Name"] } == [.string("A")])
        #expect(told.count == (text.contains("Extra") ? 1 : 0), "\(told)")
    }

    @Test("A collection without “d” is read", arguments: [#"[{"ID":1}]"#, #"{"results":[{"ID":1}],"__count":"1"}"#])
    func bareCollection(text: String) async throws {
        let (entities, _) = try await Self.read(try VerboseEntityReaderTests.reader(text))
        #expect(entities.map { $0["ID"] } == [.integer(1)])
    }

    @Test(
        "What holds no data is still an error",
        arguments: [#"{}"#, #"{"session":"expired"}"#, #"{"error":{"code":"1","message":"No."}}"#],
        [
            PayloadKind.entity, .collection,
        ])
    func noData(text: String, kind: PayloadKind) async throws {
        let reader = try VerboseEntityReaderTests.reader(text, kind: kind)
        await #expect(throws: FormatError.self) { try await Self.read(reader) }
    }

    @Test(
        "A value without “d” is read",
        arguments: [
            (#"{"Count":5}"#, EdmTypeReference.int32, EdmValue.integer(5)), ("5", .int32, .integer(5)),
            (#"{"results":["a"]}"#, .collection(.string), .collection([.string("a")])),
            (#"["a"]"#, .collection(.string), .collection([.string("a")])),
            (#"{"City":"Oslo"}"#, .complex(home), .complex(["City": .string("Oslo")])),
            (#"{"GetHome":{"City":"Oslo"}}"#, .complex(home), .complex(["City": .string("Oslo")])),
        ])
    func bareValue(text: String, type: EdmTypeReference, value: EdmValue) throws {
        let found = try LegacyFormat.verboseJSON.value(Array(text.utf8), type: type, model: try ShopModel.make())
        #expect(found == value)
    }

    @Test(
        "Without “d” only the name of the property or function is that of the value",
        arguments: [
            (#"{"Name":"Tea"}"#, EdmTypeReference.string, true), (#"{"session":"expired"}"#, .string, false),
            (#"{"name":"Tea"}"#, .string, false), (#"{"Name":{"City":"Oslo"}}"#, .complex(home), true),
            (#"{"session":{"City":"Oslo"}}"#, .complex(home), false), (#"{"City":"Oslo"}"#, .complex(home), true),
            (#"{"Name":["a"]}"#, .collection(.string), true), (#"{"sessions":["a"]}"#, .collection(.string), false),
            (#"{"results":["a"]}"#, .collection(.string), true), (#"{"d":{"Name":"Tea"}}"#, .string, true),
        ])
    func namedValue(text: String, type: EdmTypeReference, isValue: Bool) throws {
        let model = try ShopModel.make()
        let value = try? LegacyFormat.verboseJSON.value(Array(text.utf8), type: type, name: "Name", model: model)
        #expect((value != nil) == isValue)
    }

    @Test("An error instead of a value is told, and a value that does not fit is refused")
    func badValue() throws {
        let model = try ShopModel.make()
        let number = [
            #"{"error":{"code":"1","message":{"value":"Gone."}}}"#, "{}", #"{"a":"x"}"#, "[]", #"{"a":5,"b":5}"#,
        ]
        let cases =
            number.map { ($0, EdmTypeReference.int32) } + [
                (#"{"session":"expired","code":5}"#, .complex(Self.home)),
                (#"{"session":"expired"}"#, .complex(Self.home)),
                (#"{"session":"expired","code":5}"#, .collection(.string)),
            ]
        for (text, type) in cases {
            #expect(throws: FormatError.self, "\(text)") {
                try LegacyFormat.verboseJSON.value(Array(text.utf8), type: type, model: model)
            }
        }
    }

    @Test(
        "What a closed type does not have is told in verbose JSON",
        arguments: [
            (#"{"ID":1,"Extra":1}"#, "Extra is not a property of Shop.Product"),
            (#"{"ID":1,"Home":{"City":"Oslo","Land":"N"}}"#, "Land is not a property of Shop.Address"),
            (#"{"ID":1,"Maker":{"ID":1,"Extra":{"a":1}}}"#, "Extra is not a property of Shop.Maker"),
        ])
    func undeclared(entity: String, message: String) async throws {
        let reader = try VerboseEntityReaderTests.reader(#"{"d":{"results":[\#(entity),\#(entity)]}}"#)
        let (entities, told) = try await Self.read(reader)
        #expect(entities.count == 2)
        #expect(told.count == 1 && told[0].contains(message), "\(told)")
    }
}
