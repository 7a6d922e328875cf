/// Rows of text in columns, below something that they belong to.
struct ModelTable {
    private let rows: [[String]]
    private let boldRows: Int

    /// - Parameter boldRows: How many of the first ones are bold.
    init(_ rows: [[String]], boldRows: Int = 0) {
        self.rows = rows.map { $0.map(\.singleLine) }
        self.boldRows = boldRows
    }

    /// The last column, which describes the others, is dim.
    var lines: [StyledLine] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.enumerated().map { number, row in
            let cells = zip(row, widths).dropLast().filter { $1 > 0 }
            var line = StyledLine("  ")
            let text = cells.map { $0.padded(to: $1) }.joined(separator: "  ")
            let note = row.last ?? ""
            line.add(note.isEmpty ? text.withoutTrailingSpaces : text, number < boldRows ? .bold : nil)
            if !note.isEmpty { line.add("  \(note)", .dim) }
            return line
        }
    }
}
