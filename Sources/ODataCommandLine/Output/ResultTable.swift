import ODataModel

/// Rows of text under column names: what tables and CSV are printed from.
struct ResultTable {
    var columns: [String]
    /// Nil for absent and null.
    var rows: [[String?]]

    init(columns: [String], rows: [[String?]] = []) {
        self.columns = columns
        self.rows = rows
    }

    /// A column per property; expanded relations show how many entities there are, or the one's key.
    init(_ entities: [Entity], shape: RowShape) {
        let names = shape.properties[..<shape.hiddenFrom].map(\.name)
        let relations = shape.children.map(\.navigation.name)
        columns = names + relations
        rows = entities.map { entity in
            names.map { name in entity[name].flatMap { $0.isNull ? nil : $0.lexical } }
                + relations.map { Self.summary(entity.expanded[$0]) }
        }
    }

    private static func summary(_ expanded: Entity.Expanded?) -> String? {
        switch expanded {
        case .many(let entities, let count): "\(count ?? Int64(entities.count)) entities"
        case .one(let entity?): entity.key?.urlText ?? "1 entity"
        case .one(nil), nil: nil
        }
    }

    /// Aligned columns with a line under the names; what does not fit ends with an ellipsis.
    ///
    /// - Parameters:
    ///   - limit: How many columns of characters a line may have; nil if any number.
    ///   - terminal: Where it is shown.
    /// - Returns: The text, and how many columns at the end had no room.
    func table(limit: Int?, on terminal: Terminal) -> (text: String, hidden: Int) {
        let cells = rows.map { row in row.map { ($0 ?? "").singleLine } }
        let names = columns.map(\.singleLine)
        let natural = names.indices.map { column in cells.reduce(names[column].columns) { max($0, $1[column].columns) }
        }
        let layout = TableLayout(natural: natural, limit: limit)
        func line(_ row: [String]) -> String {
            let padded = zip(row, layout.widths).map { $0.fitted(to: $1).padded(to: $1) }
            return String(padded.joined(separator: Self.gap).trimmingSuffix { $0 == " " })
        }
        let rule = layout.widths.map { String(repeating: "-", count: $0) }.joined(separator: Self.gap)
        let head = [
            TextStyle.bold.applied(to: line(names), on: terminal), TextStyle.dim.applied(to: rule, on: terminal),
        ]
        return ((head + cells.map(line)).joined(separator: "\n"), layout.hidden)
    }

    private static let gap = String(repeating: " ", count: TableLayout.gap)

    /// RFC 4180, with a line of names.
    var csv: String {
        ([columns] + rows.map { row in row.map { $0 ?? "" } })
            .map { row in row.map(Self.csvField).joined(separator: ",") }
            .joined(separator: "\r\n")
    }

    private static func csvField(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, matches(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
