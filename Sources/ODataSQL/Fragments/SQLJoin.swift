/// A join to one related row. The statement that reads the source row adds it if a column of the related row is used.
///
/// Expressions only refer to such columns; a statement collects the joins from its clauses. A path that is used several
/// times is joined once, and an unused one is not joined.
final class SQLJoin: Hashable, Sendable {
    /// The alias of the statement's table that the path starts from.
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
    /// The joins of `needed` and their prerequisites that start from a table of the statement, each after its
    /// prerequisites.
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
