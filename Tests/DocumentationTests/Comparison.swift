import Foundation

/// What stands between two headings of a page for those who come from another SDK: the rows of its tables, the code
/// that shows what they name, and the rest of the text.
struct ComparisonSection {
    static let header = ["there", "here", "better, different"]
    /// The heading of what has no counterpart.
    static let missing = "## What is missing here"

    /// The cells of a line of a table, without those of its two first lines.
    struct Row {
        var cells: [String]
        /// Where it stands.
        var place: String

        /// What stands in code in a cell, links to symbols by their last name, calls without what they are given.
        func names(in column: Int) -> [String] {
            code(in: column).compactMap { Self.name($0[...]) }
        }

        /// What stands in code in a cell, as it stands there.
        func code(in column: Int) -> [String] {
            cells.indices.contains(column) ? ComparisonSection.code(in: cells[column]) : []
        }

        private static func name(_ code: Substring) -> String? {
            let call = code.prefix { $0 != "(" }
            let isLink = call.first?.isUppercase == true
            return (isLink ? call.split(separator: "/").last : call).map(String.init)
        }
    }

    var heading = ""
    var rows: [Row] = []
    var code: [String] = []
    var text: [Substring] = []

    /// What is said to be there, in the source: by the first column of the rows, and by the text where the section tells
    /// what is missing.
    var codeOfSource: [String] {
        let missing = heading == Self.missing ? Self.code(in: text.joined(separator: " ")) : []
        return rows.flatMap { $0.code(in: 0) } + missing
    }

    /// What stands between backticks.
    static func code(in text: String) -> [String] {
        let parts = text.replacing("``", with: "`").split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }

    /// Whether a name stands in the code as a whole word.
    func shows(_ name: String) -> Bool { Self.shows(name, in: code) }

    /// Whether a name stands in one of the texts as a whole word.
    static func shows(_ name: String, in texts: [String]) -> Bool {
        let isPart = { (character: Character?) in character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
        return texts.contains { text in
            text.ranges(of: name).contains { range in
                let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : nil
                let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
                return !(isPart(name.first) && isPart(before)) && !(isPart(name.last) && isPart(after))
            }
        }
    }
}

extension Documents {
    /// The pages for those who come from another SDK.
    static func comparisons() throws -> [String] { try documents().filter { $0.contains("/ComingFrom") } }

    static func sections(of document: String) throws -> [ComparisonSection] {
        var sections = [ComparisonSection()]
        var isCode = false
        for (number, line) in try lines(of: document).enumerated() {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode {
                sections[sections.count - 1].code.append(String(line))
            } else if line.hasPrefix("#") {
                sections.append(ComparisonSection(heading: String(line)))
            } else if line.hasPrefix("|") {
                let row = ComparisonSection.Row(cells: cells(of: line), place: "\(document):\(number + 1)")
                sections[sections.count - 1].rows.append(row)
            } else {
                sections[sections.count - 1].text.append(line)
            }
        }
        return sections
    }

    private static func cells(of line: Substring) -> [String] {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
