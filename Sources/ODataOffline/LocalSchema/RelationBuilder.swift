import ODataModel
import ODataSQL
import ODataSQLite

/// Finds how each navigation property of a model can be kept.
struct RelationBuilder {
    let tables: [String: LocalTable]
    private let resolver: RelationResolver

    init(model: EdmModel, tables: [String: LocalTable]) {
        self.tables = tables
        resolver = RelationResolver(model: model, places: tables.mapValues(\.place))
    }

    /// By the names of ``LocalTable/navigations``.
    func relations(of table: LocalTable) -> [String: LocalRelation] {
        var relations: [String: LocalRelation] = [:]
        for navigation in table.navigations {
            guard let name = resolver.target(of: navigation, from: table.place), let other = tables[name] else {
                continue
            }
            relations[navigation.name] = relation(navigation, from: table, to: other)
        }
        return relations
    }

    private func relation(_ bound: BoundNavigation, from table: LocalTable, to other: LocalTable) -> LocalRelation {
        let navigation = bound.navigation
        if navigation.containsTarget {
            let pair = RelationMapping.ColumnPair(source: "$id", target: LocalTable.parentColumn)
            return .columns([pair], target: other.set.name, isDependent: false)
        }
        if let pairs = pairs(navigation.constraints, dependent: table, principal: other) {
            return .columns(pairs, target: other.set.name, isDependent: true)
        }
        let partner = resolver.partner(of: bound, from: table.place, to: other.set.name)
        if partner?.navigation.containsTarget == true, table.container?.set == other.set.name {
            let pair = RelationMapping.ColumnPair(source: LocalTable.parentColumn, target: "$id")
            return .columns([pair], target: other.set.name, isDependent: true)
        }
        if let partner, let pairs = pairs(partner.navigation.constraints, dependent: other, principal: table) {
            let turned = pairs.map(\.turned)
            return .columns(turned, target: other.set.name, isDependent: false)
        }
        return link(bound, partner: partner, from: table, to: other)
    }

    private func pairs(
        _ constraints: [EdmNavigationProperty.Constraint], dependent: LocalTable, principal: LocalTable
    ) -> [RelationMapping.ColumnPair]? {
        let pairs = constraints.compactMap { constraint -> RelationMapping.ColumnPair? in
            guard let source = dependent.column(of: constraint.property),
                let target = principal.column(of: constraint.referencedProperty)
            else { return nil }
            var pair = RelationMapping.ColumnPair(source: source.name, target: target.name)
            pair.comparesColumns = source.affinity != target.affinity
            return pair
        }
        return pairs.isEmpty || pairs.count < constraints.count ? nil : pairs
    }

    /// One table for both directions, named after the side whose name comes first.
    private func link(
        _ navigation: BoundNavigation, partner: BoundNavigation?, from table: LocalTable, to other: LocalTable
    ) -> LocalRelation {
        let here = "\(table.name)$\(navigation.name)"
        let there = partner.map { "\(other.name)$\($0.name)" }
        let isReversed = there.map { $0 < here } ?? false
        let forward = isReversed ? partner : navigation
        let backward = isReversed ? navigation : partner
        let link = LinkTable(
            name: isReversed ? there ?? here : here, sourceSet: isReversed ? other.set.name : table.set.name,
            targetSet: isReversed ? table.set.name : other.set.name,
            isSourceUnique: forward?.navigation.isCollection == false,
            isTargetUnique: backward?.navigation.isCollection == false)
        return .link(link, isReversed: isReversed)
    }
}
