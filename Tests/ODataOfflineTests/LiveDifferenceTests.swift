import ODataModel
import ODataStores
import ODataTesting
import Testing

@Suite("Differences of results")
struct LiveDifferenceTests {
    private static let type = EdmStructuredType(
        declaration: .init(name: EdmQualifiedName("Test.Thing"), key: ["ID"], properties: []))

    /// `a` is an entity without values, `a1` one with the value 1; `-` one without id.
    private func entities(_ text: String) -> [EdmEntity] {
        text.split(separator: " ").map { word in
            let value = EdmValue.string(String(word.dropFirst()))
            let id = word.first == "-" ? nil : word.prefix(1).description
            return EdmEntity(
                type: Self.type, id: id, properties: EdmComplexValue([.init(name: "Value", value: value)]))
        }
    }

    static let cases: [(String, String, String)] = [
        ("", "", ""), ("", "a b", "+0 +1"), ("a b", "", "-0 -1"), ("a b c", "a b c", ""),
        ("a b c", "a c", "-1"), ("a c", "a b c", "+1"), ("a b1 c", "a b2 c", "~1:1"),
        ("a b c", "c a b", ">2:0"), ("a b c d", "b c d a", ">0:3"), ("a b c", "a2 c b", ">2:1 ~0:0"),
        ("a b", "x b1 a", "+0 >1:1 ~1:1"), ("a1 b", "c b a2", "+0 >1:1 ~0:2"),
        ("-1 -2 -1", "-1 -1 -3", "-1 +2"), ("-1", "-2", "-0 +0"),
    ]

    @Test("Removals, insertions, moves and changes by position", arguments: cases)
    func difference(_ old: String, _ new: String, _ expected: String) {
        let difference = LiveDifference(from: entities(old), to: entities(new))
        #expect(text(difference) == expected)
        #expect(difference.isEmpty == expected.isEmpty)
    }

    private func text(_ difference: LiveDifference) -> String {
        let parts =
            difference.removals.map { "-\($0)" } + difference.insertions.map { "+\($0)" }
            + difference.moves.map { ">\($0.from):\($0.to)" } + difference.changes.map { "~\($0.from):\($0.to)" }
        return parts.joined(separator: " ")
    }

    @Test("Any list becomes any other")
    func application() {
        var random = SplitMix(seed: 1)
        for _ in 0..<500 {
            let letters = Array("abcdefghij")
            let old = letters.shuffled(using: &random).prefix(Int.random(in: 0...10, using: &random))
            let new = letters.shuffled(using: &random).prefix(Int.random(in: 0...10, using: &random))
            let words = { (list: ArraySlice<Character>) in list.map { "\($0)\(Bool.random(using: &random) ? 1 : 2)" } }
            let (before, after) = (words(old), words(new))
            let difference = LiveDifference(
                from: entities(before.joined(separator: " ")), to: entities(after.joined(separator: " ")))
            #expect(apply(difference, before, after) == after, "\(before) \(after)")
        }
    }

    /// What a list in a user interface does.
    private func apply(_ difference: LiveDifference, _ old: [String], _ new: [String]) -> [String] {
        var list = old
        for step in difference.changes { list[step.from] = new[step.to] }
        let moved = difference.moves.map { ($0.to, list[$0.from]) }
        for position in (difference.removals + difference.moves.map(\.from)).sorted().reversed() {
            list.remove(at: position)
        }
        for (position, word) in (difference.insertions.map { ($0, new[$0]) } + moved).sorted(by: { $0.0 < $1.0 }) {
            list.insert(word, at: position)
        }
        return list
    }
}
