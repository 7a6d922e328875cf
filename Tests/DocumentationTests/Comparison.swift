import Foundation

/// What stands between two headings of a page for those who come from another SDK: the rows of its tables, and the code
/// that shows what they name.
struct ComparisonSection {
    static let header = ["there", "here", "better, different"]

    /// The cells of a line of a table, without those of its two first lines.
    struct Row {
        var cells: [String]
        /// Where it stands.
        var place: String

        /// What stands in code in a cell, links to symbols by their last name, calls without what they are given.
        func names(in column: Int) -> [String] {
            guard cells.indices.contains(column) else { return [] }
            let parts = cells[column].replacing("``", with: "`").split(separator: "`", omittingEmptySubsequences: false)
            return parts.indices.filter { $0 % 2 == 1 }.compactMap { Self.name(parts[$0]) }
        }

        private static func name(_ code: Substring) -> String? {
            let call = code.prefix { $0 != "(" }
            let isLink = call.first?.isUppercase == true
            return (isLink ? call.split(separator: "/").last : call).map(String.init)
        }
    }

    var rows: [Row] = []
    var code: [String] = []

    /// Whether a name stands in the code as a whole word.
    func shows(_ name: String) -> Bool {
        let isPart = { (character: Character?) in character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
        return code.contains { line in
            line.ranges(of: name).contains { range in
                let before = range.lowerBound > line.startIndex ? line[line.index(before: range.lowerBound)] : nil
                let after = range.upperBound < line.endIndex ? line[range.upperBound] : nil
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
                sections.append(ComparisonSection())
            } else if line.hasPrefix("|") {
                let row = ComparisonSection.Row(cells: cells(of: line), place: "\(document):\(number + 1)")
                sections[sections.count - 1].rows.append(row)
            }
        }
        return sections
    }

    private static func cells(of line: Substring) -> [String] {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
