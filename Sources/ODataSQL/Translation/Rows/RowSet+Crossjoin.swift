import ODataModel
import ODataQuery

extension RowSet {
    /// `$crossjoin(Products,Sales)`: a scope without a table, with the sets as its members.
    init(crossjoin sets: [EdmEntitySet], context: StatementContext) throws {
        let names = sets.map(\.name).joined(separator: ",")
        let type = EdmStructuredType(
            declaration: .init(kind: .complex, name: EdmQualifiedName("crossjoin"), properties: []))
        let set = EdmEntitySet(
            declaration: EdmEntitySetDeclaration(name: "$crossjoin(\(names))", type: type.name), type: type)
        let members = try sets.map { try context.scope(of: $0) }
        self.init(
            scope: TableScope(
                context: context, alias: context.alias(), set: set,
                source: RowSource(table: "", rowID: nil, columns: [:])),
            tables: members.map(\.table).joined(" JOIN "))
        isEntities = false
        for member in members {
            scope.add(member)
            conditions += member.live
        }
    }

    /// Reads the sets of a `$crossjoin` in nested loops whose order is that of the rows, so that SQLite stops after the
    /// requested rows instead of sorting all combinations. If conditions connect all sets, SQLite finds a better order.
    mutating func nest(_ sets: [EdmEntitySet], _ options: QueryOptions) {
        guard options.apply == nil, options.compute.isEmpty, options.search == nil else { return }
        let names = sets.map(\.name)
        let conditions = (options.filter?.conjuncts ?? []).map { $0.sets(among: names) }
        let orders = options.orderBy.map { $0.expression.sets(among: names) }
        let links = conditions.filter { $0.count > 1 }
        // SQLite does not recognise that the key is unique in a table without row ids, and would sort the inner loop.
        let plain = (conditions.filter { $0.count == 1 }.flatMap(\.self) + names)
            .filter { scope.members[$0]?.source.rowID != nil }
        let wanted = orders.filter { $0.count == 1 }.flatMap(\.self) + plain + names
        guard let order = Self.loops(wanted, links: links) else { return }
        loops = order
        // Another index would change the order of the loops: for conditions on one set a scan of it is better.
        let indexed = Set((orders + links).joined())
        tables = order.compactMap { name in
            scope.members[name].map { indexed.contains(name) ? $0.table : $0.table + " NOT INDEXED" }
        }.joined(" CROSS JOIN ")
    }

    /// The sets, ordered so that each follows a set that a condition connects it to, if there is one; nil if all are
    /// connected.
    private static func loops(_ wanted: [String], links: [Set<String>]) -> [String]? {
        var order: [String] = []
        var starts = 0
        var open = wanted
        while let first = open.first {
            let linked = open.first { name in
                links.contains { $0.contains(name) && !$0.isDisjoint(with: order) }
            }
            if linked == nil { starts += 1 }
            let next = linked ?? first
            order.append(next)
            open.removeAll { $0 == next }
        }
        return starts > 1 ? order : nil
    }

    /// The order of the rows of a set in a loop: their ids, since SQLite does not treat nullable keys as unique.
    static func loopOrder(_ scope: TableScope) throws -> [OrderTerm] {
        guard let id = scope.source.rowID else { return try key(scope) }
        return [OrderTerm(expression: scope.stored(id), isDescending: false, isNullable: false)]
    }
}

extension QueryExpression {
    /// `a`, `b` and `c` of `a and b and c`.
    fileprivate var conjuncts: [QueryExpression] {
        guard case .binary(.and, let left, let right) = self else { return [self] }
        return left.conjuncts + right.conjuncts
    }

    /// The sets of `names` that the expression refers to.
    fileprivate func sets(among names: [String]) -> Set<String> { QuerySets(self).names.intersection(names) }
}
