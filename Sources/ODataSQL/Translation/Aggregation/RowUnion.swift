import ODataModel
import ODataQuery

/// Rows of several kinds one after the other: the levels of `rollup`, the branches of `concat`.
struct RowUnion {
    private let branches: [RowSet]
    private let names: [String]

    init(_ branches: [RowSet]) {
        self.branches = branches
        names = Set(branches.flatMap(\.scope.source.columns.keys)).sorted()
    }

    /// The columns that have the order.
    static let order = ["branch$", "rank$"]

    /// `SELECT … UNION ALL SELECT …`, in this order. A property that only another branch has is absent.
    func source(partitions: [RowSet.Partition], in context: StatementContext) throws -> RowSource {
        let values = try names.map { try self.values(of: $0) }
        let shared = navigation
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
                statement.columns += columns(name, position, value: values[position][number], in: branch)
            }
            for name in shared.keys.sorted() {
                statement.columns += columns(ofNavigation: name, shared[name], in: branch)
            }
            statements.append(statement.sql)
        }
        source.navigation = shared
        for (position, name) in names.enumerated() {
            guard let codec = values[position].lazy.compactMap({ $0?.codec }).first else { continue }
            source.columns[name] = ColumnMapping(column: "v$\(position)", codec: codec)
            source.presence[name] = "has$\(position)"
        }
        source.table = try context.define(statements.joined(" UNION ALL "))
        return source
    }

    /// The navigation properties that lead to the same entities in all branches, by columns of the union.
    private var navigation: [String: NavigationMapping] {
        let names = Set(branches.flatMap(\.scope.type.navigationProperties).map(\.name))
        var shared: [String: NavigationMapping] = [:]
        for name in names {
            let known = branches.compactMap { $0.scope.source.navigation[name] }
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

    /// The values of a property in all branches, in one form: JSON if they are of different kinds.
    private func values(of name: String) throws -> [Term?] {
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

    /// The source columns of a navigation property, under the names of `shared`; null where a branch lacks it.
    private func columns(ofNavigation name: String, _ shared: NavigationMapping?, in branch: RowSet) -> [SQLFragment] {
        guard case .columns(let pairs, _) = shared else { return [] }
        var own: [NavigationMapping.ColumnPair] = []
        if case .columns(let found, _) = branch.scope.source.navigation[name] { own = found }
        return pairs.map { pair in
            let source = own.first { $0.target == pair.target }?.source
            return (source.map { branch.scope.column($0) } ?? "NULL").named(pair.source)
        }
    }

    /// The value of a property, and whether the row has the property.
    private func columns(_ name: String, _ position: Int, value: Term?, in branch: RowSet) -> [SQLFragment] {
        let (label, flag) = ("v$\(position)", "has$\(position)")
        guard let value else { return [SQLFragment("NULL").named(label), SQLFragment("0").named(flag)] }
        let presence: SQLFragment = branch.scope.source.presence[name].map { branch.scope.column($0) } ?? "1"
        return [value.sql.named(label), presence.named(flag)]
    }
}

extension NavigationMapping {
    /// The target's columns of a navigation property that is stored in columns.
    fileprivate var targetColumns: Set<String>? {
        if case .columns(let pairs, _) = self { Set(pairs.map(\.target)) } else { nil }
    }
}
