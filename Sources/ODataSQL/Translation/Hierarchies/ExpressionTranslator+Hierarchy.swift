import ODataModel
import ODataQuery

/// Functions about the position of a node in a recursive hierarchy.
///
/// [OData-Aggregation, section 5.5.2.1]
extension ExpressionTranslator {
    func hierarchy(_ test: HierarchyTest) throws -> SQLFragment {
        let tables = try context.tables(of: test.hierarchy)
        let node = try term(test.node)
        guard let other = try test.other.map({ try term($0) }) else {
            switch test.kind {
            case .isroot: return try isRoot(node, tables)
            case .isleaf: return try isLeaf(node, tables)
            default: return try isIn(node, "node", of: tables.nodes, tables)
            }
        }
        switch test.kind {
        case .issibling: return try isSibling(node, other, tables)
        case .isancestor: return try isBelow(other, node, test, tables)
        default: return try isBelow(node, other, test, tables)
        }
    }

    /// `"t0"."ID" IN (SELECT "n$1"."node" FROM "odata$0" AS "n$1")`
    ///
    /// - Parameter condition: what else holds for a row of the table, whose alias is given.
    func isIn(
        _ term: Term, _ column: String, of table: String, _ tables: HierarchyTables,
        where condition: (String) throws -> SQLFragment = { _ in "" }
    ) throws -> SQLFragment {
        guard term.literal != .null else { return "0" }
        let alias = "n$\(context.number())"
        let (first, second) = try sides(term, tables.term(column, of: alias), ordered: false)
        let statement = SelectStatement(
            [second], tables: tables.table(table, alias), where: [try condition(alias)])
        return ofNode(term, first + " IN (" + statement.sql + ")")
    }

    /// Null is not a node: the result is then false, and not null.
    private func ofNode(_ node: Term, _ condition: SQLFragment) -> SQLFragment {
        (node.isNullable ? node.sql + " IS NOT NULL AND " + condition : condition).parenthesised
    }

    private func isRoot(_ node: Term, _ tables: HierarchyTables) throws -> SQLFragment {
        try isIn(node, "node", of: tables.nodes, tables) { alias in
            "NOT " + (try isIn(tables.term("node", of: alias), "node", of: tables.edges, tables))
        }
    }

    private func isLeaf(_ node: Term, _ tables: HierarchyTables) throws -> SQLFragment {
        try isIn(node, "node", of: tables.nodes, tables) { alias in
            "NOT " + (try isIn(tables.term("node", of: alias), "parent", of: tables.edges, tables))
        }
    }

    /// Two nodes with a parent in common, or two roots.
    private func isSibling(_ node: Term, _ other: Term, _ tables: HierarchyTables) throws -> SQLFragment {
        let number = context.number()
        let (left, right) = ("n$\(number)", "m$\(number)")
        var pair = SelectStatement(
            tables: tables.table(tables.edges, left) + " JOIN " + tables.table(tables.edges, right))
        pair.columns = ["1"]
        let parents = try sides(tables.term("parent", of: left), tables.term("parent", of: right), ordered: false)
        pair.conditions = [
            parents.0 + " = " + parents.1,
            try comparison(.eq, tables.term("node", of: left), node, isPositive: true),
            try comparison(.eq, tables.term("node", of: right), other, isPositive: true),
        ]
        let haveParent = "EXISTS (" + pair.sql + ")"
        let areRoots = try isRoot(node, tables) + " AND " + (try isRoot(other, tables))
        let differ = try comparison(.ne, node, other, isPositive: true)
        return (differ + " AND (" + haveParent + " OR " + areRoots + ")").parenthesised
    }

    /// Whether the node `low` is below `high`. The search descends from `high` if that is a constant, which is the same
    /// for all rows; otherwise it ascends, which visits fewer nodes.
    private func isBelow(
        _ low: Term, _ high: Term, _ test: HierarchyTest, _ tables: HierarchyTables
    ) throws -> SQLFragment {
        guard low.literal != .null, high.literal != .null else { return "0" }
        let isUpwards = high.literal == nil
        let (from, to) = isUpwards ? (low, high) : (high, low)
        let alias = "n$\(context.number())"
        let node = tables.term("node", of: alias)
        let start = SelectStatement(
            [node.sql.named("node")], tables: tables.table(tables.nodes, alias),
            where: [try comparison(.eq, node, from, isPositive: true)])
        let reach = HierarchyTables.Reach(
            isUpwards: isUpwards, maxDistance: test.maxDistance, keepsStart: test.includesSelf)
        var side: SQLFragment = ""
        let reached = try tables.reached(
            reach, from: start.sql,
            selecting: { rows in
                let pair = try sides(to, tables.term("node", of: rows), ordered: false)
                side = pair.0
                return [pair.1]
            }, expressions: self)
        return ofNode(to, side + " IN (" + reached + ")")
    }
}
