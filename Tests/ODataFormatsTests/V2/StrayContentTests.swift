import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats

@Suite("What has no place in payloads of V2")
struct StrayContentTests {
    private static let home = QualifiedName("Shop.Address")

    private static func read(_ reader: any EntityReader) async throws -> (entities: [Entity], told: [String]) {
        var (entities, told) = ([Entity](), [String]())
        while let block = try await reader.next() {
            entities += EntityAssembler(shape: reader.shape).entities(in: block)
            told += block.diagnostics.map(\.message)
        }
        return (entities, told)
    }

    private static func atom(
        _ text: String, chunk: Int = 1 << 20, takesNull: Bool = false
    ) throws -> AtomEntityReader {
        var limits = PayloadLimits.default
        limits.takesBadValuesAsNull = takesNull
        return AtomEntityReader(
            ByteContent(PieceSource(bytes: Array(text.utf8), size: chunk)), shape: try ShopModel.shape(),
            kind: .collection, limits: limits)
    }

    // MARK: Atom: values

    private static let bad: [(xml: String, property: String, message: String)] = [
        ("<d:Home>Oslo</d:Home>", "Home", "Home is of type Shop.Address, which “Oslo”"),
        ("<d:Home>\n <![CDATA[Oslo]]></d:Home>", "Home", "“Oslo”"),
        ("<d:Home m:type=\"Shop.Address\">Oslo</d:Home>", "Home", "“Oslo”"),
        ("<d:Home>x<d:City>Oslo</d:City></d:Home>", "Home", "“x”"),
        ("<d:Home><d:City>Oslo</d:City>x</d:Home>", "Home", "“x”"),
        ("<d:Home><d:Zip>x</d:Zip></d:Home>", "Home", "Home/Zip is of type Edm.Int64, which “x”"),
        ("<d:Home><d:City><b>Oslo</b></d:City></d:Home>", "Home", "Home/City is of type Edm.String, which “<b>”"),
        ("<d:Home><d:City><d:b>Oslo</d:b></d:City></d:Home>", "Home", "“<b>”"),
        ("<d:Tags>a</d:Tags>", "Tags", "Tags is of type Collection(Edm.String), which “a”"),
        ("<d:Tags><d:element>a</d:element>b</d:Tags>", "Tags", "“b”"),
        ("<d:Name><b>x</b></d:Name>", "Name", "Name is of type Edm.String, which “<b>”"),
        ("<d:Name>x<d:b/>y</d:Name>", "Name", "“<b>”"),
        ("<d:Rank><d:element>5</d:element></d:Rank>", "Rank", "“<element>”"),
        ("<d:Place>here</d:Place>", "Place", "the GML"),
    ]

    @Test("A value in Atom that does not fit is refused by name", arguments: bad, [1, 1 << 20])
    func refused(value: (xml: String, property: String, message: String), chunk: Int) async throws {
        let text = AtomSamples.feed(AtomSamples.entry("<d:ID>2</d:ID>" + value.xml))
        let reader = try Self.atom(text, chunk: chunk)
        let error = await #expect(throws: FormatError.self) { try await Self.read(reader) }
        let message = error?.message ?? ""
        #expect(message.contains("Products(2)") && message.contains(value.message), "\(message)")
        #expect(error?.property == value.property)
        #expect(error?.isOfValue == true && error?.line != nil)
    }

    @Test("It is null and told where the reader takes such values so", arguments: bad)
    func null(value: (xml: String, property: String, message: String)) async throws {
        let entry = AtomSamples.entry("<d:ID>2</d:ID>\(value.xml)<d:Level>7</d:Level>")
        let reader = try Self.atom(AtomSamples.feed(entry + AtomSamples.entry("<d:ID>3</d:ID>")), takesNull: true)
        let (entities, told) = try await Self.read(reader)
        #expect(entities.map { $0["ID"] } == [.integer(2), .integer(3)])
        #expect(entities.first?[value.property] == .null)
        #expect(entities.first?["Level"] == .integer(7))
        #expect(told.count == 1 && told[0].contains("Products(2)") && told[0].contains(value.property), "\(told)")
    }

