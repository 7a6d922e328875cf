import Testing

@testable import ODataCommandLine

@Suite struct TerminalJSONTests {
    private let plain = Terminal(isTerminal: true, environment: ["TERM": "dumb"])
    private let coloured = Terminal(isTerminal: true, environment: ["TERM": "xterm"])

    private func text(_ json: String, on terminal: Terminal, piece: Int = .max) -> String {
        var layout = TerminalJSON(on: terminal)
        var (rest, output) = (Array(json.utf8)[...], [UInt8]())
        while !rest.isEmpty {
            output += layout.text(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        return String(decoding: output + layout.end(), as: UTF8.self)
    }

    private static let documents: [(String, String)] = [
        ("{}", "{}"), ("[ ]", "[]"), ("5", "5"), (#""a""#, #""a""#), ("null", "null"), ("", ""),
        ("[1,2]", "[\n  1,\n  2\n]"),
        (
            #"{"a":{"b":[]},"c":"x, {y}: \"z\" \\"}"#,
            #"{"# + "\n" + #"""
                  "a": {
                    "b": []
                  },
                  "c": "x, {y}: \"z\" \\"
                }
                """#
        ),
        (
            #"{ "a" : [ { "b" : -1.50e3 } , true ] }"#,
            "{\n  \"a\": [\n    {\n      \"b\": -1.50e3\n    },\n    true\n  ]\n}"
        ),
        ("{\"a\":1}\n{\"a\":2}\n", "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}"),
        // What is no JSON loses nothing but white space.
        ("]}{", "]}{"), ("{\"a\":", "{\n  \"a\": "), ("<html>", "<html>"), ("[1", "[\n  1"),
    ]

    @Test("Each member and each element has a line of its own, and all values are as they were", arguments: documents)
    func lines(json: String, lines: String) {
        #expect(text(json, on: plain) == lines)
    }

    @Test("Pieces may end anywhere", arguments: documents.map(\.0), [1, 2, 3])
    func pieces(json: String, piece: Int) {
        #expect(text(json, on: plain, piece: piece) == text(json, on: plain))
        #expect(text(json, on: coloured, piece: piece) == text(json, on: coloured))
    }

    @Test("Names, text, other values and null have colours, and each ends")
    func colours() {
        let (end, cyan, green, yellow, dim) = ("\u{1B}[0m", "\u{1B}[36m", "\u{1B}[32m", "\u{1B}[33m", "\u{1B}[2m")
        let output = text(#"{"a":["x",1,true,null],"b":{}}"#, on: coloured)
        #expect(
            output == """
                {
                  \(cyan)"a"\(end): [
                    \(green)"x"\(end),
                    \(yellow)1\(end),
                    \(yellow)true\(end),
                    \(dim)null\(end)
                  ],
                  \(cyan)"b"\(end): {}
                }
                """)
        #expect(text("12", on: coloured) == "\(yellow)12\(end)")
        #expect(text("\"ab", on: coloured) == "\(green)\"ab\(end)")
    }
}
