import ODataModel
import ODataQuery

/// `ancestors`, `descendants` and `traverse`.
///
/// [OData-Aggregation, section 6.2]
extension RowSet {
    /// Keeps the rows whose node is above or below the nodes of the rows that the inner transformations return.
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

    /// The nodes that are reachable from these rows, with the partitions of the rows.
    private func reached(_ related: RelatedNodes, _ tables: HierarchyTables) throws -> SQLFragment {
        var rows = self
        let steps = QueryExpression.path(related.node).collectionSteps
        try rows.follow(steps)
        let alias = "n$\(context.number())"
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
        return .exists(in: members.tables, where: conditions)
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
                carried.sql = SQLFragment.column(alias, partition.name)
                return carried.sortKey + " IS " + partition.term.sortKey
            }
        return "EXISTS (" + found.sql + ")"
    }

    // MARK: traverse

    /// Sorts the rows by their nodes and removes rows without a node.
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
        tables += " JOIN " + nodes.table(walk, alias)
        conditions.append(left + " = " + right)
        let number = OrderTerm(
            expression: SQLFragment.column(alias, "number"), isDescending: false, isNullable: false)
        order = [number] + order
        try define()
    }

    /// The nodes that are reachable from roots, with their numbers, depth first: the deepest row of the queue is
    /// processed next.
    ///
    /// Postorder is the reverse of preorder with siblings in the opposite order.
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
            [nodes.term("node", of: child).sql, depth, SQLFragment.column(child, "rank")].joined(", ")
        }
        let direction: SQLFragment = traversal.isPreorder ? "" : " DESC"
        let walk: SQLFragment =
            "SELECT " + columns("0") + " FROM " + nodes.table(ranked, child) + " WHERE " + parent.sql
            + " IS NULL OR NOT " + isInside + " UNION ALL SELECT "
            + columns(.column(rows, "depth") + " + 1")
            + " FROM \(identifier: rows) JOIN " + nodes.table(ranked, child) + " ON " + left + " = " + right
            + " ORDER BY 2 DESC, 3" + direction
        return """
            WITH RECURSIVE \(identifier: rows)("node", "depth", "rank") AS (\(walk)) \
            SELECT "node", \(raw: traversal.isPreorder ? "" : "-")row_number() OVER () AS "number" FROM \(identifier: rows)
            """
    }

    /// The nodes with their parents and their positions in the order, one row each, so that no traversal from a root
    /// returns to a visited node.
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
