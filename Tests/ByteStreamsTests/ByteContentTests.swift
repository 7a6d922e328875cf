import ByteStreams
import Testing

@Suite struct ByteContentTests {
    @Test(arguments: [0, 1, 131_072, 300_000])
    func bytesInMemoryAreReadWholeAndAgain(count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let content = ByteContent(bytes)
        #expect(content.length == Int64(count))
        #expect(content.isReplayable)
        #expect(try await content.collect(upTo: count) == bytes)
        #expect(try await content.collect(upTo: count) == bytes)
    }

    @Test(arguments: [0, 1, 131_071, 131_072, 299_999, 300_000])
    func readingBeginsAtAnOffset(offset: Int) async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var read: [UInt8] = []
        for try await chunk in try ByteContent(bytes).chunks(from: Int64(offset)) {
            #expect(!chunk.isEmpty)
            read += chunk
        }
        #expect(read == Array(bytes[offset...]))
    }

    @Test(arguments: [-1, 11] as [Int64])
    func anOffsetOutsideIsRefused(offset: Int64) {
        #expect(throws: ByteStreamError.self) {
            try ByteContent([UInt8](repeating: 0, count: 10)).chunks(from: offset)
        }
    }

    @Test func moreThanTheLimitIsRefused() async {
        let error = await #expect(throws: ByteStreamError.self) {
            try await ByteContent([1, 2, 3, 4]).collect(upTo: 3)
        }
        #expect(error?.code == .tooLong)
    }

    @Test func contentFromANetworkIsReadOnce() async throws {
        let source = try DataSource([1, 2, 3]).open(at: 0)
        let content = ByteContent(source, length: 3)
        #expect(!content.isReplayable)
        #expect(try await content.collect(upTo: 3) == [1, 2, 3])
        let error = #expect(throws: ByteStreamError.self) { try content.chunks() }
        #expect(error?.code == .notReplayable)
    }

    @Test func contentFromANetworkDoesNotBeginInTheMiddle() throws {
        let content = ByteContent(try DataSource([1, 2, 3]).open(at: 0), length: 3)
        #expect(throws: ByteStreamError.self) { try content.chunks(from: 1) }
        _ = try content.chunks()
    }
}
