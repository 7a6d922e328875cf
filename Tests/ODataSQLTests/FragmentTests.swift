import Testing

@testable import ODataSQL

@Suite("Fragments of SQL")
struct FragmentTests {
    private static let price = SQLFragment.column("t0", "Price")

    static let texts: [(SQLFragment, String, [SQLBinding])] = [
        ("a + 1", "a + 1", []),
        (.identifier("a\"b"), #""a""b""#, []),
        (.column("t0", "a{row}b?:c"), #""t0"."a{row}b?:c""#, []),
        (.table("x{link}", as: "t1"), #""x{link}" AS "t1""#, []),
        (.literal("O'Neil {row}?"), "'O''Neil {row}?'", []),
        (.bound(.text("{row}")), "?", [.text("{row}")]),
        (
            "\(price) > \(bound: .integer(5)) AND \(7) < \(identifier: "{row}")", #""t0"."Price" > ? AND 7 < "{row}""#,
            [.integer(5)]
        ),
        (.call("f", [price, .bound(.null)]), #"f("t0"."Price", ?)"#, [.null]),
        (.all([]), "1", []),
        (.all(["a", "", "b"]), "a AND b", []),
        ([price, "1"].joined(", ").parenthesised, #"("t0"."Price", 1)"#, []),
        (SQLFragment.row("{row}").of(row: "t{row}"), #""t{row}"."{row}""#, []),
        // The innermost row is meant.
        (
            ("\(.row("a")) = \(SQLFragment.row("b").of(row: "x"))" as SQLFragment).of(row: "y"), #""y"."a" = "x"."b""#,
            []
        ),
    ]

    @Test("Are written out with their bindings in order", arguments: texts)
    func text(_ fragment: SQLFragment, _ text: String, _ bindings: [SQLBinding]) {
        #expect(fragment.statement == SQLStatement(text: text, bindings: bindings))
    }

    @Test("Share their parts: a list of 100,000 parts, one nested a thousand times, and one used often")
    func sharing() {
        var list = SQLFragment(raw: "")
        for number in 0..<100_000 { list += "\(number)," }
        #expect(list.text.utf8.count == list.byteCount)
        let nested = (0..<1000).reduce(Self.price) { fragment, _ in ("NOT " + fragment).parenthesised }
        #expect(nested.text.utf8.count == nested.byteCount)
        let many = (0..<10).reduce(Self.price) { fragment, _ in fragment + " + " + fragment }
        #expect(many.text.utf8.count == many.byteCount)
    }

    @Test("Are equal where they are made of the same parts")
    func equality() {
        #expect(Self.price + " DESC" == .column("t0", "Price") + " DESC")
        #expect((Self.price + " COLLATE NOCASE").withoutCollation == Self.price)
        #expect(Self.price.withoutCollation == Self.price)
    }
}
