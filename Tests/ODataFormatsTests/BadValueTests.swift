import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

@Suite("Values that are not of their property's type")
struct BadValueTests {
    enum Format: CaseIterable, Sendable {
        case json, verbose, atom

        func reader(_ name: String, _ value: String, takesNull: Bool) throws -> any EntityReader {
            var limits = PayloadLimits.default
            limits.takesBadValuesAsNull = takesNull
            let shape = try ShopModel.shape()
            let text =
                switch self {
                case .json: #"{"value":[{"ID":1},{"ID":2,"\#(name)":\#(value),"Rank":7},{"ID":3}]}"#
                case .verbose: #"{"d":{"results":[{"ID":1},{"ID":2,"\#(name)":\#(value),"Rank":7},{"ID":3}]}}"#
                case .atom:
                    """
                    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
                     xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices">
                    <entry><id>Products(2)</id><content type="application/xml"><m:properties><d:ID m:type="Edm.Int32">2</d:ID>
                    <d:\(name)>\(value.filter { $0 != "\"" })</d:\(name)><d:Rank m:type="Edm.Int16">7</d:Rank>
                    </m:properties></content></entry></feed>
                    """
                }
            let content = ByteContent(Array(text.utf8))
            return switch self {
            case .json: JSONEntityReader(content, shape: shape, kind: .collection, limits: limits)
            case .verbose: VerboseEntityReader(content, shape: shape, kind: .collection, limits: limits)
            case .atom: AtomEntityReader(content, shape: shape, kind: .collection, limits: limits)
            }
        }
    }

    /// Values, and what is shown of them.
    private static let values: [(name: String, value: String, shown: String)] = [
        ("Changed", #""0000-00-00T00:00:00""#, "0000-00-00T00:00:00"), ("Changed", #""soon""#, "soon"),
        ("Changed", #""/Date()/""#, "/Date()/"), ("Code", #""1234""#, "1234"), ("Level", "256", "256"),
        ("Price", #""12,50""#, "12,50"), ("Born", #""31.12.2024""#, "31.12.2024"),
        ("Lasts", #""\#(String(repeating: "x", count: 90))""#, String(repeating: "x", count: 40) + "…"),
    ]

    @Test("Are told with entity, property and value", arguments: values, Format.allCases)
    func told(value: (name: String, value: String, shown: String), format: Format) async throws {
        let reader = try format.reader(value.name, value.value, takesNull: false)
        let error = await #expect(throws: FormatError.self) { while try await reader.next() != nil {} }
        let message = error?.message ?? ""
        #expect(message.contains("Products(2)") && message.contains(value.name), "\(message)")
        #expect(message.contains("“\(value.shown)”"), "\(message)")
        #expect(error?.property == value.name)
        #expect(error?.isOfValue == true)
    }

    @Test("Are null where the reader takes them so, and each is told", arguments: values, Format.allCases)
    func null(value: (name: String, value: String, shown: String), format: Format) async throws {
        let reader = try format.reader(value.name, value.value, takesNull: true)
        var (entities, told) = ([EdmEntity](), [String]())
        while let block = try await reader.next() {
            entities += EntityAssembler(shape: reader.shape).entities(in: block)
            told += block.diagnostics.map(\.message)
        }
        let bad = try #require(entities.first { $0["ID"] == .integer(2) })
        #expect(bad[value.name] == .null)
        #expect(bad["Rank"] == .integer(7))
        #expect(entities.count == (format == .atom ? 1 : 3))
        #expect(told.count == 1)
        let message = told.first ?? ""
        for text in ["Products(2)", value.name, "“\(value.shown)”", "null"] {
            #expect(message.contains(text), "\(message)")
        }
    }

    @Test("A lone surrogate is one too", arguments: [Format.json, .verbose])
    func surrogate(format: Format) async throws {
        let strict = try format.reader("Name", #""a\ud83d b""#, takesNull: false)
        let error = await #expect(throws: FormatError.self) { while try await strict.next() != nil {} }
        #expect(error?.message.contains("Products(2)") == true && error?.property == "Name", "\(error?.message ?? "")")
        let lenient = try format.reader("Name", #""a\ud83d b""#, takesNull: true)
        var told: [String] = []
        while let block = try await lenient.next() { told += block.diagnostics.map(\.message) }
        #expect(told.count == 1 && told[0].contains("Name"), "\(told)")
    }

    @Test(
        "A bad key is never null, and broken JSON is an error",
        arguments: [
            #"{"value":[{"ID":"x"}]}"#, #"{"value":[{"ID":1,"Code":"1}]}"#, #"{"value":[{"ID":1,"Rank":}]}"#,
        ])
    func key(json: String) async throws {
        var limits = PayloadLimits.default
        limits.takesBadValuesAsNull = true
        let reader = JSONEntityReader(
            ByteContent(Array(json.utf8)), shape: try ShopModel.shape(), kind: .collection, limits: limits)
        await #expect(throws: FormatError.self) { while try await reader.next() != nil {} }
    }

    @Test("Each entity's is told, also of the same value")
    func each() async throws {
        var limits = PayloadLimits.default
        limits.takesBadValuesAsNull = true
        let rows = (1...5).map { #"{"ID":\#($0),"Born":"soon"}"# }.joined(separator: ",")
        let reader = JSONEntityReader(
            ByteContent(Array(#"{"value":[\#(rows)]}"#.utf8)), shape: try ShopModel.shape(), kind: .collection,
            limits: limits)
        var told: [String] = []
        while let block = try await reader.next() { told += block.diagnostics.map(\.message) }
        #expect(told.count == 5)
    }
}
