/// A join to the one related row that columns of it need: the statement that reads the row it starts from makes it.
///
/// Expressions only name such columns. Which joins a statement needs follows from what its clauses name, so that one is
/// made however often a path is used, and none for what is not used.
final class SQLJoin: Hashable, Sendable {
    /// The alias of the table of the statement's own that the path starts from.
    let root: String
    /// The alias of the related row, the same for all uses of a path: `t0/Customer`.
    let alias: String
    /// `LEFT JOIN "Customers" AS "t0/Customer" ON …`, which may need other joins before it.
    let sql: SQLFragment

    init(root: String, alias: String, sql: SQLFragment) {
        self.root = root
        self.alias = alias
        self.sql = sql
    }

    static func == (left: SQLJoin, right: SQLJoin) -> Bool { left.alias == right.alias }

    func hash(into hasher: inout Hasher) { hasher.combine(alias) }
}

extension SelectStatement {
    /// Those of `needed`, and of what they need, that start from a table of the statement, each after what it needs.
    func joins(for needed: [SQLJoin]) -> [SQLJoin] {
        guard !needed.isEmpty else { return [] }
        var aliases: Set<String> = []
        tables.forEachName { name, use in if use == .definition { aliases.insert(name) } }
        var joins: [SQLJoin] = []
        func add(_ join: SQLJoin) {
            guard aliases.contains(join.root), !joins.contains(join) else { return }
            join.sql.joins.forEach(add)
            joins.append(join)
        }
        needed.forEach(add)
        return joins
    }
}
