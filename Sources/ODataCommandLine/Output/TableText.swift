/// The text of a table, made of rows as they come.
///
/// Columns are aligned among the rows that are made text together. Later rows may make them wider, but no column less
/// or more is shown.
struct TableText {
    private let columns: [String]
    private let limit: Int?
    private let terminal: Terminal
    /// How wide each column would be for all rows until now.
    private var natural: [Int]
    private var layout: TableLayout?

    /// - Parameters:
    ///   - columns: Their names.
    ///   - limit: How many columns of characters a line may have; nil if any number.
    ///   - terminal: Where it is shown.
    init(columns: [String], limit: Int?, on terminal: Terminal) {
        self.columns = columns.map(\.singleLine)
        self.limit = limit
        self.terminal = terminal
        natural = self.columns.map { max(1, $0.columns) }
    }

    /// How many columns at the end have no room.
    var hidden: Int { layout?.hidden ?? 0 }

    /// Aligned columns, below their names and a line where these are the first rows; what does not fit ends with an
    /// ellipsis. Without the last line end.
    mutating func lines(_ rows: [[String?]]) -> String {
        let cells = rows.map { row in row.map { ($0 ?? "").singleLine } }
        for column in natural.indices {
            natural[column] = cells.reduce(natural[column]) { max($0, $1[column].columns) }
        }
        let isFirst = layout == nil
        let layout = TableLayout(natural: natural, limit: limit, shown: layout?.widths.count)
        self.layout = layout
        let lines = (isFirst ? head(layout) : []) + cells.map { Self.line($0, layout) }
        return lines.joined(separator: "\n")
    }

    /// A line for each value, behind its name, where they have no room beside each other; nil where they have.
    func list(_ row: [String?]) -> String? {
        guard let limit, limit >= TableLayout.gap + 2, let longest = columns.map(\.columns).max() else { return nil }
        let cells = row.map { ($0 ?? "").singleLine }
        let wanted = zip(natural, cells).map { max($0, $1.columns) }
        guard TableLayout(natural: wanted, limit: limit).widths != wanted else { return nil }
        let layout = TableLayout(natural: [longest, cells.map(\.columns).max() ?? 1], limit: limit, shown: 2)
        let lines = zip(columns, cells).map { Self.line([$0, $1], layout) }
        return lines.joined(separator: "\n")
    }

    private func head(_ layout: TableLayout) -> [String] {
        let rule = layout.widths.map { String(repeating: "-", count: $0) }.joined(separator: Self.gap)
        return [
            TextStyle.bold.applied(to: Self.line(columns, layout), on: terminal),
            TextStyle.dim.applied(to: rule, on: terminal),
        ]
    }

    private static func line(_ row: [String], _ layout: TableLayout) -> String {
        let padded = zip(row, layout.widths).map { $0.fitted(to: $1).padded(to: $1) }
        return String(padded.joined(separator: gap).trimmingSuffix { $0 == " " })
    }

    private static let gap = String(repeating: " ", count: TableLayout.gap)
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, matches(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
