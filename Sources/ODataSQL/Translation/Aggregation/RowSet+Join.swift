import ODataModel
import ODataQuery

/// `join(Sales as Sale,aggregate(…))`, `outerjoin(…)`: a row for each pair of an instance and a related one, whose
/// properties are those of `Sale`.
///
/// [OData-Aggregation, section 3.2.5]
extension RowSet {
    mutating func join(_ path: PropertyPath, alias: String, steps: [ApplyExpression.Step], isOuter: Bool) throws {
        let (owners, number) = try self.owners(for: steps, of: "join")
        var others = owners
        try others.follow(path.steps)
        try others.apply(steps)
        try others.define()
        guard let partner = others.partitions.last?.term.sql else { return }
        tables = tables + (isOuter ? " LEFT JOIN " : " JOIN ") + others.scope.table + " ON " + number + " = " + partner
        let flag = Column(
            name: "has$\(context.number())", property: nil, term: Term(partner + " IS NOT NULL", .boolean))
        let object = Column(
            name: "c$\(context.number())", property: alias, term: Term(try RowObject(rows: others).sql(), .json))
        let columns = others.scope.source.columns.sorted { $0.key < $1.key }.map { property, column in
            Column(
                name: "c$\(context.number())", property: "\(alias)/\(property)",
                term: Term(others.scope.column(column.column), column.codec))
        }
        try define(columns + [object, flag])
        leading = (isEntities ? scope.set.type.key : leading) + others.scope.set.type.key.map { "\(alias)/\($0)" }
        isEntities = false
        var source = scope.source
        if isOuter { for case let name? in columns.map(\.property) + [alias] { source.presence[name] = flag.name } }
        if others.isEntities { source.navigation[alias] = try others.mapping(from: columns, under: alias) }
        rename(source)
    }

    /// The navigation property to these entities from rows that have their properties in `columns`.
    private func mapping(from columns: [Column], under alias: String) throws -> NavigationMapping {
        let pairs = zip(scope.set.type.key, try scope.keyColumns()).compactMap { name, target in
            columns.first { $0.property == "\(alias)/\(name)" }.map {
                NavigationMapping.ColumnPair(source: $0.name, target: target)
            }
        }
        return .columns(pairs, target: scope.set.name)
    }
}
