import ODataQuery

/// A relation to rows that no index finds: the values of all of them are listed once, and each row looks into the list.
struct RelationLookup {
    /// The columns of the row that the relation starts from.
    let source: [SQLFragment]
    /// The columns of the related rows.
    let target: [SQLFragment]
    /// What shows only live rows of the target.
    let conditions: [SQLFragment]

    /// Whether there is a related row for which `tests` hold; nil where these depend on other rows than that.
    func exists(in tables: SQLFragment, where tests: [SQLFragment]) -> SQLFragment? {
        let values = target.map { $0 + " IS NOT NULL" }
        let rows = SelectStatement(target, tables: tables, where: conditions + tests + values).sql
        guard rows.isIndependent else { return nil }
        let left = source.count == 1 ? source[0] : source.joined(", ").parenthesised
        return .call("coalesce", [(left + " IN (" + rows + ")").parenthesised, "0"])
    }

    /// An aggregate of the related rows for which `tests` hold, null where there are none; nil where it depends on other
    /// rows than those.
    func aggregate(
        _ value: SQLFragment, in tables: SQLFragment, where tests: [SQLFragment], alias: String
    ) -> SQLFragment? {
        let columns = target.enumerated().map { $1.named("v\($0)") } + [value.named("n")]
        var statement = SelectStatement(columns, tables: tables, where: conditions + tests)
        statement.groups = target
        let rows = statement.sql + " LIMIT -1"
        guard rows.isIndependent else { return nil }
        let pairs = source.enumerated().map { SQLFragment.column(alias, "v\($0)") + " = " + $1 }
        return SelectStatement([.column(alias, "n")], tables: rows.parenthesised.named(alias), where: pairs)
            .sql.parenthesised
    }
}

extension SQLFragment {
    /// Whether a subquery names no table but its own.
    fileprivate var isIndependent: Bool {
        var used: Set<String> = []
        var made: Set<String> = []
        forEachName { name, use in
            switch use {
            case .qualifier: used.insert(name)
            case .definition: made.insert(name)
            case .plain: break
            }
        }
        return used.isSubset(of: made)
    }
}
