import Synchronization
import Testing

@testable import ByteStreams

@Suite("Sources that tell how far they were read")
struct FollowedSourceTests {
    private let told = Told()
    private let source: FollowedSource

    init() {
        let pieces = SequenceSource { offset in
            AsyncStream<[UInt8]> { giver in
                for start in stride(from: UInt8(offset), to: 5, by: 2) {
                    giver.yield((start..<min(start + 2, 5)).map { $0 })
                }
                giver.finish()
            }
        }
        source = FollowedSource(pieces) { [told] in told.add($0) }
    }

    @Test("Each piece is told when it was taken, from the offset on", arguments: [0, 1, 5] as [Int64])
    func pieces(offset: Int64) async throws {
        var bytes: [UInt8] = []
        for try await chunk in try source.open(at: offset) { bytes += chunk }
        #expect(bytes == (UInt8(offset)..<5).map { $0 })
        #expect(told.all == [0: [0, 2, 4, 5], 1: [1, 3, 5], 5: [5]][offset])
    }

    @Test("Of an earlier read nothing is told any more, nor after the end")
    func repeated() async throws {
        let first = try source.open(at: 0).makeAsyncIterator()
        _ = try await first.next()
        let second = try source.open(at: 0).makeAsyncIterator()
        _ = try await first.next()
        _ = try await second.next()
        source.end()
        _ = try await second.next()
        #expect(told.all == [0, 2, 0, 2])
    }
}

private final class Told: Sendable {
    private let places = Mutex<[Int64]>([])

    var all: [Int64] { places.withLock { $0 } }

    func add(_ place: Int64) { places.withLock { $0.append(place) } }
}
