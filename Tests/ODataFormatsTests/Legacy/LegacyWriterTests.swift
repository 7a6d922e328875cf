import ByteStreams
import ODataModel
import Testing

@testable import ODataFormats

@Suite("Writers of Atom and verbose JSON")
struct LegacyWriterTests {
    private static func options(_ version: ODataVersion) -> LegacyWriterOptions {
        var options = LegacyWriterOptions(serviceRoot: "http://h/root/")
        options.version = version
        return options
    }

    private static func content(_ bytes: [UInt8]) -> ByteContent { ByteContent(PieceSource(bytes: bytes, size: 100)) }

    /// The rows of the sample, with ids that say what they are.
    private static func blocks(_ shape: RowShape) async throws -> [RowBlock] {
        try await AtomEntityReader(AtomSamples.full, shape: shape).allBlocks()
    }

    @Test("What is written as Atom is read again as it was")
    func atom() async throws {
        let shape = try ShopModel.shape()
        let blocks = try await Self.blocks(shape)
        var writer = AtomEntityWriter(shape: shape, kind: .collection, options: Self.options(.v3))
        writer.begin()
        for block in blocks { writer.write(block) }
        writer.end(nextLink: blocks.last?.nextLink, deltaLink: "Products?!deltatoken=1")
        let again = try await AtomEntityReader(Self.content(writer.takeBytes()), shape: shape, kind: .collection)
            .allBlocks()
        try expectEqual(again, blocks, shape: shape)
        #expect(again.last?.deltaLink == "http://h/root/Products?!deltatoken=1")
    }

    @Test("What is written as verbose JSON is read again as it was", arguments: [2, 3])
    func verbose(version: Int) async throws {
        let shape = try ShopModel.shape()
        let blocks = try await Self.blocks(shape)
        let options = Self.options(try #require(ODataVersion(rawValue: "\(version).0")))
        var writer = VerboseEntityWriter(shape: shape, kind: .collection, options: options)
        writer.begin()
        for block in blocks { writer.write(block) }
        writer.end(nextLink: blocks.last?.nextLink, deltaLink: "Products?!deltatoken=1")
        let bytes = writer.takeBytes()
        let again = try await VerboseEntityReader(Self.content(bytes), shape: shape, kind: .collection).allBlocks()
        try expectEqual(again, blocks, shape: shape, hasStreams: version >= 3)
        #expect(again.last?.deltaLink == "http://h/root/Products?!deltatoken=1")
    }

    private func expectEqual(
        _ found: [RowBlock], _ wanted: [RowBlock], shape: RowShape, hasStreams: Bool = true
    ) throws {
        let assembler = EntityAssembler(shape: shape)
        #expect(found.compactMap(\.count) == wanted.compactMap(\.count))
        #expect(found.last?.nextLink == wanted.last?.nextLink)
        #expect(found.flatMap(\.expansions).map(\.nextLink) == wanted.flatMap(\.expansions).map(\.nextLink))
        let left = found.flatMap { assembler.entities(in: $0) }
        let right = wanted.flatMap { assembler.entities(in: $0) }
        #expect(left.map(\.properties) == right.map(\.properties))
        #expect(left.map { $0.expanded.mapValues(Self.values) } == right.map { $0.expanded.mapValues(Self.values) })
        #expect(left.first?.id == "http://h/root/Products(1)")
        #expect(left.first?.etag == right.first?.etag)
        #expect(left.first?.media == right.first?.media)
        if hasStreams { #expect(left.first?.streams == right.first?.streams) }
    }

    /// The values alone: ids are made where there were none.
    private static func values(_ expanded: EdmEntity.Expanded) -> [[EdmComplexValue]] {
        switch expanded {
        case .one(let entity): [entity.map { [$0.properties] } ?? []]
        case .many(let entities, _): [entities.map(\.properties)]
        }
    }

    @Test("Derived types, removed entities and single entities are written")
    func others() async throws {
        let shape = try ShopModel.shape(["ID", "Name"], expands: false)
        var composer = RowComposer()
        var row = composer.begin(slotCount: 2, depth: 0, child: -1)
        composer.set(0, of: row, to: .integer(5))
        composer.set(1, of: row, to: composer.slot(of: .string("a<b&\"\r\n")))
        row = composer.begin(slotCount: 2, depth: 0, child: -1)
        composer.block.rows[row].change = .deleted
        composer.set(0, of: row, to: .integer(6))
        var atom = AtomEntityWriter(shape: shape, kind: .collection, options: Self.options(.v2))
        atom.begin(count: 2)
        atom.write(composer.block)
        atom.end()
        var verbose = VerboseEntityWriter(shape: shape, kind: .collection, options: Self.options(.v2))
        verbose.begin(count: 2)
        verbose.write(composer.block)
        verbose.end()
        for reader: any EntityReader in [
            AtomEntityReader(Self.content(atom.takeBytes()), shape: shape, kind: .collection),
            VerboseEntityReader(Self.content(verbose.takeBytes()), shape: shape, kind: .collection),
        ] {
            let blocks = try await reader.allBlocks()
            #expect(blocks.compactMap(\.count) == [2])
            let block = try #require(blocks.first)
            #expect(block.rows.map(\.change) == [.entity, .deleted])
            #expect(block.text(block.rows[1].id) == "http://h/root/Products(6)")
            #expect(block.value(row: 0, slot: 1, shape: shape) == .string("a<b&\"\r\n"))
        }
    }

    @Test("One entity is written alone")
    func single() async throws {
        let shape = try ShopModel.shape(["ID"], expands: false)
        var composer = RowComposer()
        let row = composer.begin(slotCount: 1, depth: 0, child: -1)
        composer.set(0, of: row, to: .integer(5))
        var atom = AtomEntityWriter(shape: shape, kind: .entity, options: Self.options(.v2))
        atom.begin()
        atom.write(composer.block)
        atom.end()
        var verbose = VerboseEntityWriter(shape: shape, kind: .entity, options: Self.options(.v2))
        verbose.begin()
        verbose.write(composer.block)
        verbose.end()
        for reader: any EntityReader in [
            AtomEntityReader(Self.content(atom.takeBytes()), shape: shape, kind: .entity),
            VerboseEntityReader(Self.content(verbose.takeBytes()), shape: shape, kind: .entity),
        ] {
            let entities = try await reader.allEntities()
            #expect(entities.map { $0["ID"] } == [.integer(5)])
            #expect(entities.map(\.id) == ["http://h/root/Products(5)"])
            #expect(entities.map(\.media?.readLink) == ["http://h/root/Products(5)/$value"])
        }
    }
}
