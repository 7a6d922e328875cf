/// What is wrong with rows: tests that are not there, entries without any, rows that are missing.
struct SupportCheck {
    var tests: TestNames

    func problems(_ document: SupportRows) -> [String] {
        var problems = document.problems
        for row in document.rows {
            if row.entries.isEmpty { problems.append("\(document.name), \(row.id): there is no entry.") }
            for entry in row.entries { problems += self.problems(entry, in: "\(document.name), line \(entry.line)") }
        }
        return problems + missing(document) + twice(document)
    }

    private func problems(_ entry: SupportRows.Entry, in place: String) -> [String] {
        var problems: [String] = []
        for name in entry.tests where tests.tests(name) == nil {
            problems.append("\(place): there is no test \(name).")
        }
        if entry.tests.isEmpty, entry.state.needsTests { problems.append("\(place): no test shows this.") }
        if !entry.tests.isEmpty, !entry.state.needsTests {
            problems.append("\(place): what is tested was built and run.")
        }
        if entry.state != .works, entry.limits.isEmpty { problems.append("\(place): the limits are not told.") }
        return problems
    }

    private func missing(_ document: SupportRows) -> [String] {
        let items = document.rows.flatMap(\.entries).flatMap { Self.items($0.items) }
        let known = Set(document.rows.map(\.id) + items)
        return document.required.flatMap(Self.range).filter { !known.contains($0) }
            .map { "\(document.name): there is no row or item \($0)." }
    }

    private func twice(_ document: SupportRows) -> [String] {
        var seen: Set<String> = []
        return document.rows.map(\.id).filter { !seen.insert($0).inserted }.map {
            "\(document.name): there are two rows \($0)."
        }
    }

    /// `M1..M3` → M1, M2, M3
    static func range(_ text: String) -> [String] {
        guard let dots = text.firstRange(of: ".."),
            let first = numbered(text[..<dots.lowerBound]), let last = numbered(text[dots.upperBound...]),
            first.prefix == last.prefix, first.number <= last.number
        else { return [text] }
        return (first.number...last.number).map { "\(first.prefix)\($0)" }
    }

    private static func numbered(_ text: Substring) -> (prefix: String, number: Int)? {
        let digits = text.reversed().prefix { $0.isNumber }.count
        guard let number = Int(text.suffix(digits)) else { return nil }
        return (String(text.dropLast(digits)), number)
    }

    /// `13.1.1-1, 5.2, 13.2.1-3` → 13.1.1-1, 13.1.1-5, 13.2.1-3; `13.1.1-1 to 4` are four.
    static func items(_ text: String) -> [String] {
        var section = ""
        return text.split(separator: ",").flatMap { part -> [String] in
            let words = part.split(separator: " ").map(String.init)
            guard var first = words.first else { return [] }
            if let dash = first.lastIndex(of: "-") {
                section = String(first[...dash])
                first = String(first[first.index(after: dash)...])
            }
            first = String(first.prefix { $0.isNumber })
            guard words.count == 3, words[1] == "to" else { return [section + first] }
            return range("\(section)\(first)..\(section)\(words[2])")
        }
    }
}
