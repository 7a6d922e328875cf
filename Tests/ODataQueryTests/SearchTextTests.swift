import Testing

@testable import ODataQuery

@Suite("Search expressions of what people type")
struct SearchTextTests {
    @Test(
        "words",
        arguments: [
            ("garden chair", "garden AND chair"), ("  a\tb\n", "a AND b"),
            (
                "black AND OR NOT and", ##"black AND "AND" AND "OR" AND "NOT" AND and"##
            ),
            ("R&D (new)", ##""R&D" AND "(new)""##), ("O'Neil", ##""O'Neil""##), (##"17" tube"##, "17 AND tube"),
            (##"a"b"##, "a AND b"), ("Zürich 8", "Zürich AND 8"), ("- & x", "x"),
        ])
    func words(typed: String, expected: String) throws {
        #expect(SearchText.words(typed) == expected)
        var parser = SyntaxParser(try QuerySource(text: expected, limits: .default), limits: .default)
        _ = try parser.searchExpr()
        #expect(parser.isAtEnd)
    }

    @Test(
        "phrases",
        arguments: [
            ("garden  chair", ##""garden chair""##), ("a AND b", ##""a AND b""##),
            (##"the "big" one\"##, ##""the big one\""##),
        ])
    func phrases(typed: String, expected: String) throws {
        #expect(SearchText.phrase(typed) == expected)
        var parser = SyntaxParser(try QuerySource(text: expected, limits: .default), limits: .default)
        _ = try parser.searchExpr()
        #expect(parser.isAtEnd)
    }

    @Test("nothing to be found", arguments: ["", "  ", "\"", "- ()", "\"\" !"])
    func nothing(typed: String) {
        #expect(SearchText.words(typed) == nil && SearchText.phrase(typed) == nil)
    }
}
