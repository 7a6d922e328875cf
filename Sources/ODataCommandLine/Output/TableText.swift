/// The text of a table, made of rows as they come.
///
/// Columns are aligned among the rows that are made text together. Later rows may make them wider, but no column less
/// or more is shown.
struct TableText {
    private let columns: [String]
    private let numbers: Set<String>
    private let keys: Set<String>
    private let limit: Int?
    private let terminal: Terminal
    /// How wide each column would be for all rows until now.
    private var natural: [Int]
    /// How wide the widest value of each column is that may not be cut.
    private var whole: [Int]
    private var layout: TableLayout?
    /// Which of the columns are not left out.
    private var places: [Int]
    /// Columns that are left out because all rows have null there.
    private(set) var empty: [String] = []
    /// Columns that have no room.
    private(set) var hidden: [String] = []

    /// - Parameters:
    ///   - columns: Their names.
    ///   - numbers: The names of those whose values stand at the right.
    ///   - keys: The names of those whose values are not cut, whatever they are.
    ///   - limit: How many columns of characters a line may have; nil if any number.
    ///   - terminal: Where it is shown.
    init(
        columns: [String], numbers: Set<String> = [], keys: Set<String> = [], limit: Int?, on terminal: Terminal
    ) {
        self.columns = columns.map(\.singleLine)
        self.numbers = Set(numbers.map(\.singleLine))
        self.keys = Set(keys.map(\.singleLine))
        self.limit = limit
        self.terminal = terminal
        natural = self.columns.map { max(1, $0.columns) }
        whole = self.columns.map { _ in 0 }
        places = Array(columns.indices)
    }

    /// Aligned columns, below their names and a line where these are the first rows; text that does not fit has an
    /// ellipsis. Where not all has room, the columns that are null in all of the first rows are left out. Without the last
    /// line end.
    mutating func lines(_ rows: [[String?]]) -> String {
        let cells = rows.map { $0.map(TableCell.init) }
        for column in natural.indices {
            for row in cells {
                let width = row[column].text.columns
                natural[column] = max(natural[column], width)
                if isKept(row[column], in: column) { whole[column] = max(whole[column], width) }
            }
        }
        let isFirst = layout == nil
        if isFirst { leaveOut(rows) } else { noteValues(in: rows) }
        let layout = TableLayout(
            natural: places.map { natural[$0] }, whole: places.map { whole[$0] }, limit: limit,
            shown: layout?.widths.count)
        if isFirst { hidden += places.suffix(layout.hidden).map { columns[$0] } }
        self.layout = layout
        let lines = (isFirst ? head(layout) : []) + cells.map { row in line(places.map { row[$0] }, layout) }
        return lines.joined(separator: "\n")
    }

    private mutating func leaveOut(_ rows: [[String?]]) {
        guard limit != nil, TableLayout(natural: natural, limit: limit).widths != natural else { return }
        let shown = places.filter { column in rows.contains { $0[column] != nil } }
        guard !shown.isEmpty, shown != places else { return }
        empty = places.filter { !shown.contains($0) }.map { columns[$0] }
        places = shown
    }

    private mutating func noteValues(in rows: [[String?]]) {
        guard !empty.isEmpty else { return }
        let late = columns.indices.filter { column in
            empty.contains(columns[column]) && rows.contains { $0[column] != nil }
        }
        empty.removeAll { name in late.contains { columns[$0] == name } }
        hidden += late.map { columns[$0] }
    }

    private func head(_ layout: TableLayout) -> [String] {
        let rule = layout.widths.map { String(repeating: "-", count: $0) }.joined(separator: Self.gap)
        let names = places.map { TableCell(columns[$0], isName: true) }
        return [
            TextStyle.bold.applied(to: line(names, layout), on: terminal),
            TextStyle.dim.applied(to: rule, on: terminal),
        ]
    }

    private func line(_ row: [TableCell], _ layout: TableLayout) -> String {
        let padded = zip(zip(row, places), layout.widths).map { cell, width in
            cell.0.text(
                in: width, isRight: numbers.contains(columns[cell.1]), isKept: isKept(cell.0, in: cell.1), on: terminal)
        }
        return padded.joined(separator: Self.gap).withoutTrailingSpaces
    }

    /// Whether a part of the value would be another one.
    private func isKept(_ cell: TableCell, in column: Int) -> Bool {
        cell.isWhole || cell.isValue && keys.contains(columns[column])
    }

    private static let gap = String(repeating: " ", count: TableLayout.gap)
}

// MARK: - One row

extension TableText {
    /// The values behind their names, in as many lines as they need. Of a collection with one row, nil where the values
    /// have room beside each other.
    func list(_ row: [String?], isEntity: Bool = false) -> String? {
        let limit = limit ?? (isEntity ? Self.noLimit : 0)
        guard limit >= TableLayout.gap + 2, let longest = columns.map(\.columns).max() else { return nil }
        let cells = row.map(TableCell.init)
        let wanted = zip(natural, cells).map { max($0, $1.text.columns) }
        guard isEntity || TableLayout(natural: wanted, limit: limit).widths != wanted else { return nil }
        let width = min(longest, (limit - TableLayout.gap) / 2)
        let room = limit - TableLayout.gap - width
        let lines = zip(columns, cells).flatMap { name, cell in
            cell.lines(of: room, on: terminal).enumerated().map { number, text in
                let title = TableCell(number == 0 ? name : "", isName: true)
                let padded = title.text(in: width, isRight: false, on: terminal)
                return (padded + Self.gap + text).withoutTrailingSpaces
            }
        }
        return lines.joined(separator: "\n")
    }

    /// More than any line has.
    private static let noLimit = 1 << 30
}
