/// The parents of expanded rows, whose anchors are bound as a JSON array: of each the values that the relation starts
/// from, or its row id, and after them what names the row that `$it` stands for.
struct ParentList {
    /// How many values the relation starts from.
    let anchors: Int
    /// How many values name the row that `$it` stands for; 0 where nobody asks.
    let resource: Int
    var alias = "p"

    /// `json_each(:parents) AS "p"`
    var table: SQLFragment { SQLFragment("json_each(:parents) AS \(quoted(alias))") }

    /// The position in the array.
    var position: SQLFragment { SQLFragment("\(quoted(alias)).\"key\"") }

    /// The values that the relation starts from.
    var anchorValues: [SQLFragment] { (0..<anchors).map(value) }

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
        let value = SQLFragment("\(quoted(alias)).\"value\"")
        return anchors + resource == 1
            ? value : "json_extract(" + value + SQLFragment(", '$[\(index)]')")
    }
}
