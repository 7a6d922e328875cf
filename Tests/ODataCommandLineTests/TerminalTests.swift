import Testing

@testable import ODataCommandLine

@Suite struct TerminalTests {
    private static let environments: [([String: String], canWriteOver: Bool, hasColours: Bool)] = [
        (["TERM": "xterm"], true, true), ([:], true, true), (["TERM": "dumb"], false, false),
        (["TERM": "xterm", "NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
    ]

    @Test(arguments: environments)
    func theEnvironmentTellsWhatATerminalCan(
        environment: [String: String], canWriteOver: Bool, hasColours: Bool
    ) {
        let terminal = Terminal(isTerminal: true, environment: environment)
        #expect(terminal.canWriteOver == canWriteOver)
        #expect(terminal.hasColours == hasColours)
        let file = Terminal(isTerminal: false, environment: environment)
        #expect(!file.canWriteOver && !file.hasColours)
    }

    private static let sizes: [((Int, Int), [String: String], TerminalSize)] = [
        ((120, 50), [:], TerminalSize(columns: 120, rows: 50)), ((0, 0), [:], TerminalSize(columns: 80, rows: 24)),
        ((120, 50), ["COLUMNS": "60", "LINES": "10"], TerminalSize(columns: 60, rows: 10)),
        ((120, 50), ["COLUMNS": "0", "LINES": "many"], TerminalSize(columns: 120, rows: 50)),
        ((0, 0), ["COLUMNS": "99999999999999999999"], TerminalSize(columns: 80, rows: 24)),
    ]

    @Test(arguments: sizes)
    func theSizeIsWhatThePersonSaysOrTheTerminal(told: (Int, Int), environment: [String: String], size: TerminalSize) {
        #expect(TerminalSize(told: told, environment: environment) == size)
    }

    private static let texts: [(String, Int)] = [
        ("", 0), ("abc", 3), ("Grüße", 5), ("e\u{301}", 1), ("写真", 4), ("한", 2), ("👩‍🔧", 2), ("→…", 2), ("ｱ", 1),
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
        #expect("a\u{1B}[31mb\r\nc\td\u{9B}e".singleLine == "a [31mb c d e")
        #expect("a\u{1B}[31mb\nc\td".withoutControls == "a [31mb\nc\td")
    }
}