    // MARK: Atom: what is passed over

    @Test(
        "What is passed over in Atom is told, and the rest is read",
        arguments: [
            (AtomSamples.entry("<d:Extra>1</d:Extra>\(rest)"), "Extra is not a property of Shop.Product"),
            (AtomSamples.entry("<x>1</x>\(rest)"), "<x> is not of the namespace of properties"),
            (AtomSamples.entry("junk \(rest)"), "Text stands between the properties"),
            (AtomSamples.entry("<d:Price m:null='true'>5</d:Price>\(rest)"), "Price is null, but a value"),
            (AtomSamples.entry("<d:Price m:null='true'><d:x/></d:Price>\(rest)"), "Price is null, but a value"),
            (AtomSamples.entry("<d:Color m:null='1'>Red</d:Color>\(rest)"), "Color is null, but a value"),
            (
                AtomSamples.entry("<d:Home><d:City>Oslo</d:City><d:Land>N</d:Land></d:Home>\(rest)"),
                "Land is not a property of Shop.Address"
            ),
            (AtomSamples.entry("<d:Home><City>x</City><d:City>Oslo</d:City></d:Home>\(rest)"), "<City> stands in Home"),
            (AtomSamples.entry("<d:Home m:null='true'>x</d:Home>\(rest)"), "Home is null, but a value"),
            (AtomSamples.entry("<d:Home><d:City m:null='true'>x</d:City></d:Home>\(rest)"), "Home/City is null"),
            (AtomSamples.entry("<d:Tags><x>a</x></d:Tags>\(rest)"), "<x> stands in Tags"),
            ("junk" + AtomSamples.entry(rest), "Text stands between the entries"),
            (AtomSamples.entry(rest) + "junk", "Text stands between the entries"),
            ("<d:ID>1</d:ID>" + AtomSamples.entry(rest), "<ID> stands in the feed"),
            ("<entry>junk\(content)</entry>", "between the elements of an entry"),
            ("<entry><d:ID>1</d:ID>\(content)</entry>", "<ID> stands in the entry"),
            ("<entry><content>junk</content>\(properties)</entry>", "in the content"),
            ("<entry><content><d:ID>1</d:ID></content>\(properties)</entry>", "<ID> stands in the content"),
            (AtomSamples.entry(rest, links: link("Extra", "")), "Extra is not a navigation property of Shop.Product"),
            (AtomSamples.entry(rest, links: link("Maker", "junk<m:inline/>")), "Text stands in a link"),
            (AtomSamples.entry(rest, links: link("Maker", "<m:inline>junk</m:inline>")), "Text stands in a link"),
            (
                AtomSamples.entry(rest, links: link("Maker", "<m:inline><d:ID>1</d:ID></m:inline>")),
                "<ID> stands in the link"
            ),
            (AtomSamples.entry(rest, links: link("Maker", "<m:inline><feed/></m:inline>")), "Maker is one entity"),
            (AtomSamples.entry(rest, links: link("Parts", "<m:inline><entry/></m:inline>")), "Parts is a collection"),
        ])
    func told(content: String, message: String) async throws {
        let (entities, told) = try await Self.read(try Self.atom(AtomSamples.feed(content)))
        #expect(entities.map { $0["ID"] } == [.integer(2)])
        #expect(entities.first?["Name"] == .string("Tea"))
        #expect(told.count == 1 && told[0].contains(message) && told[0].hasSuffix("."), "\(told)")
    }

    private static let rest = "<d:ID>2</d:ID><d:Name>Tea</d:Name>"
    private static let properties = "<m:properties>\(rest)</m:properties>"
    private static let content = "<content type=\"application/xml\">\(properties)</content>"

    private static func link(_ name: String, _ content: String) -> String {
        "<link rel=\"\(AtomSamples.related)/\(name)\" href=\"x\">\(content)</link>"
    }

