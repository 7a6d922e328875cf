import TestSupport
import Testing

@testable import ODataTransport

@Suite("Bytes are compressed so that they decode to themselves")
struct GzipTests {
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
        #expect(try gunzipped(#require(Gzip.compressed(bytes))) == bytes)
    }

    @Test("What repeats becomes short, and what does not hardly longer")
    func length() throws {
        let cases = [
            (Self.xml, Self.xml.count / 5), (Array(repeating: 0, count: 100_000), 500), (Self.mixed(70_000), 70_500),
        ]
        for (bytes, most) in cases {
            let compressed = try #require(Gzip.compressed(bytes))
            #expect(compressed.count < most)
        }
    }

    @Test("The same bytes give the same file, which names neither a time nor a system that differs", arguments: samples)
    func repeated(bytes: [UInt8]) throws {
        let compressed = try #require(Gzip.compressed(bytes))
        #expect(Gzip.compressed(bytes) == compressed)
        #expect(compressed.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    }
}
