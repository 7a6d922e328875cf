import ODataModel
import ODataQuery

/// `groupby((Country,rollup(Year,Month)),aggregate(…))`
///
/// [OData-Aggregation, section 3.2.3]
extension RowSet {
    mutating func group(_ items: [GroupingItem], steps: [ApplyExpression.Step]) throws {
        let rollups = items.compactMap(\.recursive)
        guard rollups.isEmpty else {
            return try rollUp(rollups, beside: items.filter { $0.recursive == nil }, steps: steps)
        }
        let sets = try Self.groupingSets(items)
        guard sets.count > 1 else { return try group(by: sets.first ?? [], steps: steps) }
        let shared = try self.shared()
        var levels: [RowSet] = []
        for set in sets {
            var level = shared
            level.reopen()
            try level.group(by: set, steps: steps)
            levels.append(level)
        }
        try unite(levels)
    }

    /// SQLite's limit of compound selects.
    private static let mostLevels = 500

    /// The paths of each level, the longest first: `A,B`, `A` and none for `rollup($all,A,B)`.
    private static func groupingSets(_ items: [GroupingItem]) throws -> [[PropertyPath]] {
        try items.reduce([[]]) { sets, item in
            let parts: [[PropertyPath]]
            switch item {
            case .path(let path): parts = [[path]]
            case .rollup(let paths, let hasAll):
                let least = hasAll ? 0 : min(1, paths.count)
                parts = (least...paths.count).reversed().map { Array(paths.prefix($0)) }
            case .recursive: parts = [[]]
            }
            guard sets.count * parts.count <= mostLevels else {
                throw QueryError(.limitExceeded, "The levels of rollup make more than \(mostLevels) combinations.")
            }
            return sets.flatMap { set in parts.map { set + $0 } }
        }
    }

    /// Runs the transformations inside each group; each resulting row has the grouping values of its group.
    private mutating func group(by paths: [PropertyPath], steps: [ApplyExpression.Step]) throws {
        let depth = partitions.count
        var names: [String] = []
        var navigation: [String: NavigationMapping] = [:]
        for path in paths {
            let (terms, mapping) = try self.terms(of: path)
            let first = partitions.count
            for term in terms { partitions.append(Partition(name: "p$\(context.number())", term: term)) }
            names += terms.count == 1 && mapping == nil ? [path.name] : terms.indices.map { "\(path.name)/$\($0)" }
            navigation[path.name] = mapping?.from(partitions[first...].map(\.name))
        }
        if steps.isEmpty { try collapse([]) } else { try apply(steps) }
        // Rows that are not aggregated need the columns of their group.
        if partitions[depth...].contains(where: { !$0.term.isColumn || $0.term.sql != scope.column($0.name) }) {
            try define()
        }
        var source = scope.source
        leading = names.filter { !$0.contains("$") }
        source.navigation.merge(navigation) { $1 }
        for (name, partition) in zip(names, partitions[depth...]) where !name.contains("$") {
            source.columns[name] = ColumnMapping(column: partition.name, codec: partition.term.codec)
        }
        // Groups by an entity do not have a property to order by.
        if !isEntities {
            order += zip(names, partitions[depth...]).filter { $0.0.contains("$") }.map {
                OrderTerm(expression: $1.term.sortKey, isDescending: false, isNullable: true)
            }
        }
        partitions.removeSubrange(depth...)
        rename(source)
    }

    // MARK: Rows that are used more than once

    /// Turns the rows into a table that several statements read.
    func shared() throws -> RowSet {
        var rows = self
        try rows.define()
        return rows
    }

    /// Another alias of the same table, ordered by a column.
    mutating func reopen() {
        let columns = order.compactMap(\.expression.columnName)
        rebase(on: scope.source)
        order = columns.map {
            OrderTerm(expression: scope.stored($0), isDescending: false, isNullable: false)
        }
    }

    /// `concat(topcount(2,Amount),aggregate(Amount))`
    mutating func concat(_ branches: [[ApplyExpression.Step]]) throws {
        let shared = try self.shared()
        var results: [RowSet] = []
        for steps in branches {
            var branch = shared
            branch.reopen()
            try branch.apply(steps)
            results.append(branch)
        }
        try unite(results)
    }

    private mutating func unite(_ branches: [RowSet]) throws {
        let source = try RowUnion(branches).source(partitions: partitions, in: context)
        isEntities = false
        rebase(on: source)
        order = RowUnion.order.map {
            OrderTerm(expression: scope.column($0), isDescending: false, isNullable: false)
        }
    }
}

extension RowSet {
    /// The grouping value: a value, or the key of an entity with the mapping of its navigation property to these
    /// columns.
    private func terms(of path: PropertyPath) throws -> ([Term], NavigationMapping?) {
        let value = try term(path)
        guard let target = value.entity else { return ([value], nil) }
        let key = try target.set.type.keyProperties.map { property in
            guard let column = target.source.columns[property.name] else {
                throw ExpressionTranslator.unsupported("groupby by \(path.name), whose key has no columns")
            }
            return column
        }
        let guards = path.steps.count > 1 ? [value.sql + " IS NOT NULL"] : []
        let terms = key.map { Term(target.column($0.column), $0.codec, isColumn: true).guarded(by: guards) }
        let pairs = key.map { NavigationMapping.ColumnPair(source: $0.column, target: $0.column) }
        return (terms, .columns(pairs, target: target.set.name))
    }
}

extension NavigationMapping {
    /// The same mapping from other columns.
    fileprivate func from(_ columns: [String]) -> NavigationMapping? {
        guard case .columns(let pairs, let target) = self else { return nil }
        return .columns(
            zip(pairs, columns).map { .init(source: $1, target: $0.target, collation: $0.collation) }, target: target)
    }
}
