import ODataStores
import TestSupport
import Testing

@testable import ODataSQLite

/// Regular expressions of ECMAScript.
@Suite struct PatternTests {
    static let cases: [(String, String, String, Bool)] = [
        ("abc", "", "xabcx", true), ("^abc$", "", "abc", true), ("^abc$", "", "abcd", false),
        ("a.c", "", "a\nc", false),
        ("a.c", "s", "a\nc", true), ("^b", "", "a\nb", false), ("^b", "m", "a\nb", true), ("a$", "m", "a\nb", true),
        ("ABC", "i", "xabcx", true), ("[a-z]+", "i", "ÀB", true), ("ä", "i", "Ä", true), ("[^a-c]", "", "abc", false),
        ("[^a-c]", "", "abcd", true), ("a{2,3}", "", "a", false), ("^a{2,3}$", "", "aaa", true),
        ("^a{2,3}$", "", "aaaa", false),
        ("^a{2}$", "", "aa", true), ("^a{2,}$", "", "aaaaa", true), ("^(a|bc)*$", "", "abcbca", true),
        ("^(a|bc)*$", "", "abcb", false),
        ("a+?b", "", "aaab", true), ("\\d{3}", "", "a123", true), ("\\D", "", "123", false),
        ("\\w+@\\w+", "", "x@y", true),
        ("\\bcat\\b", "", "a cat!", true), ("\\bcat\\b", "", "concat", false), ("\\Bcat", "", "concat", true),
        ("\\s", "", "a\u{00A0}b", true),
        ("\\x41", "", "A", true), ("\\u0041", "", "A", true), ("\\u{1F600}", "u", "😀", true),
        ("\\uD83D\\uDE00", "", "😀", true),
        ("\\p{Lu}", "u", "abC", true), ("\\P{L}", "u", "abc", false), ("(?<year>\\d+)", "", "2020", true),
        ("(?:ab)+c", "", "ababc", true),
        ("[\\]\\-a]", "", "-", true), ("[\\d_]", "", "_", true), ("a|", "", "zzz", true), ("", "", "", true),
        ("^$", "", "", true),
        ("{", "", "{", true), ("a{x", "", "a{x", true), ("b", "y", "ab", false), ("(a*)*b", "", "aaaa", false),
    ]

    @Test("Texts match or not", arguments: cases)
    func match(_ source: String, _ flags: String, _ text: String, _ isMatch: Bool) throws {
        #expect(try Pattern(source, flags: flags).matches(text) == isMatch)
    }

    static let faults = [
        "(", ")", "[", "a**", "*", "+a", "a{3,2}", "[b-a]", "\\", "(?=a)", "(?!a)", "(?<=a)", "(a)\\1", "\\k<x>",
        "\\p{Foo}", "a{1001}",
    ]

    @Test("What is not a pattern, or cannot be matched in one pass, is refused", arguments: faults)
    func fault(_ source: String) {
        #expect(throws: Pattern.Fault.self) { try Pattern(source) }
    }

    static let requests: [(String, ODataError.Code)] = [
        ("(", .badRequest), ("a{3,2}", .badRequest), ("(?=a)", .notImplemented), ("(?<!a)", .notImplemented),
        ("(a)\\1", .notImplemented), ("\\p{Foo}", .notImplemented),
    ]

    @Test("A pattern that is none is a bad request, one that is not supported is not implemented", arguments: requests)
    func request(_ pattern: String, _ code: ODataError.Code) async throws {
        let database = try MenagerieDatabase()
        let error = await #expect(throws: ODataError.self) {
            _ = try await database.animals("matchesPattern(Name,'\(pattern)')")
        }
        #expect(error?.code == code)
        #expect(error?.message.contains("matchesPattern") == true)
    }

    @Test(
        "What is not supported is called what it is",
        arguments: [
            ("(?=a)", "a lookaround"), ("(?<!a)", "a lookaround assertion"), ("(?i)a", "begins with '(?i'"),
            ("(?P<n>a)", "begins with '(?P'"), ("(?>a)", "begins with '(?>'"), ("(?", "without its ')'"),
            ("(a)\\1", "a backreference"),
        ])
    func faultText(_ source: String, _ text: String) {
        let fault = #expect(throws: Pattern.Fault.self) { try Pattern(source) }
        #expect(fault?.message.contains(text) == true, "\(fault?.message ?? "")")
    }

    @Test("Patterns that others take for ever on end at once")
    func noBacktracking() throws {
        let text = String(repeating: "a", count: 5000) + "!"
        #expect(try Pattern("^(a+)+$").matches(text) == false)
        #expect(try Pattern("^(a|aa)+$").matches(text) == false)
        #expect(try Pattern("(.*)*(.*)*(.*)*x").matches(text) == false)
    }

    @Test("A match that is too much work is given up")
    func limit() throws {
        let text = String(repeating: "a", count: 100_000)
        let pattern = try Pattern("(a?){900}a{900}b")
        #expect(pattern.matches(text, maxWork: 500_000) == nil)
        #expect(Pattern.maxWork == 50_000_000)
        if LongTests.areWanted { #expect(pattern.matches(text) == nil) }
    }
}
