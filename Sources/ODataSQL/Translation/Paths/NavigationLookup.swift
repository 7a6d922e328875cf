import ODataQuery

/// A navigation property whose target rows no index finds: their values are listed once, and each source row searches
/// the list.
struct NavigationLookup {
    /// The columns of the source row.
    let source: [SQLFragment]
    /// The columns of the related rows.
    let target: [SQLFragment]
    /// The target's condition for visible rows.
    let conditions: [SQLFragment]

    /// Whether there is a related row for which `tests` hold; nil if these depend on other rows.
    func exists(in tables: SQLFragment, where tests: [SQLFragment]) -> SQLFragment? {
        let values = target.map { $0 + " IS NOT NULL" }
        let rows = SelectStatement(target, tables: tables, where: conditions + tests + values).sql
        guard rows.isIndependent else { return nil }
        let left = source.count == 1 ? source[0] : source.joined(", ").parenthesised
        return .call("coalesce", [(left + " IN (" + rows + ")").parenthesised, "0"])
    }

    /// An aggregate of the related rows for which `tests` hold, which is null without rows; nil if it depends on other
    /// rows.
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
    /// Whether a subquery only refers to its own table.
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
