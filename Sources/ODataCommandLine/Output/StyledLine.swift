/// A line of text whose parts may look different on a terminal. Outside data in it cannot steer that.
struct StyledLine {
    private var parts: [(text: String, style: TextStyle?)] = []

    init(_ text: String = "", _ style: TextStyle? = nil) {
        add(text, style)
    }

    mutating func add(_ text: String, _ style: TextStyle? = nil) {
        if !text.isEmpty { parts.append((text.singleLine, style)) }
    }

    /// The line with spaces before it.
    func indented(by columns: Int) -> StyledLine {
        var line = StyledLine(String(repeating: " ", count: columns))
        line.parts += parts
        return line
    }

    func text(on terminal: Terminal) -> String {
        parts.map { part in part.style.map { $0.applied(to: part.text, on: terminal) } ?? part.text }.joined()
    }
}

extension [StyledLine] {
    func text(on terminal: Terminal) -> String { map { $0.text(on: terminal) }.joined(separator: "\n") }
}
