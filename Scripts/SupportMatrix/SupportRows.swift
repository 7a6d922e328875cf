/// The source of a document of rows: Markdown, which is copied, and between it lines that begin with `@`.
///
///     @require M1..M11 O1           rows or items that must be there
///     @row M1 Media entities        a heading, and the table of what follows
///     @works Links in V2 and V4     an entry; also @part, @refused, @unrun, @unbuilt
///     @limits not in …              what its state does not say
///     @tests A/B, A/C/function      what shows it
///     @summary [Document]           a table of all rows of this or another document
///
/// What follows such a line belongs to it, up to the next one or an empty line. The text of an entry may begin with the
/// items of a standard that it is about: `@works 13.1.1-1, 2 | service document`.
struct SupportRows {
    enum State: String {
        case works
        case part
        case refused
        /// Written for a platform that it was not run on.
        case unrun
        case unbuilt

        var needsTests: Bool { self == .works || self == .part || self == .refused }
    }

    struct Entry {
        var state: State
        /// `13.1.1-1, 2`
        var items = ""
        var what: String
        var limits = ""
        var tests: [String] = []
        var line: Int
    }

    struct Row {
        var id: String
        var title: String
        var entries: [Entry] = []
    }

    enum Part {
        case text(String)
        case row(Row)
        case summary(of: String)
    }

    let name: String
    private(set) var parts: [Part] = []
    private(set) var required: [String] = []
    private(set) var problems: [String] = []

    var rows: [Row] {
        parts.compactMap { if case .row(let row) = $0 { row } else { nil } }
    }

    /// - Parameter name: that of the document, like `SupportMatrix`.
    init(name: String, text: String) {
        self.name = name
        var directive: (words: String, line: Int)?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("@") || line.isEmpty {
                if let directive { take(directive.words, line: directive.line) }
                directive = line.isEmpty ? nil : (String(line), index + 1)
                if !line.isEmpty { continue }
            } else if let words = directive?.words {
                directive?.words = words + " " + line.drop { $0 == " " }
                continue
            }
            parts.append(.text(String(line)))
        }
        if let directive { take(directive.words, line: directive.line) }
    }

    private mutating func take(_ words: String, line: Int) {
        let parts = words.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
        let text = parts.count > 1 ? parts[1] : ""
        switch parts.first ?? "" {
        case "require": required += text.split(separator: " ").map(String.init)
        case "row": self.parts.append(.row(Self.row(text)))
        case "summary": self.parts.append(.summary(of: text))
        case "limits": changeEntry(line) { $0.limits = text }
        case "tests":
            let names = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
            changeEntry(line) { $0.tests = names }
        case let word:
            if let state = State(rawValue: word) {
                changeRow(line) { $0.entries.append(Self.entry(state, text, line: line)) }
            } else {
                problems.append("\(name), line \(line): @\(word) has no meaning.")
            }
        }
    }

    private static func row(_ text: String) -> Row {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        return Row(id: words.first ?? "", title: words.count > 1 ? words[1] : "")
    }

    private static func entry(_ state: State, _ text: String, line: Int) -> Entry {
        guard let bar = text.firstRange(of: " | ") else { return Entry(state: state, what: text, line: line) }
        return Entry(
            state: state, items: String(text[..<bar.lowerBound]), what: String(text[bar.upperBound...]), line: line)
    }

    private mutating func changeRow(_ line: Int, _ change: (inout Row) -> Void) {
        guard case .row(var row)? = parts.last else {
            problems.append("\(name), line \(line): this belongs to no row.")
            return
        }
        change(&row)
        parts[parts.count - 1] = .row(row)
    }

    private mutating func changeEntry(_ line: Int, _ change: (inout Entry) -> Void) {
        guard case .row(let row)? = parts.last, !row.entries.isEmpty else {
            problems.append("\(name), line \(line): this belongs to no entry.")
            return
        }
        changeRow(line) { change(&$0.entries[$0.entries.count - 1]) }
    }
}
