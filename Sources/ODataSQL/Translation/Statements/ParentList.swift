/// The parents of expanded rows, whose anchors are bound as a JSON array. An anchor has the source values of the
/// navigation property, or the row id, and then the identity of the row of `$it`.
struct ParentList {
    /// The number of source values of the navigation property.
    let anchors: Int
    /// The number of values that identify the row of `$it`; 0 if it is not used.
    let resource: Int
    var alias = "p"

    /// The parents' columns in place of bound values.
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

    /// Lists the parents' columns, which replace the anchors. SQLite computes the list and its index once, since it
    /// does not flatten a subquery with a limit.
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

    /// The source values of the navigation property.
    var anchorValues: [SQLFragment] {
        guard isList else { return (0..<anchors).map(value) }
        return (0..<columns).map { SQLFragment.column(alias, "v\($0)") }
    }

    /// The partitions of the rows.
    ///
    /// - Parameter suffix: makes the names of the columns unique.
    func partitions(suffix: String = "") -> [RowSet.Partition] {
        let parent = RowSet.Partition(
            name: "parent$" + suffix, term: Term(position, .integer, isNullable: false))
        return [parent]
            + (0..<resource).map { index in
                RowSet.Partition(name: "it$\(index)$" + suffix, term: Term(value(anchors + index), .text))
            }
    }

    /// A single value is not wrapped in an array.
    private func value(_ index: Int) -> SQLFragment {
        let value = SQLFragment.column(alias, "value")
        return anchors + resource == 1
            ? value : "json_extract(\(value), '$[\(index)]')"
    }
}
