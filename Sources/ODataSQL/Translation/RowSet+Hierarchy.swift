import ODataModel
import ODataQuery

/// `ancestors`, `descendants` and `traverse`.
///
/// [OData-Aggregation, section 6.2]
extension RowSet {
    /// Leaves the rows whose node is above or below those of the rows that the inner transformations leave.
    mutating func keep(_ related: RelatedNodes) throws {
        let tables = try context.tables(of: related.hierarchy)
        let shared = try self.shared()
        var starts = shared
        starts.reopen()
        try starts.apply(related.start)
        let reached = try context.define(try starts.reached(related, tables))
        self = shared
        reopen()
        conditions.append(try hasNode(related.node, in: reached, tables))
    }

    /// The nodes that are reached from these rows, with the partitions of the rows.
    private func reached(_ related: RelatedNodes, _ tables: HierarchyTables) throws -> SQLFragment {
        var rows = self
        let steps = QueryExpression.path(related.node).collectionSteps
        try rows.follow(steps)
        let alias = "n$\(context.number())"
        let node = tables.term("node", of: alias)
        let (left, right) = try rows.expressions.sides(
            node, try rows.term(try related.node.droppingSteps(steps)), ordered: false)
        var start = rows.statement
        start.tables += " JOIN " + tables.table(tables.nodes, alias) + " ON " + left + " = " + right
        let names = rows.partitions.map(\.name)
        start.columns =
            rows.partitions.map { $0.term.sql + SQLFragment(" AS \(quoted($0.name))") } + [node.sql + " AS \"node\""]
        let reach = HierarchyTables.Reach(
            isUpwards: related.isAncestors, maxDistance: related.maxDistance, keepsStart: related.keepsStart)
        return try tables.reached(
            reach, from: start.sql, carrying: names,
            selecting: { rows in (names + ["node"]).map { SQLFragment("\(quoted(rows)).\(quoted($0))") } },
            expressions: rows.expressions)
    }

    /// Whether a row has a node of those in the table `reached` with the same partitions.
    private func hasNode(
        _ path: PropertyPath, in reached: String, _ tables: HierarchyTables
    ) throws -> SQLFragment {
        let steps = QueryExpression.path(path).collectionSteps
        guard !steps.isEmpty else { return try isReached(try term(path), in: reached, tables) }
        var lead = path
        lead.steps = steps
        let members = try expressions.members(of: lead)
        let node = try expressions.inside(members).term(.path(try path.droppingSteps(steps)))
        let conditions = members.conditions + [try isReached(node, in: reached, tables)]
        return "EXISTS (SELECT 1 FROM " + members.from + " WHERE " + .all(conditions) + ")"
    }

    private func isReached(_ node: Term, in reached: String, _ tables: HierarchyTables) throws -> SQLFragment {
        guard !partitions.isEmpty else { return try expressions.isIn(node, "node", of: reached, tables) }
        let alias = "n$\(context.number())"
        let (first, second) = try expressions.sides(node, tables.term("node", of: alias), ordered: false)
        var found = SelectStatement(tables: tables.table(reached, alias))
        found.columns = ["1"]
        found.conditions =
            [first + " = " + second]
            + partitions.map { partition in
                var carried = partition.term
                carried.sql = SQLFragment("\(quoted(alias)).\(quoted(partition.name))")
                return carried.sortKey + " IS " + partition.term.sortKey
            }
        return "EXISTS (" + found.sql + ")"
    }

    // MARK: traverse

    /// Puts the rows into the order of their nodes; what belongs to no node goes.
    mutating func traverse(_ traversal: HierarchyTraversal) throws {
        guard traversal.hierarchy.parents.type?.isCollection == false else {
            throw ExpressionTranslator.unsupported("traverse of a hierarchy whose nodes may have several parents")
        }
        let nodes = try context.tables(of: traversal.hierarchy)
        let walk = try context.define(try Self.walk(traversal, nodes, context: context))
        guard traversal.isToOneNode else { return try arrange(by: walk, traversal) }
        let alias = "n$\(context.number())"
        let (left, right) = try expressions.sides(
            try term(traversal.node), nodes.term("node", of: alias), ordered: false)
        tables =
            ([tables] + scope.takeJoins()).joined(" ") + " JOIN " + nodes.table(walk, alias) + " ON " + left + " = "
            + right
        let number = OrderTerm(
            expression: SQLFragment("\(quoted(alias)).\"number\""), isDescending: false, isNullable: false)
        order = [number] + order
        try define()
    }

    /// The nodes that roots lead to, with their numbers: depth first, since the deepest row of the queue is the next.
    ///
    /// What comes after its descendants is the same backwards, with siblings in the opposite order.
    private static func walk(
        _ traversal: HierarchyTraversal, _ nodes: HierarchyTables, context: StatementContext
    ) throws -> SQLFragment {
        let (ranked, expressions) = try ranked(traversal, context: context)
        let number = context.number()
        let (rows, child) = ("w$\(number)", "c$\(number)")
        let parent = nodes.term("parent", of: child)
        let isInside = try expressions.isIn(parent, "node", of: nodes.nodes, nodes)
        let (left, right) = try expressions.sides(parent, nodes.term("node", of: rows), ordered: false)
        let columns = { (depth: SQLFragment) in
            [nodes.term("node", of: child).sql, depth, SQLFragment("\(quoted(child)).\"rank\"")].joined(", ")
        }
        let direction: SQLFragment = traversal.isPreorder ? "" : " DESC"
        let walk =
            "SELECT " + columns("0") + " FROM " + nodes.table(ranked, child) + " WHERE " + parent.sql
            + " IS NULL OR NOT " + isInside + " UNION ALL SELECT "
            + columns(SQLFragment("\(quoted(rows)).\"depth\" + 1"))
            + SQLFragment(" FROM \(quoted(rows)) JOIN ") + nodes.table(ranked, child) + " ON " + left + " = " + right
            + " ORDER BY 2 DESC, 3" + direction
        return SQLFragment("WITH RECURSIVE \(quoted(rows))(\"node\", \"depth\", \"rank\") AS (") + walk
            + ") SELECT \"node\", " + (traversal.isPreorder ? "" : "-")
            + SQLFragment("row_number() OVER () AS \"number\" FROM \(quoted(rows))")
    }

    /// The nodes with their parents and their places in the order, one row for each: whatever the data, no walk from a
    /// root comes back to where it was.
    private static func ranked(
        _ traversal: HierarchyTraversal, context: StatementContext
    ) throws -> (table: String, expressions: ExpressionTranslator) {
        let hierarchy = traversal.hierarchy
        var rows = try RowSet(nodesOf: hierarchy, context: context)
        try rows.orderBy(traversal.orderBy)
        let node = try rows.term(hierarchy.identifier)
        var above = hierarchy.parents
        above.steps += hierarchy.identifier.steps
        let parent = try rows.term(above)
        let rank = "row_number() OVER (ORDER BY " + (try rows.totalOrder()).map(\.sql).joined(", ") + ")"
        var statement = rows.statement
        statement.columns = [node.sql + " AS \"node\"", parent.sql + " AS \"parent\"", rank + " AS \"rank\""]
        statement.conditions.append(node.sql + " IS NOT NULL")
        var first = SelectStatement(tables: statement.sql.parenthesised)
        first.columns = ["\"node\"", "\"parent\"", "min(\"rank\") AS \"rank\""]
        first.groups = ["\"node\""]
        return (try context.define(first.sql), rows.expressions)
    }
}
