/// The bits that symbols are written with: short ones for those that are frequent.
///
/// [RFC 1951, section 3.2.2]
struct HuffmanCode {
    /// Of the symbols' codes in bits; 0 for symbols that are not used.
    let lengths: [Int]
    /// With the bits in the order in which they are written.
    private let codes: [Int]

    /// - Parameters:
    ///   - counts: How often each symbol is written.
    ///   - longest: The most bits of a code.
    init(counts: [Int], longest: Int) {
        var (counts, lengths) = (counts, Self.lengths(counts))
        // Rarer symbols count for more until no code is too long.
        while let most = lengths.max(), most > longest {
            counts = counts.map { $0 == 0 ? 0 : $0 / 2 + 1 }
            lengths = Self.lengths(counts)
        }
        self.lengths = lengths
        codes = Self.codes(lengths)
    }

    func write(_ symbol: Int, to output: inout BitOutput) {
        output.append(codes[symbol], bits: lengths[symbol])
    }

    /// Joins the two rarest symbols, or groups of symbols, until there is one group: each joint is a bit of its members.
    private static func lengths(_ counts: [Int]) -> [Int] {
        var lengths = counts.map { _ in 0 }
        // What is joined first is the rarest: the groups are in order by themselves.
        let symbols = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$0], $0) < (counts[$1], $1) }
        var leaves = symbols.map { (count: counts[$0], members: [$0]) }[...]
        var groups: ArraySlice<(count: Int, members: [Int])> = []
        guard leaves.count > 1 else {
            // A decoder needs a code of one bit at least.
            for symbol in symbols { lengths[symbol] = 1 }
            return lengths
        }
        func rarest() -> (count: Int, members: [Int])? {
            guard let leaf = leaves.first else { return groups.popFirst() }
            guard let group = groups.first, group.count < leaf.count else { return leaves.popFirst() }
            return groups.popFirst()
        }
        while leaves.count + groups.count > 1, let first = rarest(), let second = rarest() {
            let joined = first.members + second.members
            for symbol in joined { lengths[symbol] += 1 }
            groups.append((first.count + second.count, joined))
        }
        return lengths
    }

    private static func codes(_ lengths: [Int]) -> [Int] {
        var next = Array(repeating: 0, count: (lengths.max() ?? 0) + 2)
        for length in lengths where length > 0 { next[length + 1] += 1 }
        for length in next.indices.dropFirst() { next[length] = (next[length] + next[length - 1]) << 1 }
        return lengths.map { length in
            guard length > 0 else { return 0 }
            defer { next[length] += 1 }
            return HuffmanTable.reversed(next[length], length)
        }
    }
}
