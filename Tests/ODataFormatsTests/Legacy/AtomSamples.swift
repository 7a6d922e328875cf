import ByteStreams
import ODataModel

@testable import ODataFormats
@testable import ODataMetadata

/// Documents of the shop in Atom.
enum AtomSamples {
    static let namespaces = """
        xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
        xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:gml="http://www.opengis.net/gml"
        """
    static let related = "http://schemas.microsoft.com/ado/2007/08/dataservices/related"

    static func feed(_ content: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><feed xml:base=\"http://h/root/\" \(namespaces)>\(content)</feed>"
    }

    static func entry(_ properties: String, links: String = "") -> String {
        "<entry>\(links)<content type=\"application/xml\"><m:properties>\(properties)</m:properties></content></entry>"
    }

    static let full = feed(
        """
        <id>http://h/root/Products</id><title type="text">Products</title><link rel="self" href="Products"/>
        <m:count>2</m:count>
        <entry m:etag="W/&quot;1&quot;"><id>http://h/root/Products(1)</id>
        <category term="Shop.Product" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/>
        <title/><updated>2018-05-20T18:27:33Z</updated><author><name/></author>
        <link rel="edit" title="Product" href="Products(1)"/>
        <link rel="edit-media" href="Products(1)/$value" m:etag="&quot;m&quot;"/>
        <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/mediaresource/Photo" type="image/jpeg"
            href="Products(1)/Photo"/>
        <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/edit-media/Photo" m:etag="&quot;p&quot;"
            href="/photos/1"/>
        <link rel="\(related)/Parts" type="application/atom+xml;type=feed" href="Products(1)/Parts"><m:inline>
        <feed><m:count>7</m:count>
        <entry><id>http://h/root/Products(2)</id><link rel="\(related)/Maker" href="x"><m:inline><entry>
        <content type="application/xml"><m:properties><d:ID m:type="Edm.Int32">9</d:ID><d:Name>M</d:Name></m:properties>
        </content></entry></m:inline></link><content type="application/xml"><m:properties>
        <d:ID>2</d:ID><d:Name>B</d:Name></m:properties></content></entry>
        \(entry("<d:ID>3</d:ID><d:Name m:null=\"true\"/>", links: "<link rel=\"\(related)/Maker\"><m:inline/></link>"))
        <link rel="next" href="Products(1)/Parts?$skiptoken=3"/></feed></m:inline></link>
        <link rel="\(related)/Maker" type="application/atom+xml;type=entry" href="Products(1)/Maker"><m:inline>
        \(entry("<d:ID>8</d:ID><d:Name>N</d:Name>"))</m:inline></link>
        <link rel="\(related)/Unknown" href="x"><m:inline>\(entry("<d:ID>7</d:ID>"))</m:inline></link>
        <content type="image/png" src="Products(1)/$value"/>
        <m:properties><d:ID m:type="Edm.Int32">1</d:ID><d:Name>Größe &lt;x&gt;<![CDATA[ & ]]>é</d:Name>
        <d:Stock m:type="Edm.Int64">9223372036854775807</d:Stock><d:Small m:type="Edm.SByte">-128</d:Small>
        <d:Level>255</d:Level><d:Rank>-32768</d:Rank>
        <d:Price m:type="Edm.Decimal">12345678901234567890.123456789</d:Price><d:Weight>-1.5E+3</d:Weight>
        <d:Old>1</d:Old><d:Code m:type="Edm.Guid">01234567-89AB-cdef-0123-456789abcdef</d:Code>
        <d:Born m:type="Edm.DateTime">2024-02-29T00:00:00</d:Born>
        <d:Changed m:type="Edm.DateTime">2024-02-29T12:00:00.5</d:Changed><d:Opens m:type="Edm.Time">PT7H59M59S</d:Opens>
        <d:Lasts>P1DT2H</d:Lasts><d:Data m:type="Edm.Binary">AAEC
        /w==</d:Data><d:Place m:type="Edm.GeographyPoint"><gml:Point><gml:pos>2 1</gml:pos></gml:Point></d:Place>
        <d:Color>Red</d:Color>
        <d:Home m:type="Shop.Address"><d:City>Köln</d:City><d:Zip m:type="Edm.Int64">50667</d:Zip></d:Home>
        <d:Tags m:type="Collection(Edm.String)"><d:element>a</d:element><m:element>b</m:element></d:Tags>
        <d:Unknown><d:x>1</d:x></d:Unknown></m:properties></entry>
        \(entry("<d:ID>2</d:ID><d:Name></d:Name><d:Stock/><d:Weight>INF</d:Weight><d:Home m:null=\"true\"/>"))
        <link rel="next" href="Products?$skiptoken=2"/>
        """)
}

extension AtomEntityReader {
    /// A reader of `text`, which arrives in chunks of `size` bytes.
    convenience init(
        _ text: String, shape: RowShape, kind: PayloadKind = .collection, chunk size: Int = 1 << 20,
        limits: PayloadLimits = .default
    ) {
        self.init(
            ByteContent(PieceSource(bytes: Array(text.utf8), size: size)), shape: shape, kind: kind, limits: limits)
    }
}

extension EntityReader {
    func allBlocks() async throws -> [RowBlock] {
        var blocks: [RowBlock] = []
        while let block = try await next() { blocks.append(block) }
        return blocks
    }

    func allEntities() async throws -> [EdmEntity] {
        let assembler = EntityAssembler(shape: shape)
        return try await allBlocks().flatMap { assembler.entities(in: $0) }
    }
}
