import ODataModel
import ODataQuery

/// The order of `traverse`.
struct HierarchyWalk {
    let traversal: HierarchyTraversal
    let nodes: HierarchyTables
    let context: StatementContext

    /// The nodes that are reachable from roots, with their numbers, depth first: the deepest row of the queue is
    /// processed next.
    ///
    /// Postorder is the reverse of preorder with siblings in the opposite order.
    var sql: SQLFragment {
        get throws {
            let (ranked, expressions) = try self.ranked
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
    }

    /// The nodes with their parents and their positions in the order, one row each, so that no traversal from a root
    /// returns to a visited node.
    private var ranked: (table: String, expressions: ExpressionTranslator) {
        get throws {
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
}
