import ODataModel
import Testing

@testable import ODataFormats
@testable import ODataMetadata

/// What a compiled model has is compared by the tests of documents, see ``CSDLTests/checkReadingBack(_:_:)``.
@Suite struct CompiledModelTests {
    @Test func damagedBytesAreRefusedOrReadNeverACrash() throws {
        let model = try ShopModel.make()
        let bytes = try CompiledModel.bytes(of: model)
        #expect(try CompiledModel.contents(from: bytes).model == model)
        for position in bytes.indices {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var damaged = bytes
                damaged[position] ^= change
                _ = try? CompiledModel.contents(from: damaged)
            }
            #expect(throws: FormatError.self) { try CompiledModel.contents(from: Array(bytes[..<position])) }
        }
        #expect(throws: FormatError.self) { try CompiledModel.contents(from: bytes + [0]) }
    }

    @Test func nestingHasALimit() {
        // No strings, and a collection of one collection of one collection of …
        let bytes = [0, 7] + repeatElement([UInt8(1), 7], count: 100_000).joined()
        #expect(throws: ModelCoder.Damage.self) { try ModelCoder.value(EdmAnnotation.Value.self, from: bytes) }
        // One empty string, and an annotation with the value null and one annotation with …
        let annotations = [1, 0] + repeatElement([UInt8(0), 0, 1], count: 100_000).joined()
        #expect(throws: ModelCoder.Damage.self) { try ModelCoder.value(EdmAnnotation.self, from: annotations) }
    }
}
