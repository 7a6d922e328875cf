import ODataModel
import ODataQuery

/// A table of combinations of partitions, independent of the existing rows.
struct Combinations {
    let name: String
    /// One for each partition.
    let columns: [String]

    func table(_ number: Int) -> SQLFragment { SQLFragment.table(name, as: "k$\(number)") }

    /// The partitions as columns of the table under the alias of `number`.
    func partitions(of others: [RowSet.Partition], _ number: Int) -> [RowSet.Partition] {
        zip(columns, others).map { column, partition in
            var term = partition.term
            term.sql = SQLFragment.column("k$\(number)", column)
            term.isColumn = true
            return RowSet.Partition(name: "\(column)$\(number)", term: term)
        }
    }

    /// The nodes for each combination of the partitions that distinguish `rows`.
    ///
    /// - Parameter names: of the columns with the nodes.
    init(of rows: RowSet, with nodes: [String], named names: [String]) throws {
        let known = try Self.known(of: rows)
        let tables = (known.map { [$0] } ?? []) + nodes
        let first = tables.count - nodes.count
        let number = rows.context.number()
        let aliases = tables.indices.map { "k$\(number)$\($0)" }
        var statement = SelectStatement(
            tables: zip(tables, aliases).map { SQLFragment.table($0, as: $1) }.joined(" CROSS JOIN "))
        statement.columns =
            aliases[..<first].map { SQLFragment.identifier($0) + ".*" }
            + zip(aliases[first...], names).map { SQLFragment.column($0, "node").named($1) }
        name = try rows.context.define(statement.sql)
        columns = rows.partitions.map(\.name) + names
    }

    /// A table with the combinations of the partitions; nil if the rows have none.
    private static func known(of rows: RowSet) throws -> String? {
        let partitions = rows.partitions
        guard !partitions.isEmpty else { return nil }
        let number = rows.context.number()
        var statement = rows.statement
        var known = partitions
        if let combinations = rows.combinations, combinations.columns.count == partitions.count {
            statement = SelectStatement(tables: combinations.table(number))
            known = combinations.partitions(of: partitions, number)
        } else if let parents = rows.parents, partitions.count == 1 + parents.resource {
            statement = SelectStatement(tables: parents.table)
            known = parents.partitions()
        } else {
            statement.groups = partitions.map(\.term.sortKey)
        }
        statement.columns = zip(known, partitions).map { $0.term.sql.named($1.name) }
        return try rows.context.define(statement.sql)
    }
}
