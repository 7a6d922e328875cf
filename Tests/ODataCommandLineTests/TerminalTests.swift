import Testing

@testable import ODataCommandLine

@Suite struct TerminalTests {
    private static let environments: [([String: String], canWriteOver: Bool, hasColours: Bool)] = [
        (["TERM": "xterm"], true, true), ([:], true, true), (["TERM": "dumb"], false, false),
        (["TERM": "xterm", "NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
        (["CLICOLOR": "0"], true, false), (["CLICOLOR": "1"], true, true),
        (["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], true, true),
        (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false),
    ]

    @Test(arguments: environments)
    func theEnvironmentTellsWhatATerminalCan(
        environment: [String: String], canWriteOver: Bool, hasColours: Bool
    ) {
        let terminal = Terminal(isTerminal: true, environment: environment)
        #expect(terminal.canWriteOver == canWriteOver)
        #expect(terminal.hasColours == hasColours)
        let file = Terminal(isTerminal: false, environment: environment)
        #expect(!file.canWriteOver)
        #expect(file.hasColours == (hasColours && environment["CLICOLOR_FORCE"] == "1"))
    }

    private static let sizes: [((Int, Int), [String: String], (Int, Int))] = [
        ((120, 50), [:], (120, 50)), ((0, 0), [:], (80, 24)),
        ((120, 50), ["COLUMNS": "60", "LINES": "10"], (60, 10)),
        ((120, 50), ["COLUMNS": "0", "LINES": "many"], (120, 50)),
        ((0, 0), ["COLUMNS": "99999999999999999999"], (80, 24)),
    ]

    @Test(arguments: sizes)
    func theSizeIsWhatThePersonSaysOrTheTerminal(told: (Int, Int), environment: [String: String], size: (Int, Int)) {
        let found = TerminalSize(told: told, environment: environment)
        #expect((found.columns, found.rows) == size)
    }

    private static let texts: [(String, Int)] = [
        ("", 0), ("abc", 3), ("Grüße", 5), ("e\u{301}", 1), ("写真", 4), ("한", 2), ("👩‍🔧", 2), ("→…", 2), ("ｱ", 1),
        ("का", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("🇩🇪", 2), ("1️⃣", 2),
    ]

    @Test(arguments: texts)
    func textTakesAsManyColumns(text: String, columns: Int) { #expect(text.columns == columns) }

    private static let fitted: [(String, Int, String)] = [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("写真帳", 4, "写…"),
        ("写真帳", 5, "写真…"),
    ]

    @Test(arguments: fitted)
    func longTextEndsWithAnEllipsis(text: String, limit: Int, result: String) {
        #expect(text.fitted(to: limit) == result)
        #expect(text.fitted(to: limit).columns <= limit)
    }

    @Test func outsideDataCannotSteerTheTerminal() {
        #expect("a\u{1B}[31mb\r\nc\td\u{9B}e\u{2028}f".singleLine == "a [31mb c d e f")
        #expect("a\u{1B}[31mb\nc\td".withoutControls == "a [31mb\nc\td")
        #expect("a\u{202E}b\u{1B}\u{301}c\r\nd\re\u{7F}".withoutControls == "a b \u{301}c\nd e ")
    }

    @Test("Outside data is harmless in whatever pieces it comes", arguments: 1...7)
    func filter(length: Int) {
        var (filter, shown) = (TerminalFilter(), [UInt8]())
        let bytes = Array("ä写👩‍🔧\u{9B}x\r\ny\rz\u{2067}".utf8) + [0xFF, 0x61, 0xE5, 0x86]
        for start in stride(from: 0, to: bytes.count, by: length) {
            shown += filter.text(Array(bytes[start..<min(start + length, bytes.count)]))
        }
        shown += filter.end()
        #expect(String(decoding: shown, as: UTF8.self) == "ä写👩‍🔧 x\ny z \u{FFFD}a\u{FFFD}")
    }
}