    @Test(
        "Two entries where one entity belongs are refused",
        arguments: [
            link("Maker", "<m:inline><entry/><entry/></m:inline>"),
            link("Maker", "<m:inline><feed><entry/><entry/></feed></m:inline>"),
            link("Maker", "<m:inline><entry/></m:inline>") + link("Maker", "<m:inline><entry/></m:inline>"),
        ])
    func two(links: String) async throws {
        let reader = try Self.atom(AtomSamples.feed(AtomSamples.entry(Self.rest, links: links)))
        let error = await #expect(throws: FormatError.self) { try await Self.read(reader) }
        #expect(error?.message.contains("Maker is one entity, but several") == true, "\(error?.message ?? "")")
    }

    @Test("White space, comments and elements that extend Atom mean nothing")
    func usual() async throws {
        let text = AtomSamples.feed(
            " <!-- x -->\n<entry> <georss:point xmlns:georss='urn:g'>1 2</georss:point>\n<updated>2024</updated>"
                + "<content>\n \(Self.properties) </content></entry>\n")
        let (entities, told) = try await Self.read(try Self.atom(text))
        #expect(entities.map { $0["ID"] } == [.integer(2)])
        #expect(told == [])
    }

    // MARK: Atom: small messages

    @Test(
        "Values that do not fit are refused",
        arguments: [
            ("Oslo", TypeReference.complex(home)), ("x<d:City>Oslo</d:City>", .complex(home)),
            ("a", .collection(.string)), ("<d:element>a</d:element>b", .collection(.string)), ("<b>5</b>", .int32),
            ("<b/>Red", .enumeration(ShopModel.color)), ("<d:City><b>x</b></d:City>", .complex(home)),
        ])
    func values(content: String, type: TypeReference) throws {
        let text = "<d:Thing \(AtomSamples.namespaces)>\(content)</d:Thing>"
        let model = try ShopModel.make()
        #expect(throws: FormatError.self) { try V2Format.atom.value(Array(text.utf8), type: type, model: model) }
    }

    @Test(
        "Entities to be made with what would be lost are refused",
        arguments: [
            ("<content><m:properties><d:Home>Oslo</d:Home></m:properties></content>", "“Oslo”"),
            ("<content><m:properties><d:Tags>a</d:Tags></m:properties></content>", "“a”"),
            ("<content><m:properties><d:Name><b>x</b></d:Name></m:properties></content>", "“<b>”"),
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
        let type = try #require(model.structuredType(named: QualifiedName("Shop.Product")))
        let text = "<entry \(AtomSamples.namespaces)>\(content)</entry>"
        let error = #expect(throws: FormatError.self) {
            try V2Format.atom.entity(Array(text.utf8), type: type, model: model)
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
            (#"{"Count":5}"#, TypeReference.int32, Value.integer(5)), ("5", .int32, .integer(5)),
            (#"{"results":["a"]}"#, .collection(.string), .collection([.string("a")])),
            (#"["a"]"#, .collection(.string), .collection([.string("a")])),
            (#"{"City":"Oslo"}"#, .complex(home), .complex(["City": .string("Oslo")])),
            (#"{"GetHome":{"City":"Oslo"}}"#, .complex(home), .complex(["City": .string("Oslo")])),
        ])
    func bareValue(text: String, type: TypeReference, value: Value) throws {
        let found = try V2Format.verboseJSON.value(Array(text.utf8), type: type, model: try ShopModel.make())
        #expect(found == value)
    }

    @Test("An error instead of a value is told, and a value that does not fit is refused")
    func badValue() throws {
        let model = try ShopModel.make()
        let number = [
            #"{"error":{"code":"1","message":{"value":"Gone."}}}"#, "{}", #"{"a":"x"}"#, "[]", #"{"a":5,"b":5}"#,
        ]
        let cases =
            number.map { ($0, TypeReference.int32) } + [
                (#"{"session":"expired","code":5}"#, .complex(Self.home)),
                (#"{"session":"expired"}"#, .complex(Self.home)),
                (#"{"session":"expired","code":5}"#, .collection(.string)),
            ]
        for (text, type) in cases {
            #expect(throws: FormatError.self, "\(text)") {
                try V2Format.verboseJSON.value(Array(text.utf8), type: type, model: model)
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
