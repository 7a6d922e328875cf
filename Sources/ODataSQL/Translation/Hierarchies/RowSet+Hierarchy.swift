import ODataModel
import ODataQuery

/// `ancestors`, `descendants` and `traverse`.
///
/// [OData-Aggregation, section 6.2]
extension RowSet {
    /// Keeps the rows whose node is above or below the nodes of the rows that the inner transformations return.
    mutating func keep(_ related: RelatedNodes) throws {
        let nodes = RelatedNodeSearch(related: related, tables: try context.tables(of: related.hierarchy))
        let shared = try self.shared()
        var starts = shared
        starts.reopen()
        try starts.apply(related.start)
        let reached = try context.define(try nodes.reached(from: starts))
        self = shared
        reopen()
        conditions.append(try nodes.condition(on: self, in: reached))
    }

    // MARK: traverse

    /// Sorts the rows by their nodes and removes rows without a node.
    mutating func traverse(_ traversal: HierarchyTraversal) throws {
        guard traversal.hierarchy.parents.type?.isCollection == false else {
            throw ExpressionTranslator.unsupported("traverse of a hierarchy whose nodes may have several parents")
        }
        let nodes = try context.tables(of: traversal.hierarchy)
        let walk = try context.define(try HierarchyWalk(traversal: traversal, nodes: nodes, context: context).sql)
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
}
