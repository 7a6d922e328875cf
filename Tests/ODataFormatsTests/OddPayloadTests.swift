import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

/// A value of an unexpected kind does not end a page where it cannot matter, and is told with entity and property.
@Suite struct OddPayloadTests {
    private static let passed = "it is ignored."

    static let tolerated: [(members: String, properties: String, message: String)] = [
        (#""Photo":{}"#, "", "Photo is a stream, but the payload has an object: \(passed)"),
        (#""Photo":[1]"#, "", "Photo is a stream, but the payload has an array: \(passed)"),
        (#""Photo":5"#, "", "Photo is a stream, but the payload has a number: \(passed)"),
        (#""Photo":"*""#, "", "Photo is a stream in base64url, but the payload has a string: \(passed)"),
        (
            #""Photo@odata.mediaReadLink":{}"#, "",
            "Photo@odata.mediaReadLink is control information, but the payload has an object"
        ),
        (#""@odata.etag":5"#, "", "@odata.etag is control information, but the payload has a number: \(passed)"),
        (#""@odata.id":{}"#, "", "@odata.id is control information, but the payload has an object: \(passed)"),
        (#""@odata.type":[]"#, "", "@odata.type is control information, but the payload has an array: \(passed)"),
        (#""@odata.context":5"#, "", "@odata.context is control information, but the payload has a number: \(passed)"),
        (#""@odata.mediaEtag":true"#, "", "@odata.mediaEtag is control information, but the payload has a boolean"),
        (
            #""Parts@odata.count":"many","Parts":[]"#, "Parts=0",
            "Parts@odata.count is a count, but the payload has a string"
        ),
        (#""Colour":"red""#, "", "Colour is not a property of Shop.Product: \(passed)"),
        (
            #""Rank":"-7""#, "Rank=-7",
            "Rank is of type Edm.Int16, but the payload has a string: it is read as that type."
        ),
        (#""Weight":"1.5""#, "Weight=1.5", "Weight is of type Edm.Double, but the payload has a string"),
        (#""Name":5.0"#, "Name=5.0", "Name is of type Edm.String, but the payload has a number"),
        (#""Name":false"#, "Name=false", "Name is of type Edm.String, but the payload has a boolean"),
        (#""Old":1"#, "Old=true", "Old is of type Edm.Boolean, but the payload has a number"),
        (#""Old":"false""#, "Old=false", "Old is of type Edm.Boolean, but the payload has a string"),
        (
            #""Tags":{"results":["a"]}"#, #"Tags=["a"]"#,
            "Tags is of type Collection(Edm.String), but the payload has an object"
        ),
        (
            #""Maker":[{"ID":9}]"#, "Maker=1",
            "Maker is a single entity, but the payload has an array: its element is read."
        ),
        (#""Maker":[]"#, "Maker=0", "Maker is a single entity, but the payload has an array: its element is read."),
        (#""Maker":{}"#, "Maker=0", "Maker is expanded, but the payload has an empty object: it is read as null."),
        (#""Parts":{"ID":9}"#, "Parts=1", "Parts is a collection, but the payload has an object: it is read as its"),
        (
            #""Parts":{"results":[{"ID":9},{"ID":8}]}"#, "Parts=2",
            "Parts is a collection, but the payload has an object"
        ),
        (#""Parts":{"__deferred":{"uri":"x"}}"#, "", "Parts is expanded, but the payload has an object: \(passed)"),
    ]

    @Test("What cannot matter is told, and read on", arguments: tolerated, [1, 1 << 20])
    func readOn(_ sample: (members: String, properties: String, message: String), chunk: Int) async throws {
        let text = #"{"value":[{"ID":1},{\#(sample.members),"ID":2},{\#(sample.members),"ID":3}]}"#
        let reader = JSONEntityReader(text, shape: try ShopModel.shape(), chunk: chunk)
        let blocks = try await reader.blocks()
        let entities = blocks.flatMap { EntityAssembler(shape: reader.shape).entities(in: $0) }
        #expect(entities.map { $0["ID"] } == [.integer(1), .integer(2), .integer(3)])
        #expect(Self.text(entities[1]) == sample.properties && Self.text(entities[2]) == sample.properties)
        let told = blocks.flatMap(\.diagnostics).map(\.message)
        #expect(told.count == 1 && told[0].hasPrefix("Products(2): \(sample.message)"), "\(told)")
    }

    /// The properties but the key and the number of expanded entities: `Rank=-7`, `Parts=2`.
    private static func text(_ entity: EdmEntity) -> String {
        let values = entity.properties.members.filter { $0.name != "ID" }.map { member in
            switch member.value {
            case .string(let text): "\(member.name)=\(text)"
            case .double(let number): "\(member.name)=\(number)"
            default: "\(member.name)=\(String(decoding: member.value.jsonText, as: UTF8.self))"
            }
        }
        let expanded = entity.expanded.map { name, content in
            switch content {
            case .many(let entities, _): "\(name)=\(entities.count)"
            case .one(let entity): "\(name)=\(entity == nil ? 0 : 1)"
            }
        }
        return (values + expanded.sorted()).joined(separator: " ")
    }

    @Test(
        "What matters is an error with entity and property",
        arguments: [
            (#"{"Home":5,"ID":2}"#, "Products(2): Home is of type Shop.Address, but a number"),
            (#"{"ID":2,"Tags":"x"}"#, "Products(2): Tags is of type Collection(Edm.String), but a string"),
            (#"{"ID":2,"Maker":5}"#, "Products(2): Maker is of type Shop.Maker, but a number"),
            (#"{"ID":2,"Maker":[{"ID":1},{"ID":2}]}"#, "Products(2): Maker is of type Shop.Maker, but an array"),
            (#"{"ID":2,"Maker":{"Name":[],"ID":7}}"#, "Makers(7): Name is of type Edm.String, but an array"),
            (#"{"ID":2,"Parts":[{"Maker":{"ID":5},"Name":{},"ID":7}]}"#, "Products(7): Name is of type Edm.String"),
            (#"{"ID":2,"Parts@odata.nextLink":5}"#, "Products(2): Parts@odata.nextLink is of type control information"),
            (#"{"@odata.id":"Products(2)","Rank":{}}"#, "Products(2): Rank is of type Edm.Int16, but an object"),
            (#"{"ID":2,"Rank":"1.5"}"#, "Products(2): Rank is of type Edm.Int16, but a string"),
            (#"{"ID":2,"Old":2}"#, "Products(2): Old is of type Edm.Boolean, but a number"),
            (#"{"ID":2,"Name":"a","Name":"b"}"#, "Products(2): The member Name is given twice."),
        ])
    func refused(entity: String, message: String) async throws {
        for chunk in [1, 1 << 20] {
            let reader = JSONEntityReader(
                #"{"value":[{"ID":1},\#(entity)]}"#, shape: try ShopModel.shape(), chunk: chunk)
            let error = await #expect(throws: FormatError.self) { try await reader.blocks() }
            #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
            #expect(error?.entity != nil && error?.property != nil)
        }
    }

    @Test("Control information of a page: a link to what follows matters, counts and delta links do not")
    func ofPages() async throws {
        let reader = JSONEntityReader(
            #"{"@odata.count":{},"value":[{"ID":1}],"@odata.deltaLink":5}"#, shape: try ShopModel.shape())
        let blocks = try await reader.blocks()
        #expect(blocks.flatMap(\.rows).count == 1 && blocks.last?.deltaLink == nil && blocks.last?.count == nil)
        #expect(
            blocks.flatMap(\.diagnostics).map(\.message) == [
                "@odata.count is a count, but the payload has an object: it is ignored.",
                "@odata.deltaLink is control information, but the payload has a number: it is ignored.",
            ])
        let broken = JSONEntityReader(#"{"value":[],"@odata.nextLink":{}}"#, shape: try ShopModel.shape())
        let error = await #expect(throws: FormatError.self) { try await broken.blocks() }
        #expect(error?.message == "@odata.nextLink is control information, which an object is not a value of.")
    }

    @Test func whatIsNotRemovedIsNoRemoval() async throws {
        let reader = JSONEntityReader(
            #"{"value":[{"@removed":false,"ID":1},{"@removed":null,"ID":2},{"@removed":{},"ID":3}]}"#,
            shape: try ShopModel.shape())
        #expect(try await reader.blocks().flatMap(\.rows).map(\.change) == [.entity, .entity, .deleted])
    }

    // MARK: Verbose JSON

    static let verbose: [(members: String, properties: String, message: String)] = [
        (#""Photo":5"#, "", "Photo is a stream, but the payload has a number: \(passed)"),
        (#""Colour":"red""#, "", "Colour is not a property of Shop.Product: \(passed)"),
        (#""__metadata":[]"#, "", "__metadata is control information, but the payload has an array: \(passed)"),
        (#""__metadata":{"etag":5}"#, "", "etag is control information, but the payload has a number: \(passed)"),
        (#""Name":5"#, "Name=5", "Name is of type Edm.String, but the payload has a number"),
        (#""Home":{"__deferred":{"uri":"x"}}"#, "", "Home is not expanded, but the payload has an object: \(passed)"),
        (
            #""Maker":[{"ID":9}]"#, "Maker=1",
            "Maker is a single entity, but the payload has an array: its element is read."
        ),
        (#""Maker":{}"#, "Maker=0", "Maker is expanded, but the payload has an empty object: it is read as null."),
        (#""Parts":{"ID":9}"#, "Parts=1", "Parts is a collection, but the payload has an object: it is read as its"),
        (
            #""Parts":{"results":[],"__count":"many"}"#, "Parts=0",
            "__count is a count, but the payload has a string: \(passed)"
        ),
    ]

    @Test("What cannot matter in verbose JSON is told, and read on", arguments: verbose)
    func readVerbose(members: String, properties: String, message: String) async throws {
        let text = #"{"d":{"results":[{"ID":1},{\#(members),"ID":2},{\#(members),"ID":3}]}}"#
        for chunk in [1, 1 << 20] {
            let reader = try VerboseEntityReaderTests.reader(text, chunk: chunk)
            let blocks = try await reader.allBlocks()
            let entities = blocks.flatMap { EntityAssembler(shape: reader.shape).entities(in: $0) }
            #expect(entities.map { $0["ID"] } == [.integer(1), .integer(2), .integer(3)])
            #expect(Self.text(entities[1]) == properties && Self.text(entities[2]) == properties)
            let told = blocks.flatMap(\.diagnostics).map(\.message)
            #expect(told.count == 1 && told[0].hasPrefix("Products(2): \(message)"), "\(told)")
        }
    }

    @Test(
        "Verbose JSON is read without “d” too",
        arguments: [
            (#"{"results":[{"ID":1},{"ID":2}],"__count":"2","__next":"n"}"#, PayloadKind.collection, [1, 2]),
            (#"{"__next":"n","results":[{"ID":1}]}"#, .collection, [1]),
            (#"[{"ID":1},{"ID":2}]"#, .collection, [1, 2]),
            (#"[]"#, .collection, []), (#"{"__metadata":{"uri":"u"},"ID":1}"#, .entity, [1]),
            (#"{"ID":1}"#, .entity, [1]),
        ])
    func withoutD(text: String, kind: PayloadKind, ids: [Int64]) async throws {
        for chunk in [1, 1000] {
            let reader = try VerboseEntityReaderTests.reader(text, kind: kind, chunk: chunk)
            let blocks = try await reader.allBlocks()
            let entities = blocks.flatMap { EntityAssembler(shape: reader.shape).entities(in: $0) }
            #expect(entities.map { $0["ID"] } == ids.map { .integer($0) })
            #expect(blocks.compactMap(\.nextLink) == (text.contains("__next") ? ["n"] : []))
        }
    }
}
