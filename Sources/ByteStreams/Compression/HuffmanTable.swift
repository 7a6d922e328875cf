/// Which symbols the bits of a block stand for.
///
/// [RFC 1951, section 3.2]
struct HuffmanTable: Sendable {
    /// By as many bits as the longest code has: symbol << 4 | length of its code; 0 for none.
    private let entries: [UInt16]
    private let bits: Int

    /// - Parameter lengths: Of the symbols' codes in bits; 0 for symbols that do not come.
    /// - Throws: ``InflateError`` if there are more codes than bits can distinguish.
    init(_ lengths: [Int]) throws {
        let longest = max(1, lengths.max() ?? 1)
        var next = Array(repeating: 0, count: longest + 2)
        for length in lengths where length > 0 { next[length + 1] += 1 }
        for length in 1...longest { next[length] = (next[length] + next[length - 1]) << 1 }
        bits = longest
        var entries = Array(repeating: UInt16(0), count: 1 << longest)
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let code = next[length]
            next[length] += 1
            guard code < 1 << length else { throw InflateError("A block has too many codes.") }
            let entry = UInt16(symbol << 4 | length)
            for index in stride(from: Self.reversed(code, length), to: 1 << longest, by: 1 << length) {
                entries[index] = entry
            }
        }
        self.entries = entries
    }

    static func reversed(_ code: Int, _ length: Int) -> Int {
        (0..<length).reduce(0) { $0 | (code >> $1 & 1) << (length - 1 - $1) }
    }

    /// Nil where there are not enough bits.
    func symbol(_ held: inout BitInput.Held) throws -> Int? {
        let entry = Int(entries[Int(held.bits & UInt64(1 << bits - 1))])
        let length = entry & 15
        guard length > 0 else {
            guard held.count < bits else { throw InflateError("A block has a code that stands for nothing.") }
            return nil
        }
        guard held.take(length) != nil else { return nil }
        return entry >> 4
    }
}

extension HuffmanTable {
    static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]

    /// How many bytes are repeated; nil where there are not enough bits.
    static func length(_ symbol: Int, _ held: inout BitInput.Held) throws -> Int? {
        let index = symbol - 257
        guard lengthBases.indices.contains(index) else { throw InflateError("A block has an unknown length.") }
        return held.take(lengthBits[index]).map { lengthBases[index] + $0 }
    }

    /// How far back they are; nil where there are not enough bits.
    static func distance(_ code: Int, _ held: inout BitInput.Held) throws -> Int? {
        guard distanceBases.indices.contains(code) else { throw InflateError("A block has an unknown distance.") }
        return held.take(max(0, code / 2 - 1)).map { distanceBases[code] + $0 }
    }

    /// The codes of blocks that do not begin with codes of their own.
    static let fixed = Result {
        let literals = [(8, 144), (9, 112), (7, 24), (8, 8)].flatMap { Array(repeating: $0, count: $1) }
        return (literals: try HuffmanTable(literals), distances: try HuffmanTable(Array(repeating: 5, count: 30)))
    }

    static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The codes of literals and lengths, and of distances, that a block begins with; nil where more bytes are needed.
    static func read(from input: inout BitInput) throws -> (literals: HuffmanTable, distances: HuffmanTable)? {
        guard let literals = input.bits(5), let distances = input.bits(5), let codes = input.bits(4) else { return nil }
        var own = Array(repeating: 0, count: 19)
        for index in order.prefix(codes + 4) {
            guard let length = input.bits(3) else { return nil }
            own[index] = length
        }
        let count = literals + 257
        guard let lengths = try lengths(count + distances + 1, HuffmanTable(own), from: &input) else { return nil }
        guard lengths[256] > 0 else { throw InflateError("A block has no end.") }
        return (try HuffmanTable(Array(lengths[..<count])), try HuffmanTable(Array(lengths[count...])))
    }

    private static func lengths(_ count: Int, _ table: HuffmanTable, from input: inout BitInput) throws -> [Int]? {
        var lengths: [Int] = []
        while lengths.count < count {
            input.fill()
            guard let symbol = try table.symbol(&input.held) else { return nil }
            guard symbol > 15 else {
                lengths.append(symbol)
                continue
            }
            let (bits, least) = symbol == 16 ? (2, 3) : symbol == 17 ? (3, 3) : (7, 11)
            guard let more = input.bits(bits) else { return nil }
            let length = symbol == 16 ? lengths.last : 0
            guard let length, lengths.count + least + more <= count else {
                throw InflateError("A block has no valid codes.")
            }
            lengths += Array(repeating: length, count: least + more)
        }
        return lengths
    }
}
