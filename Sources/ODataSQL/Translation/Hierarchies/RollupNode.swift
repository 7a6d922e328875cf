import ODataModel
import ODataQuery

/// The node of a group of `rolluprecursive`, which `rollupnode` returns.
///
/// [OData-Aggregation, section 6.3]
struct RollupNode {
    let hierarchy: RecursiveHierarchy
    /// Its identifier, which each row of the group has.
    let identifier: Term

    /// The table that the node is in.
    func scope(in context: StatementContext) throws -> TableScope {
        guard let set = hierarchy.nodes.entitySet,
            hierarchy.identifier.steps.allSatisfy({ $0.property != nil || $0.isCast })
        else { throw ExpressionTranslator.unsupported("the node of a group of the hierarchy \(hierarchy.qualifier)") }
        let scope = try context.scope(of: set)
        if let type = hierarchy.identifier.variableType, type.isKind(of: scope.type) { scope.type = type }
        return scope
    }

    /// The condition for the one row of a table of nodes that is this node.
    func condition(on target: TableScope) throws -> SQLFragment {
        let expressions = ExpressionTranslator(it: target)
        let (left, right) = try expressions.sides(
            try expressions.term(.path(hierarchy.identifier)), identifier, ordered: false)
        return left + " = " + right
    }
}

extension RowSet {
    /// A partition that is the nodes of a hierarchy.
    struct Rollup {
        /// Its index.
        var partition: Int
        var hierarchy: RecursiveHierarchy
    }

    /// The nodes of these rows, for expressions.
    var rollupNodes: [RollupNode] {
        rollups.filter { partitions.indices.contains($0.partition) }
            .map { RollupNode(hierarchy: $0.hierarchy, identifier: partitions[$0.partition].term) }
    }

    /// A table of combinations of partitions, independent of the existing rows.
    struct Combinations {
        let name: String
        /// One for each partition.
        let columns: [String]

        func table(_ number: Int) -> SQLFragment { SQLFragment.table(name, as: "k$\(number)") }

        /// The partitions as columns of the table under the alias of `number`.
        func partitions(of others: [Partition], _ number: Int) -> [Partition] {
            zip(columns, others).map { column, partition in
                var term = partition.term
                term.sql = SQLFragment.column("k$\(number)", column)
                term.isColumn = true
                return Partition(name: "\(column)$\(number)", term: term)
            }
        }
    }
}
