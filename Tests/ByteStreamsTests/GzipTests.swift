import Testing

@testable import ByteStreams

@Suite("Bytes are compressed so that they decode to themselves")
struct GzipTests {
    private static func decoded(_ bytes: [UInt8]) throws -> [UInt8] {
        var (inflater, decoded) = (Inflater(.gzip), [UInt8]())
        inflater.add(bytes)
        while let piece = try inflater.next() { decoded += piece }
        try inflater.finish()
        return decoded
    }

    /// Bytes without order, the same in every run.
    private static func mixed(_ count: Int, below limit: UInt64 = 256) -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: (state >> 33) % limit)
        }
    }

    private static let xml = Array(
        (0..<900).map { #"<Property Name="P\#($0 * 7919 % 1000)" Type="Edm.String" Nullable="false"/>"# }.joined().utf8)

    private static let samples: [[UInt8]] = [
        [], [0], [1, 1], [1, 2, 3], Array(repeating: 7, count: 3), Array(repeating: 7, count: 258),
        Array(repeating: 7, count: 259), Array(repeating: 0, count: 100_000), Array(0...255),
        Array("abcabcabcabcabcabd".utf8), mixed(1), mixed(70_000), mixed(200_000, below: 3), xml,
        Array("Äpfel, 北京".utf8),
    ]

    @Test("whatever they are", arguments: samples)
    func roundTrip(bytes: [UInt8]) throws {
        #expect(try Self.decoded(Gzip.compressed(bytes)) == bytes)
    }

    @Test("What repeats becomes short, and what does not hardly longer")
    func length() {
        #expect(Gzip.compressed(Self.xml).count < Self.xml.count / 5)
        #expect(Gzip.compressed(Array(repeating: 0, count: 100_000)).count < 500)
        #expect(Gzip.compressed(Self.mixed(70_000)).count < 70_500)
    }

    @Test("Rare symbols beside frequent ones get codes that are not too long", arguments: [7, 9, 15])
    func longestCodes(longest: Int) {
        // Each symbol is as frequent as all before it: the plain codes would have a bit more for each.
        let counts = sequence(first: (1, 1)) { ($0.1, $0.0 + $0.1) }.prefix(25).map(\.0)
        let lengths = HuffmanCode(counts: [0] + counts, longest: longest).lengths
        #expect(lengths.first == 0)
        #expect(lengths.dropFirst().allSatisfy { (1...longest).contains($0) })
        #expect(lengths.dropFirst().reduce(0) { $0 + 1 << (longest - $1) } == 1 << longest)
    }

    @Test("A single symbol gets a code of one bit", arguments: [[0, 5, 0], [1]])
    func singleCode(counts: [Int]) {
        #expect(HuffmanCode(counts: counts, longest: 15).lengths == counts.map { $0 > 0 ? 1 : 0 })
    }
}
