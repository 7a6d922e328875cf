import ByteStreams
import MediaFiles
import Testing

@Suite("The end of a stream, checked with what comes before it")
struct CheckedTailTests {
    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 31) >> 3) }
    private static let digest = StoredMedia(bytes).digest

    @Test("It is given whole, as often as it is read", arguments: [1, 131_072, 200_000, 299_999])
    func right(start: Int) async throws {
        let tail = try await CheckedTail(DataSource(Self.bytes), from: Int64(start), digest: Self.digest)
        #expect(tail.length == Int64(Self.bytes.count - start))
        for _ in 0..<2 {
            #expect(try await ByteContent(tail).collect(upTo: 300_000) == Array(Self.bytes[start...]))
        }
    }

    @Test("One other byte, before or in it, keeps its end back", arguments: [0, 199_999, 200_000, 299_999])
    func wrong(place: Int) async throws {
        var other = Self.bytes
        other[place] ^= 1
        let tail = try await CheckedTail(DataSource(other), from: 200_000, digest: Self.digest)
        var count = 0
        do {
            for try await chunk in try tail.open(at: 0) { count += chunk.count }
            Issue.record("The wrong bytes came to their end.")
        } catch let error as ByteStreamError {
            #expect(error.code == .changed && count < 100_000)
        }
    }

    @Test("A source that ends before the end of the stream begins is an error")
    func short() async {
        let error = await #expect(throws: ByteStreamError.self) {
            try await CheckedTail(DataSource(Array(Self.bytes.prefix(10))), from: 11, digest: Self.digest)
        }
        #expect(error?.code == .pastEnd)
    }
}
