/// Bytes as literals and as repetitions of earlier ones.
///
/// [RFC 1951, section 4]
struct RepeatedBytes {
    enum Element {
        case literal(UInt8)
        case repetition(length: Int, distance: Int)
    }

    /// How far back repeated bytes may be.
    private static let history = 32_768
    private static let shortest = 3
    private static let longest = 258
    /// How many earlier places are compared at most.
    private static let attempts = 64

    private let bytes: [UInt8]
    private var position = 0
    /// The last place of three bytes, by their hash, and the place before it, by place.
    private var last = [Int32](repeating: -1, count: 1 << 15)
    private var earlier: [Int32]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        earlier = Array(repeating: -1, count: bytes.count)
    }

    /// Nil at the end.
    mutating func next() -> Element? {
        guard position < bytes.count else { return nil }
        let found = repetition(at: position)
        note(position)
        position += 1
        guard found.length >= Self.shortest else { return .literal(bytes[position - 1]) }
        // A longer one may begin at the next byte.
        if found.length < Self.longest, repetition(at: position).length > found.length {
            return .literal(bytes[position - 1])
        }
        for place in position..<position + found.length - 1 { note(place) }
        position += found.length - 1
        return .repetition(length: found.length, distance: found.distance)
    }

    private func hash(_ place: Int) -> Int {
        let value = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
        return Int((value &* 0x9E37_79B1) >> 17)
    }

    private mutating func note(_ place: Int) {
        guard place + Self.shortest <= bytes.count else { return }
        let hash = hash(place)
        earlier[place] = last[hash]
        last[hash] = Int32(place)
    }

    private func repetition(at place: Int) -> (length: Int, distance: Int) {
        var best = (length: 0, distance: 0)
        guard place + Self.shortest <= bytes.count else { return best }
        var candidate = Int(last[hash(place)])
        var attempts = Self.attempts
        while candidate >= 0, place - candidate <= Self.history, attempts > 0 {
            let length = equalBytes(candidate, place)
            if length > best.length { best = (length, place - candidate) }
            candidate = Int(earlier[candidate])
            attempts -= 1
        }
        return best
    }

    private func equalBytes(_ first: Int, _ second: Int) -> Int {
        let most = min(Self.longest, bytes.count - second)
        var length = 0
        while length < most, bytes[first + length] == bytes[second + length] { length += 1 }
        return length
    }
}
