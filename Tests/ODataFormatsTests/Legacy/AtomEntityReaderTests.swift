import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite("Atom reader")
struct AtomEntityReaderTests {
    @Test("All kinds of values are read, however the bytes are cut", arguments: [1, 3, 64, 1 << 20])
    func values(chunk: Int) async throws {
        let reader = AtomEntityReader(AtomSamples.full, shape: try ShopModel.shape(), chunk: chunk)
        let blocks = try await reader.allBlocks()
        let entities = blocks.flatMap { EntityAssembler(shape: reader.shape).entities(in: $0) }
        #expect(blocks.last?.nextLink == "http://h/root/Products?$skiptoken=2")
        #expect(blocks.compactMap(\.count) == [2])
        #expect(entities.count == 2)
        let first = try #require(entities.first)
        #expect(first.id == "http://h/root/Products(1)")
        #expect(first.etag == "W/\"1\"")
        try expectValues(first)
        #expect(first.media?.contentType == "image/png")
        #expect(first.media?.readLink == "http://h/root/Products(1)/$value")
        #expect(first.media?.editLink == "http://h/root/Products(1)/$value")
        #expect(first.media?.etag == "\"m\"")
        #expect(first.streams["Photo"]?.readLink == "http://h/root/Products(1)/Photo")
        #expect(first.streams["Photo"]?.editLink == "http://h/photos/1")
        #expect(first.streams["Photo"]?.contentType == "image/jpeg")
        #expect(first.streams["Photo"]?.etag == "\"p\"")
        #expect(
            entities[1].properties == [
                "ID": .integer(2), "Name": .string(""), "Stock": .null, "Weight": .double(.infinity), "Home": .null,
            ])
    }

    private func expectValues(_ entity: EdmEntity) throws {
        let expected: EdmComplexValue = [
            "ID": .integer(1), "Name": .string("Größe <x> & é"), "Stock": .integer(.max), "Small": .integer(-128),
            "Level": .integer(255), "Rank": .integer(-32768),
            "Price": .decimal(try #require(EdmDecimal("12345678901234567890.123456789"))), "Weight": .double(-1500),
            "Old": .boolean(true), "Code": .guid(try #require(EdmGuid("01234567-89ab-cdef-0123-456789abcdef"))),
            "Born": .date(try #require(EdmDate("2024-02-29"))),
            "Changed": .dateTimeOffset(try #require(EdmDateTimeOffset("2024-02-29T12:00:00.5Z"))),
            "Opens": .timeOfDay(try #require(EdmTimeOfDay("07:59:59"))),
            "Lasts": .duration(try #require(EdmDuration("P1DT2H"))), "Data": .binary([0, 1, 2, 255]),
            "Place": .geo(#"{"type":"Point","coordinates":[1,2]}"#), "Color": .enumeration(ShopModel.color, "Red"),
            "Home": .complex(["City": .string("Köln"), "Zip": .integer(50667)]),
            "Tags": .collection([.string("a"), .string("b")]),
        ]
        #expect(entity.properties == expected)
    }

    private static func feed(_ properties: String) -> String {
        """
        <feed xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:x="urn:x"><entry>
        <id>http://h/root/Products(1)</id><content type="application/xml"><m:properties><d:ID>1</d:ID>\(properties)
        </m:properties></content></entry></feed>
        """
    }

    @Test(
        "Text and elements where a value cannot have them are refused, with the entity and the property",
        arguments: [
            ("<d:Home>Oslo</d:Home>", "Home is of the complex type Shop.Address, but the payload has “Oslo”."),
            (
                "<d:Home>\n <d:City>a</d:City> x</d:Home>",
                "Home is of the complex type Shop.Address, but the payload has “x”"
            ),
            ("<d:Tags>a,b</d:Tags>", "Tags is a collection of Edm.String, but the payload has “a,b”."),
            (
                "<d:Home><d:City><d:X>5</d:X></d:City></d:Home>",
                "City is of type Edm.String, but the payload has the element X"
            ),
            ("<d:Home><d:City m:null=\"true\">a</d:City></d:Home>", "City is null, but the payload has “a”."),
            ("<d:Home m:null=\"true\">a</d:Home>", "Home is null, but the payload has “a”."),
            ("<d:Name><d:X>5</d:X></d:Name>", "Name is of type Edm.String, but the payload has the element X."),
            ("<d:Name m:null=\"true\">a</d:Name>", "Name is null, but the payload has “a”."),
            ("<d:Rank>x</d:Rank>", "Rank is of type Edm.Int16, which “x” is not a value of."),
        ])
    func misplaced(properties: String, message: String) async throws {
        for chunk in [1, 1 << 20] {
            let reader = AtomEntityReader(Self.feed(properties), shape: try ShopModel.shape(), chunk: chunk)
            let error = await #expect(throws: FormatError.self) { try await reader.allBlocks() }
            let expected = chunk == 1 ? message.prefix { $0 != "“" } : message[...]
            #expect(error?.message.hasPrefix("Products(1): \(expected)") == true, "\(error?.message ?? "")")
            #expect(error?.entity == "Products(1)")
        }
    }

    @Test(
        "Elements that have no place among properties are told, and passed over",
        arguments: [
            ("<d:Colour>red</d:Colour>", "Colour is not a property of Shop.Product: it is ignored."),
            ("<x:Name>n</x:Name>", "The element Name is among properties: it is ignored."),
            ("<d:Home><x:City>n</x:City></d:Home>", "The element City is among properties: it is ignored."),
            ("stray", "“stray” is between properties."),
        ])
    func passedOver(properties: String, message: String) async throws {
        let reader = AtomEntityReader(Self.feed(properties), shape: try ShopModel.shape())
        let blocks = try await reader.allBlocks()
        #expect(blocks.flatMap(\.diagnostics).map(\.message) == ["Products(1): \(message)"])
        #expect(blocks.flatMap(\.rows).count == 1)
    }

    @Test("Inline entries and feeds are expanded entities, in the order of the shape")
    func inline() async throws {
        let shape = try ShopModel.shape()
        let blocks = try await AtomEntityReader(AtomSamples.full, shape: shape).allBlocks()
        let block = try #require(blocks.first)
        #expect(block.rows.map(\.depth) == [0, 1, 1, 2, 1, 0])
        #expect(block.rows.map(\.child) == [-1, 0, 1, 0, 1, -1])
        let first = try #require(EntityAssembler(shape: shape).entities(in: block).first)
        guard case .many(let parts, let count) = first.expanded["Parts"] else {
            Issue.record("Parts are not expanded")
            return
        }
        #expect(count == 7)
        #expect(parts.map { $0["ID"] } == [.integer(2), .integer(3)])
        #expect(parts.map { $0["Name"] } == [.string("B"), .null])
        #expect(parts[1].expanded["Maker"] == .one(nil))
        guard case .one(let maker?) = first.expanded["Maker"] else {
            Issue.record("The maker is not expanded")
            return
        }
        #expect(maker.properties == ["ID": .integer(8), "Name": .string("N")])
        #expect(block.expansions.map(\.nextLink) == ["http://h/root/Products(1)/Parts?$skiptoken=3"])
    }

    @Test("Tombstones are removed entities, and the delta link is found")
    func tombstones() async throws {
        let text = AtomSamples.feed(
            """
            \(AtomSamples.entry("<d:ID>1</d:ID>"))
            <at:deleted-entry ref="http://h/root/Products(2)" when="2024-01-01T00:00:00Z"/>
            <at:deleted-entry ref="http://h/root/Products(3)" when="2024-01-01T00:00:00Z" reason="changed"/>
            <link rel="delta" href="Products?!deltatoken='5'"/>
            """)
        let blocks = try await AtomEntityReader(text, shape: ShopModel.shape()).allBlocks()
        #expect(blocks.flatMap(\.rows).map(\.change) == [.entity, .deleted, .left])
        let ids = blocks.flatMap { block in block.rows.map { block.text($0.id) } }
        #expect(ids[1] == "http://h/root/Products(2)")
        #expect(blocks.last?.deltaLink == "http://h/root/Products?!deltatoken='5'")
    }

    @Test("An entry is read, its edit link standing for an id that is not a URL")
    func entry() async throws {
        let text = """
            <entry \(AtomSamples.namespaces) xml:base="http://h/root/"><id>urn:1</id><link rel="edit" href="Products(1)"/>
            <content type="application/xml"><m:properties><d:ID>1</d:ID></m:properties></content></entry>
            """
        let entities = try await AtomEntityReader(text, shape: ShopModel.shape(), kind: .entity).allEntities()
        #expect(entities.map(\.id) == ["http://h/root/Products(1)"])
        #expect(entities.map(\.properties) == [["ID": .integer(1)]])
    }

    @Test("An empty feed has no rows, a feed with a count says it")
    func empty() async throws {
        let shape = try ShopModel.shape()
        #expect(try await AtomEntityReader(AtomSamples.feed(""), shape: shape).allBlocks().isEmpty)
        let blocks = try await AtomEntityReader(AtomSamples.feed("<m:count>0</m:count>"), shape: shape).allBlocks()
        #expect(blocks.map(\.count) == [0])
    }

    @Test(
        "What is broken, of another type or no feed is an error that says where",
        arguments: [
            ("<feed \(AtomSamples.namespaces)>", "broken"),
            ("<html/>", "root is “html”"),
            ("<entry \(AtomSamples.namespaces)/>", "an entry instead of a feed"),
            (AtomSamples.feed(AtomSamples.entry("<d:ID>x</d:ID>")), "ID is of type Edm.Int32"),
            (AtomSamples.feed(AtomSamples.entry("<d:ID>3000000000</d:ID>")), "ID is of type Edm.Int32"),
            (AtomSamples.feed(AtomSamples.entry("<d:Changed>soon</d:Changed>")), "Changed is of type"),
            (AtomSamples.feed(AtomSamples.entry("<d:Home><d:Zip>x</d:Zip></d:Home>")), "Zip is of type Edm.Int64"),
            (AtomSamples.feed("<m:count>x</m:count>"), "not a count"),
            ("<!DOCTYPE feed [<!ENTITY a 'b'>]><feed/>", "document type"),
            (
                "<m:error xmlns:m='\(AtomNamespace.metadata)'><m:code>5</m:code><m:message>Gone.</m:message></m:error>",
                "Gone."
            ),
        ])
    func errors(text: String, message: String) async throws {
        let reader = AtomEntityReader(text, shape: try ShopModel.shape(), chunk: 50)
        let error = await #expect(throws: FormatError.self) { try await reader.allBlocks() }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.line != nil)
        #expect(try await reader.next()?.rows.count == nil)
    }

    @Test("An entry that is too long is refused")
    func limits() async throws {
        var limits = PayloadLimits()
        limits.entityBytes = 1000
        let name = String(repeating: "x", count: 2000)
        for property in ["<d:Name>\(name)</d:Name>", "<d:Tags><d:element>\(name)</d:element></d:Tags>"] {
            let text = AtomSamples.feed(AtomSamples.entry(property))
            let reader = AtomEntityReader(text, shape: try ShopModel.shape(), limits: limits)
            await #expect(throws: FormatError.self) { try await reader.allBlocks() }
        }
    }

    @Test("Long feeds come in several blocks, each with whole entities")
    func blocks() async throws {
        let entry = AtomSamples.entry("<d:ID>1</d:ID><d:Name>\(String(repeating: "x", count: 1000))</d:Name>")
        let text = AtomSamples.feed("<m:count>300</m:count>" + String(repeating: entry, count: 300))
        let blocks = try await AtomEntityReader(text, shape: ShopModel.shape(), chunk: 5000).allBlocks()
        #expect(blocks.count > 2)
        #expect(blocks.map(\.rows.count).reduce(0, +) == 300)
        #expect(blocks.first?.count == 300)
    }

    /// A model of V3: a base and a derived type, an open type, feed customisation.
    private static func customised() throws -> RowShape {
        let xml = """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
            <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="\(AtomNamespace.metadata)">
            <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
            <EntityType Name="Note" OpenType="true" m:FC_TargetPath="SyndicationSummary" m:FC_SourcePath="Text"
              m:FC_TargetPath_1="SyndicationRights" m:FC_SourcePath_1="Owner">
            <Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String" m:FC_TargetPath="SyndicationTitle" m:FC_KeepInContent="false"/>
            <Property Name="Text" Type="Edm.String"/><Property Name="Owner" Type="Edm.String"/>
            <Property Name="Author" Type="Edm.String" m:FC_TargetPath="SyndicationAuthorName" m:FC_KeepInContent="false"/>
            <Property Name="Stars" Type="Edm.Int32" m:FC_TargetPath="stars" m:FC_NsUri="urn:x" m:FC_NsPrefix="x"/>
            </EntityType>
            <EntityType Name="Memo" BaseType="N.Note"><Property Name="Due" Type="Edm.DateTime"/></EntityType>
            <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Notes" EntityType="N.Note"/>
            </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """
        let (model, _) = try CSDL.read(xml: Array(xml.utf8))
        let notes = try #require(model.entitySet(named: "Notes"))
        let memo = try #require(model.structuredType(named: EdmQualifiedName("N.Memo")))
        let dynamic = EdmProperty(name: "$dynamic", type: .primitive(.untyped))
        return RowShape(
            model: model, entitySet: notes, type: notes.type, properties: memo.properties + [dynamic],
            types: [notes.type, memo], dynamicSlot: memo.properties.count)
    }

    @Test("Feed customisation, derived types and dynamic properties are read")
    func customisation() async throws {
        let text = AtomSamples.feed(
            """
            <entry><id>http://h/Notes(1)</id><category term="N.Memo" scheme="\(AtomNamespace.scheme)"/>
            <title>Tea</title><summary>Buy some</summary><rights>All</rights><author><name>Ada</name></author>
            <x:stars xmlns:x="urn:x">5</x:stars><content type="application/xml"><m:properties><d:ID>1</d:ID>
            <d:Text>In the content</d:Text><d:Due m:type="Edm.DateTime">2024-01-02T03:04:05</d:Due>
            <d:Color>red</d:Color><d:Size m:type="Edm.Int32">5</d:Size><d:Place><d:City>Oslo</d:City></d:Place>
            </m:properties></content></entry>
            <entry><title/><content type="application/xml"><m:properties><d:ID>2</d:ID><d:Title m:null="true"/>
            </m:properties></content></entry>
            """)
        let shape = try Self.customised()
        let blocks = try await AtomEntityReader(text, shape: shape, chunk: 100).allBlocks()
        let block = try #require(blocks.first)
        #expect(block.rows.map(\.type) == [1, 0])
        let slots = ["ID", "Title", "Text", "Owner", "Author", "Stars", "Due"].map { shape.slot(of: $0) ?? 0 }
        #expect(
            slots.map { block.value(row: 0, slot: $0, shape: shape)?.lexical } == [
                "1", "Tea", "In the content", "All", "Ada", "5", "2024-01-02T03:04:05Z",
            ])
        #expect(
            slots.map { block.value(row: 1, slot: $0, shape: shape)?.lexical } == [
                "2", "null", nil, nil, nil, nil, nil,
            ])
        let dynamic = block.slots[Int(block.rows[0].firstSlot) + slots.count]
        #expect(
            String(decoding: block.buffer[dynamic.span.range], as: UTF8.self)
                == #"{"Color":"red","Size":5,"Place":{"City":"Oslo"}}"#)
    }
}
