/// Writes documents of rows as Markdown.
struct SupportText {
    var tests: TestNames
    var documents: [SupportRows]

    func text(_ document: SupportRows) -> String {
        let source = "Documentation/Rows/\(document.name).txt"
        var lines = ["<!-- Written by Scripts/support-matrix from \(source): change it there. -->", ""]
        for part in document.parts {
            switch part {
            case .text(let line): lines.append(line)
            case .row(let row): lines += table(row)
            case .summary(let name): lines += summary(of: name, in: document)
            }
        }
        let isRepeated = zip([""] + lines, lines).map { $0.isEmpty && $1.isEmpty }
        return zip(lines, isRepeated).filter { !$1 }.map(\.0).joined(separator: "\n")
    }

    private func table(_ row: SupportRows.Row) -> [String] {
        let hasItems = row.entries.contains { !$0.items.isEmpty }
        var lines = [
            "### \(row.id) \(row.title)", "",
            hasItems ? "| item | what | state | shown by | tests |" : "| what | state | shown by | tests |",
            hasItems ? "| --- | --- | --- | --- | --: |" : "| --- | --- | --- | --: |",
        ]
        for entry in row.entries {
            var cells = [entry.what, Self.state(entry), shown(entry), "\(tests(entry).count)"]
            if hasItems { cells.insert(entry.items, at: 0) }
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        return lines
    }

    private static func state(_ entry: SupportRows.Entry) -> String {
        let word =
            switch entry.state {
            case .works: "works"
            case .part: "in part"
            case .refused: "refused"
            case .unrun: "not run"
            case .unbuilt: "not built"
            }
        return entry.limits.isEmpty ? word : word + (entry.state == .works ? "; " : ": ") + entry.limits
    }

    private func shown(_ entry: SupportRows.Entry) -> String {
        entry.tests.map { "`\($0)`" }.joined(separator: ", ")
    }

    private func tests(_ entry: SupportRows.Entry) -> Set<String> {
        Set(entry.tests.flatMap { tests.tests($0) ?? [] })
    }

    /// - Parameter name: of another document, or empty.
    private func summary(of name: String, in document: SupportRows) -> [String] {
        let other = documents.first { $0.name == name } ?? document
        let file = other.name == document.name ? "" : "\(other.name).md"
        var lines = ["| row | what | state | tests |", "| --- | --- | --- | --: |"]
        for row in other.rows {
            let count = row.entries.reduce(into: Set()) { $0.formUnion(tests($1)) }.count
            let link = "[\(row.id)](\(file)#\(Self.anchor("\(row.id) \(row.title)")))"
            lines.append("| \(link) | \(row.title) | \(Self.state(row)) | \(count) |")
        }
        return lines
    }

    private static func state(_ row: SupportRows.Row) -> String {
        let states = row.entries.map(\.state)
        let done = states.filter { $0 == .works || $0 == .refused }.count
        switch (done, states.contains(.refused)) {
        case (states.count, false): return "works"
        case (states.count, true): return "works; refusals named"
        default: return Set(states) == [.unbuilt] ? "not built" : "in part: \(done) of \(states.count)"
        }
    }

    /// As the usual renderers make it of a heading.
    private static func anchor(_ heading: String) -> String {
        String(
            heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.map {
                $0 == " " ? "-" : $0
            })
    }
}
