import Testing

@testable import SQLiteEncryption

@Suite("Journal map")
struct JournalMapTests {
    @Test("Pieces are those of an array of bytes that is overwritten", arguments: 0..<50)
    func overwrites(seed: UInt64) {
        var random = RepeatableNumbers(state: seed &+ 1)
        var map = JournalMap()
        var bytes: [(record: Int64, start: Int)?] = []
        for record in 0..<Int64(60) {
            let start = Int(random.next() % UInt64(bytes.count + 1))
            if random.next() % 10 == 0 {
                map.truncate(to: Int64(start))
                bytes.removeLast(bytes.count - start)
                continue
            }
            let count = Int(random.next() % 20) + 1
            map.insert(Int64(start)..<Int64(start + count), record: record)
            while bytes.count < start + count { bytes.append(nil) }
            for index in 0..<count { bytes[start + index] = (record, index) }
        }
        #expect(map.size == Int64(bytes.count))
        var found: [(record: Int64, start: Int)] = []
        for piece in map.pieces(in: 0..<map.size) {
            for index in 0..<piece.range.count { found.append((piece.record, piece.start + index)) }
        }
        #expect(found.map(\.record) == bytes.map { $0?.record })
        #expect(found.map(\.start) == bytes.map { $0?.start })
    }
}

/// Numbers that are the same in each run.
private struct RepeatableNumbers {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
