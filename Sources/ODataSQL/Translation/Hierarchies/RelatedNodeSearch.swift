import ODataModel
import ODataQuery

/// Finds the nodes that `ancestors` and `descendants` lead to.
struct RelatedNodeSearch {
    let related: RelatedNodes
    let tables: HierarchyTables

    /// The nodes that are reachable from the rows that the inner transformations leave, with the partitions of the rows.
    func reached(from starts: RowSet) throws -> SQLFragment {
        var rows = starts
        let steps = QueryExpression.path(related.node).collectionSteps
        try rows.follow(steps)
        let alias = "n$\(rows.context.number())"
        let node = tables.term("node", of: alias)
        let (left, right) = try rows.expressions.sides(
            node, try rows.term(try related.node.droppingSteps(steps)), ordered: false)
        var start = rows.statement
        start.tables += " JOIN " + tables.table(tables.nodes, alias)
        start.conditions.append(left + " = " + right)
        let names = rows.partitions.map(\.name)
        start.columns =
            rows.partitions.map { $0.term.sql.named($0.name) } + [node.sql + " AS \"node\""]
        let reach = HierarchyTables.Reach(
            isUpwards: related.isAncestors, maxDistance: related.maxDistance, keepsStart: related.keepsStart)
        return try tables.reached(
            reach, from: start.sql, carrying: names,
            selecting: { rows in (names + ["node"]).map { SQLFragment.column(rows, $0) } },
            expressions: rows.expressions)
    }

    /// Whether a row has a node of those in the table `reached` with the same partitions.
    func condition(on rows: RowSet, in reached: String) throws -> SQLFragment {
        let path = related.node
        let steps = QueryExpression.path(path).collectionSteps
        guard !steps.isEmpty else { return try isReached(try rows.term(path), of: rows, in: reached) }
        var lead = path
        lead.steps = steps
        let members = try rows.expressions.members(of: lead)
        let node = try rows.expressions.inside(members).term(.path(try path.droppingSteps(steps)))
        let conditions = members.conditions + [try isReached(node, of: rows, in: reached)]
        return .exists(in: members.tables, where: conditions)
    }

    private func isReached(_ node: Term, of rows: RowSet, in reached: String) throws -> SQLFragment {
        guard !rows.partitions.isEmpty else { return try rows.expressions.isIn(node, "node", of: reached, tables) }
        let alias = "n$\(rows.context.number())"
        let (first, second) = try rows.expressions.sides(node, tables.term("node", of: alias), ordered: false)
        var found = SelectStatement(tables: tables.table(reached, alias))
        found.columns = ["1"]
        found.conditions =
            [first + " = " + second]
            + rows.partitions.map { partition in
                var carried = partition.term
                carried.sql = SQLFragment.column(alias, partition.name)
                return carried.sortKey + " IS " + partition.term.sortKey
            }
        return "EXISTS (" + found.sql + ")"
    }
}
