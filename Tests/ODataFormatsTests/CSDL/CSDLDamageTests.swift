import ODataFormats
import ODataMetadata
import TestSupport
import Testing

/// Documents with bytes changed, left out and doubled: they are read or refused, and what is read is written back.
@Suite struct CSDLDamageTests {
    private static func damaged(_ bytes: [UInt8], using generator: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let start = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, start + Int.random(in: 1...40, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default: bytes.replaceSubrange(start..<start, with: "\"@$/.#(".utf8.shuffled(using: &generator).prefix(2))
            }
        }
        return bytes
    }

    @Test(arguments: [CSDLTests.shop, LegacyCSDLTests.shop, Array(CSDLJSONTests.shop.utf8)])
    func damagedDocumentsAreReadOrRefused(bytes: [UInt8]) {
        var generator = SplitMix(seed: 42)
        for _ in 0..<150 {
            guard let document = try? CSDL.document(Self.damaged(bytes, using: &generator)) else { continue }
            #expect(throws: Never.self) {
                let again = try CSDL.document(CSDL.xml(document.model))
                #expect(try CSDL.xml(again.model) == CSDL.xml(document.model))
            }
            _ = try? CSDL.document(CSDL.json(document.model))
        }
    }
}
