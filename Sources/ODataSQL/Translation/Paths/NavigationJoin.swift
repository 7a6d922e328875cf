import ODataQuery

/// The tables and conditions that lead from the rows of one scope to the related rows of another.
struct NavigationJoin {
    let target: TableScope
    /// `"Items" AS "t1"`, or `"links" AS "t2" CROSS JOIN "Items" AS "t1"`
    let tables: SQLFragment
    /// The conditions that connect both, and the target's condition for visible rows.
    let conditions: [SQLFragment]
    /// The lookup that finds the rows by a list that is computed once; nil if an index finds them.
    private(set) var lookup: NavigationLookup?

    init(_ mapping: NavigationMapping, from source: TableScope, to target: TableScope) throws {
        switch mapping {
        case .columns(let pairs, _):
            self.init(columns: Self.equalities(pairs, from: source, to: target), to: target)
            if pairs.contains(where: \.isUnindexed) {
                lookup = NavigationLookup(
                    source: pairs.map { $0.comparable(source: source.stored($0.source)) },
                    target: pairs.map { $0.comparable(target: target.stored($0.target)) },
                    conditions: target.live)
            }
        case .linkTable: try self.init(mapping, sourceID: try source.rowID(), to: target)
        }
    }

    /// Conditions on the target's own columns only.
    init(columns conditions: [SQLFragment], to target: TableScope) {
        self.target = target
        tables = target.table
        self.conditions = conditions + target.live
    }

    /// A link table, from the row whose id is `sourceID`.
    init(_ mapping: NavigationMapping, sourceID: SQLFragment, to target: TableScope) throws {
        guard case .linkTable(let table, let from, let to, _, let condition) = mapping else {
            throw QueryError(.notImplemented, "The navigation property to \(target.set.name) has no link table.")
        }
        let alias = target.context.alias()
        self.target = target
        tables = .table(table, as: alias) + " CROSS JOIN " + target.table
        var conditions: [SQLFragment] = [
            .column(alias, from) + " = " + sourceID,
            try target.rowID() + " = " + .column(alias, to),
        ]
        if let condition { conditions.append(condition.of(row: alias).parenthesised) }
        self.conditions = conditions + target.live
    }

    /// `"t1"."OrderID" = "t0"."OrderID"`
    static func equalities(
        _ pairs: [NavigationMapping.ColumnPair], from source: TableScope, to target: TableScope
    ) -> [SQLFragment] {
        pairs.map { target.stored($0.target) + " = " + source.stored($0.source) + $0.collating }
    }
}

extension NavigationMapping.ColumnPair {
    /// ` COLLATE "NOCASE"`, after a comparison of both columns; empty where their own collation does.
    var collating: SQLFragment { collation.map { " COLLATE \(identifier: $0)" } ?? "" }

    /// Whether SQLite converts the values of a column before it compares them.
    ///
    /// [SQLite: Datatypes In SQLite, section 4.2: Type Conversions Prior To Comparison]
    var isConverted: Bool { convertsSource || convertsTarget }

    /// A value of the source column as SQLite compares it. Such values no longer have a column's affinity: SQLite finds
    /// them by an automatic index, and equal values form one group.
    func comparable(source value: SQLFragment) -> SQLFragment { comparable(value, converts: convertsSource) }

    /// The same of the target column.
    func comparable(target value: SQLFragment) -> SQLFragment { comparable(value, converts: convertsTarget) }

    private func comparable(_ value: SQLFragment, converts: Bool) -> SQLFragment {
        guard isConverted else { return value + collating }
        guard converts else { return ("+" + value).parenthesised + collating }
        // Only a numeric text equals the number that it is cast to.
        let number: SQLFragment = "CAST(" + value + " AS NUMERIC)"
        let converted: SQLFragment =
            "CASE WHEN " + value + " = " + number + " THEN " + number + " ELSE " + value + " END"
        return converted.parenthesised + collating
    }
}
