/// The parents of expanded rows, whose anchors are bound as a JSON array: of each the values that the navigation
/// property starts from, or its row id, and after them what names the row that `$it` stands for.
struct ParentList {
    /// How many values the navigation property starts from.
    let anchors: Int
    /// How many values name the row that `$it` stands for; 0 where nobody asks.
    let resource: Int
    var alias = "p"

    /// The values of the parents' own columns in place of those that were bound.
    private var rows: SQLFragment?
    private var columns = 0

    init(anchors: Int, resource: Int) {
        self.anchors = anchors
        self.resource = resource
    }

    /// `json_each(:parents) AS "p"`
    var table: SQLFragment {
        (rows?.parenthesised ?? "json_each(:parents)").named(alias)
    }

    /// Whether the anchors are columns of the parents.
    var isList: Bool { rows != nil }

    /// Makes a list of the parents' columns, which stand for the anchors from then on. SQLite makes the list once, and an
    /// index of it: a subquery with a limit is not taken apart.
    mutating func list(_ values: [SQLFragment], of table: SQLFragment, where conditions: [SQLFragment]) {
        let named = values.enumerated().map { $1.named("v\($0)") }
        let list = ([SQLFragment.column(alias, "key"), .column(alias, "value")] + named).joined(", ")
        rows =
            "SELECT " + list + " FROM " + self.table + " CROSS JOIN " + table + " WHERE " + .all(conditions)
            + " LIMIT -1"
        columns = values.count
    }

    /// The position in the array.
    var position: SQLFragment { SQLFragment.column(alias, "key") }

    /// The values that the navigation property starts from.
    var anchorValues: [SQLFragment] {
        guard isList else { return (0..<anchors).map(value) }
        return (0..<columns).map { SQLFragment.column(alias, "v\($0)") }
    }

    /// What the rows are told apart by.
    ///
    /// - Parameter suffix: what makes the names of the columns differ from those before.
    func partitions(suffix: String = "") -> [RowSet.Partition] {
        let parent = RowSet.Partition(
            name: "parent$" + suffix, term: Term(position, .integer, isNullable: false))
        return [parent]
            + (0..<resource).map { index in
                RowSet.Partition(name: "it$\(index)$" + suffix, term: Term(value(anchors + index), .text))
            }
    }

    /// A value alone stands for itself.
    private func value(_ index: Int) -> SQLFragment {
        let value = SQLFragment.column(alias, "value")
        return anchors + resource == 1
            ? value : "json_extract(\(value), '$[\(index)]')"
    }
}
