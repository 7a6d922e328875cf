/// Lines of Swift, laid out as `swift format` leaves them.
struct SwiftText {
    static let width = 120
    private var lines: [String] = []
    private(set) var level = 0

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func indented(_ body: (inout SwiftText) -> Void) {
        level += 1
        body(&self)
        level -= 1
    }

    mutating func line(_ text: String) { lines.append(indented(text)) }

    /// One empty line, unless there is one or a block has just begun.
    mutating func gap() {
        guard let last = lines.last, !last.isEmpty, !last.hasSuffix("{") else { return }
        lines.append("")
    }

    /// `opening {`, what `body` writes, and `}`.
    mutating func block(_ opening: String, _ body: (inout SwiftText) -> Void) {
        line(opening.isEmpty ? "{" : opening + " {")
        level += 1
        body(&self)
        level -= 1
        line("}")
    }

    /// `opening[a, b]closing`, with a line for each element where one line is too short.
    mutating func list(_ opening: String, _ elements: [String], _ closing: String = "]") {
        let short = opening + elements.joined(separator: ", ") + closing
        // The comma that the last of several elements gets in a line of its own counts.
        guard !fits(elements.count > 1 ? short + "," : short), !elements.isEmpty else { return line(short) }
        line(opening)
        level += 1
        let ending = elements.count > 1 ? "," : ""
        for element in elements { line(element + ending) }
        level -= 1
        line(closing)
    }

    /// `opening(a: Int, b: Int) ending {` and a body; the parameters in lines of their own where one is too short.
    mutating func function(
        _ opening: String, _ parameters: [String], _ ending: String = "", _ body: (inout SwiftText) -> Void
    ) {
        let ending = ending.isEmpty ? "" : " " + ending
        let short = "\(opening)(\(parameters.joined(separator: ", ")))\(ending)"
        guard !fits(short + " {"), !parameters.isEmpty else { return block(short, body) }
        line(opening + "(")
        level += 1
        fill(parameters)
        level -= 1
        block(")\(ending)", body)
    }

    /// A comment in front of a declaration, a paragraph for each text.
    mutating func documentation(_ paragraphs: [String]) {
        for (index, paragraph) in paragraphs.enumerated() {
            if index > 0 { line("///") }
            var current = ""
            let indentation = paragraph.hasPrefix("- ") ? "  " : ""
            for word in paragraph.split(whereSeparator: \.isWhitespace) {
                if !current.isEmpty, !fits("/// \(current) \(word)") {
                    line("/// " + current)
                    current = indentation + word
                } else {
                    current += current.isEmpty ? String(word) : " \(word)"
                }
            }
            line("/// " + current)
        }
    }

    func fits(_ text: String) -> Bool { level * 4 + text.count <= Self.width }

    /// As many as fit in each line, `ending` behind the last.
    mutating func fill(_ items: [String], ending: String = "") {
        var current = ""
        for (index, item) in items.enumerated() {
            let item = item + (index < items.count - 1 ? "," : ending)
            if !current.isEmpty, !fits("\(current) \(item)") {
                wrapped(current)
                current = ""
            }
            current += current.isEmpty ? item : " " + item
        }
        wrapped(current)
    }

    /// `name: Type = nil,` in two lines where one is too short.
    private mutating func wrapped(_ item: String) {
        guard !fits(item), let colon = item.firstIndex(of: ":") else { return line(item) }
        line(String(item[...colon]))
        indented { $0.line(String(item[item.index(colon, offsetBy: 2)...])) }
    }

    private func indented(_ text: String) -> String {
        text.isEmpty ? "" : String(repeating: " ", count: level * 4) + text
    }
}
