import ODataModel
import TestSupport
import Testing

@testable import ODataFormats
@testable import ODataMetadata

/// Damaged input is refused or read, never a crash.
@Suite struct MutationTests {
    private static let interesting =
        Array("\"\\{}[]:,-.eE0919ntfu@ \u{0}\u{1F}\u{7F}".utf8) + [0x80, 0xC3, 0xED, 0xF4, 0xFF]

    private static func damaged(_ bytes: [UInt8], using generator: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let position = Int.random(in: 0..<bytes.count, using: &generator)
            let byte = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[position] = byte
            case 1: bytes.insert(byte, at: position)
            case 2:
                bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1...9, using: &generator)))
            default:
                let end = min(bytes.count, position + Int.random(in: 1...60, using: &generator))
                bytes.insert(contentsOf: bytes[position..<end], at: Int.random(in: 0...bytes.count, using: &generator))
            }
            if bytes.isEmpty { bytes = [byte] }
        }
        return bytes
    }

    @Test func damagedPagesAreReadOrRefused() async throws {
        var generator = SplitMix(seed: 1)
        let shape = try ShopModel.shape()
        for round in 0..<500 {
            let bytes = Self.damaged(Array(JSONEntityReaderTests.full.utf8), using: &generator)
            let kind: PayloadKind = round % 5 == 0 ? .entity : .collection
            func outcome(chunk: Int) async -> String {
                let source = PieceSource(bytes: bytes, size: chunk)
                return await Self.outcome(JSONEntityReader(.init(source), shape: shape, kind: kind), kind: kind)
            }
            let (whole, pieces) = (await outcome(chunk: bytes.count), await outcome(chunk: 1 + round % 50))
            #expect(whole == pieces, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(arguments: [VerboseEntityReaderTests.full, LightJSONTests.full, LightJSONTests.entity])
    func damagedLegacyPagesAreReadOrRefused(text: String) async throws {
        var generator = SplitMix(seed: 3)
        let shape = try ShopModel.shape()
        let kind: PayloadKind = text == LightJSONTests.entity ? .entity : .collection
        for round in 0..<500 {
            let bytes = Self.damaged(Array(text.utf8), using: &generator)
            func outcome(chunk: Int) async -> String {
                let source = PieceSource(bytes: bytes, size: chunk)
                return await Self.outcome(VerboseEntityReader(.init(source), shape: shape, kind: kind), kind: kind)
            }
            let (whole, pieces) = (await outcome(chunk: bytes.count), await outcome(chunk: 1 + round % 50))
            #expect(whole == pieces, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    /// What a reader gives, written again, or its error.
    private static func outcome(_ reader: any EntityReader, kind: PayloadKind) async -> String {
        do {
            var blocks: [RowBlock] = []
            while let block = try await reader.next() { blocks.append(block) }
            var writer = JSONEntityWriter(shape: reader.shape, kind: kind)
            writer.begin()
            for block in blocks { writer.write(block) }
            writer.end()
            return String(decoding: writer.takeBytes(), as: UTF8.self)
        } catch {
            return "\(error)"
        }
    }

    @Test func damagedSmallMessagesAreReadOrRefused() throws {
        var generator = SplitMix(seed: 2)
        let model = try ShopModel.make()
        let type = try #require(model.entitySet(named: "Products")).type
        let body = Array(#"{"ID":1,"Name":"a","Maker@odata.bind":"Makers(1)","Parts":[{"ID":2},{"@id":"P(1)"}]}"#.utf8)
        let error = JSONPayload.bytes(
            error: ServiceError(code: "1", message: "m", details: [.init(code: "c", message: "d")]))
        for _ in 0..<3000 {
            _ = try? JSONPayload.entity(Self.damaged(body, using: &generator), type: type, model: model)
            _ = JSONPayload.error(Self.damaged(error, using: &generator))
        }
    }

    @Test func damagedBatchesAreReadOrRefused() {
        var generator = SplitMix(seed: 3)
        for format in [BatchFormat.json, .multipart(boundary: "b")] {
            let bytes = Batch.writeRequests(BatchTests.parts, format: format).bytes
            for _ in 0..<1000 {
                let damaged = Self.damaged(bytes, using: &generator)
                _ = try? Batch.readRequests(damaged, format: format)
                _ = try? Batch.readResponses(damaged, format: format)
            }
        }
    }

    @Test func damagedMetadataIsReadOrRefused() {
        var generator = SplitMix(seed: 4)
        for _ in 0..<300 { _ = try? CSDL.read(xml: Self.damaged(CSDLTests.shop, using: &generator)) }
    }
}
