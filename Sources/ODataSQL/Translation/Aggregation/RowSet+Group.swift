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
        var relations: [String: RelationMapping] = [:]
        for path in paths {
            let (terms, relation) = try self.terms(of: path)
            let first = partitions.count
            for term in terms { partitions.append(Partition(name: "p$\(context.number())", term: term)) }
            names += terms.count == 1 && relation == nil ? [path.name] : terms.indices.map { "\(path.name)/$\($0)" }
            relations[path.name] = relation?.from(partitions[first...].map(\.name))
        }
        if steps.isEmpty { try collapse([]) } else { try apply(steps) }
        // Rows that are not aggregated need the columns of their group.
        if partitions[depth...].contains(where: { !$0.term.isColumn || $0.term.sql != scope.column($0.name) }) {
            try define()
        }
        var source = scope.source
        leading = names.filter { !$0.contains("$") }
        source.relations.merge(relations) { $1 }
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

    /// `SELECT … UNION ALL SELECT …`, in this order. A property that only another branch has is absent.
    private mutating func unite(_ branches: [RowSet]) throws {
        let names = Set(branches.flatMap(\.scope.source.columns.keys)).sorted()
        let values = try names.map { try Self.values(of: $0, in: branches) }
        let shared = Self.relations(of: branches)
        var source = RowSource(table: "", rowID: nil, columns: [:])
        var statements: [SQLFragment] = []
        for (number, branch) in branches.enumerated() {
            var statement = branch.statement
            let order = try branch.totalOrder()
            let rank: SQLFragment =
                order.isEmpty ? "1" : "row_number() OVER (ORDER BY " + order.map(\.sql).joined(", ") + ")"
            statement.columns = ["\(number) AS \"branch$\"", "\(rank) AS \"rank$\""]
            // A branch may use other names for them; the union uses these.
            for (own, partition) in zip(partitions, branch.partitions) {
                statement.columns.append(partition.term.sql.named(own.name))
            }
            for (position, name) in names.enumerated() {
                statement.columns += branch.columns(name, position, value: values[position][number])
            }
            for name in shared.keys.sorted() { statement.columns += branch.columns(ofRelation: name, shared[name]) }
            statements.append(statement.sql)
        }
        source.relations = shared
        for (position, name) in names.enumerated() {
            guard let codec = values[position].lazy.compactMap({ $0?.codec }).first else { continue }
            source.columns[name] = ColumnMapping(column: "v$\(position)", codec: codec)
            source.presence[name] = "has$\(position)"
        }
        source.table = try context.define(statements.joined(" UNION ALL "))
        isEntities = false
        rebase(on: source)
        order = ["branch$", "rank$"].map {
            OrderTerm(expression: scope.column($0), isDescending: false, isNullable: false)
        }
    }

    /// The navigation properties that lead to the same entities in all branches, by columns of the union.
    private static func relations(of branches: [RowSet]) -> [String: RelationMapping] {
        let names = Set(branches.flatMap(\.scope.type.navigationProperties).map(\.name))
        var shared: [String: RelationMapping] = [:]
        for name in names {
            let known = branches.compactMap { $0.scope.source.relations[name] }
            guard let first = known.first, case .columns(let pairs, let target) = first,
                known.allSatisfy({ $0.targetColumns == first.targetColumns && $0.targetSet == target })
            else { continue }
            shared[name] = .columns(
                pairs.map {
                    .init(source: "\(name)/\($0.target)$", target: $0.target, collation: $0.collation)
                }, target: target)
        }
        return shared
    }

    /// The source columns of a navigation property, under the names of `shared`; null where a branch lacks it.
    private func columns(ofRelation name: String, _ shared: RelationMapping?) -> [SQLFragment] {
        guard case .columns(let pairs, _) = shared else { return [] }
        var own: [RelationMapping.ColumnPair] = []
        if case .columns(let found, _) = scope.source.relations[name] { own = found }
        return pairs.map { pair in
            let source = own.first { $0.target == pair.target }?.source
            return (source.map { scope.column($0) } ?? "NULL").named(pair.source)
        }
    }

    /// The values of a property in all branches, in one form: JSON if they are of different kinds.
    private static func values(of name: String, in branches: [RowSet]) throws -> [Term?] {
        let terms = branches.map { branch in
            branch.scope.source.columns[name].map { mapping in
                Term(
                    branch.scope.column(mapping.column), mapping.codec,
                    type: branch.scope.type.property(named: name)?.type, isColumn: true)
            }
        }
        guard let translator = branches.first?.expressions else { return terms }
        var known = try translator.inOneForm(terms.compactMap { $0 })
        return terms.map { $0 == nil ? nil : known.removeFirst() }
    }

    /// The value of a property, and whether the row has the property.
    private func columns(_ name: String, _ position: Int, value: Term?) -> [SQLFragment] {
        let (label, flag) = ("v$\(position)", "has$\(position)")
        guard let value else { return [SQLFragment("NULL").named(label), SQLFragment("0").named(flag)] }
        let presence: SQLFragment = scope.source.presence[name].map { scope.column($0) } ?? "1"
        return [value.sql.named(label), presence.named(flag)]
    }
}

extension RowSet {
    /// The grouping value: a value, or the key of an entity with the mapping of its navigation property to these
    /// columns.
    private func terms(of path: PropertyPath) throws -> ([Term], RelationMapping?) {
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
        let pairs = key.map { RelationMapping.ColumnPair(source: $0.column, target: $0.column) }
        return (terms, .columns(pairs, target: target.set.name))
    }
}

extension RelationMapping {
    /// The target's columns of a navigation property that is stored in columns.
    fileprivate var targetColumns: Set<String>? {
        if case .columns(let pairs, _) = self { Set(pairs.map(\.target)) } else { nil }
    }

    /// The same mapping from other columns.
    fileprivate func from(_ columns: [String]) -> RelationMapping? {
        guard case .columns(let pairs, let target) = self else { return nil }
        return .columns(
            zip(pairs, columns).map { .init(source: $1, target: $0.target, collation: $0.collation) }, target: target)
    }
}
