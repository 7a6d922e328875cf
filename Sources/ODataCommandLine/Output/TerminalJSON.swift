/// Lays JSON text out for a person as it passes: a line for each member and each element, indented, with colours.
///
/// Nothing but white space between the parts is added or left out, also where the text is not JSON.
struct TerminalJSON {
    private enum State {
        case between
        case string
        case escaped
        /// A number, `true`, `false` or `null`
        case word
    }

    private let terminal: Terminal
    private var state = State.between
    /// The brackets that are open.
    private var open: [UInt8] = []
    /// Whether the next part begins a line: the first one behind a bracket, or one behind a comma.
    private var beginsLine = false
    /// Whether nothing has come since a bracket was opened.
    private var isEmpty = false
    /// Whether the next string is the name of a member.
    private var isName = false
    private var hasBegun = false
    private var output: [UInt8] = []

    init(on terminal: Terminal) {
        self.terminal = terminal
    }

    /// What is to be shown of the next bytes.
    mutating func text(_ bytes: [UInt8]) -> [UInt8] {
        for byte in bytes { read(byte) }
        defer { output = [] }
        return output
    }

    /// What is left at the end of the document.
    mutating func end() -> [UInt8] {
        if state != .between { endStyle() }
        state = .between
        defer { output = [] }
        return output
    }

    private mutating func read(_ byte: UInt8) {
        switch state {
        case .escaped:
            state = .string
            output.append(byte)
        case .string:
            output.append(byte)
            if byte == UInt8(ascii: "\\") { state = .escaped }
            guard byte == UInt8(ascii: "\"") else { return }
            state = .between
            endStyle()
        case .word where !Self.endsWord(byte): output.append(byte)
        case .word:
            state = .between
            endStyle()
            readBetween(byte)
        case .between: readBetween(byte)
        }
    }

    private static func endsWord(_ byte: UInt8) -> Bool { " \t\r\n\"{}[],:".utf8.contains(byte) }

    private mutating func readBetween(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): return
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            beginPart()
            output.append(byte)
            open.append(byte)
            (beginsLine, isEmpty, isName) = (true, true, byte == UInt8(ascii: "{"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            let wasOpen = open.popLast() != nil
            if wasOpen, !isEmpty { endLine() }
            (beginsLine, isEmpty, isName) = (false, false, false)
            output.append(byte)
        case UInt8(ascii: ","):
            output.append(byte)
            (beginsLine, isName) = (true, open.last == UInt8(ascii: "{"))
        case UInt8(ascii: ":"):
            output += Array(": ".utf8)
            isName = false
        case UInt8(ascii: "\""):
            beginPart()
            beginStyle(isName ? .cyan : .green)
            output.append(byte)
            state = .string
        default:
            beginPart()
            beginStyle(byte == UInt8(ascii: "n") ? .dim : .yellow)
            output.append(byte)
            state = .word
        }
    }

    private mutating func beginPart() {
        if beginsLine || open.isEmpty && hasBegun { endLine() }
        (beginsLine, isEmpty, hasBegun) = (false, false, true)
    }

    private mutating func endLine() {
        output.append(UInt8(ascii: "\n"))
        output += Array(repeating: UInt8(ascii: " "), count: 2 * open.count)
    }

    private mutating func beginStyle(_ style: TextStyle) {
        if terminal.hasColours { output += Array(style.start.utf8) }
    }

    private mutating func endStyle() {
        if terminal.hasColours { output += Array(TextStyle.end.utf8) }
    }
}
