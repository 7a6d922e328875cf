import ODataModel
import ODataSQL

/// Finds how each navigation property of a model can be kept.
struct RelationBuilder {
    let model: Model
    let tables: [String: LocalTable]

    mutating func relations(of table: LocalTable) -> [String: LocalRelation] {
        var relations: [String: LocalRelation] = [:]
        for navigation in table.set.type.navigationProperties {
            guard let target = model.targetSet(of: navigation, from: table.set), let other = tables[target.name] else {
                continue
            }
            relations[navigation.name] = relation(navigation, from: table, to: other)
        }
        return relations
    }

    private func relation(_ navigation: NavigationProperty, from table: LocalTable, to other: LocalTable)
        -> LocalRelation
    {
        if let pairs = pairs(navigation.constraints, dependent: table, principal: other) {
            return .columns(pairs, target: other.set.name, isDependent: true)
        }
        let partner = partner(of: navigation, from: table, to: other)
        if let partner, let pairs = pairs(partner.constraints, dependent: other, principal: table) {
            let turned = pairs.map { RelationMapping.ColumnPair(source: $0.target, target: $0.source) }
            return .columns(turned, target: other.set.name, isDependent: false)
        }
        return link(navigation, partner: partner, from: table, to: other)
    }

    private func pairs(
        _ constraints: [NavigationProperty.Constraint], dependent: LocalTable, principal: LocalTable
    ) -> [RelationMapping.ColumnPair]? {
        let pairs = constraints.compactMap { constraint -> RelationMapping.ColumnPair? in
            guard let source = dependent.column(of: constraint.property),
                let target = principal.column(of: constraint.referencedProperty)
            else { return nil }
            return RelationMapping.ColumnPair(source: source.name, target: target.name)
        }
        return pairs.isEmpty || pairs.count < constraints.count ? nil : pairs
    }

    /// The navigation property of the target that leads back: the declared partner, or the one whose partner this is.
    private func partner(of navigation: NavigationProperty, from table: LocalTable, to other: LocalTable)
        -> NavigationProperty?
    {
        let found =
            navigation.partner.flatMap { other.set.type.navigationProperty(named: $0) }
            ?? other.set.type.navigationProperties.first {
                $0.partner == navigation.name && table.set.type.lineage.contains($0.target)
            }
        guard let found, model.targetSet(of: found, from: other.set)?.name == table.set.name else { return nil }
        return found
    }

    /// One table for both directions, named after the side whose name comes first.
    private func link(
        _ navigation: NavigationProperty, partner: NavigationProperty?, from table: LocalTable, to other: LocalTable
    ) -> LocalRelation {
        let here = "\(table.name)$\(navigation.name)"
        let there = partner.map { "\(other.name)$\($0.name)" }
        let isReversed = there.map { $0 < here } ?? false
        let forward = isReversed ? partner : navigation
        let backward = isReversed ? navigation : partner
        let link = LinkTable(
            name: isReversed ? there ?? here : here, sourceSet: isReversed ? other.set.name : table.set.name,
            targetSet: isReversed ? table.set.name : other.set.name,
            isSourceUnique: forward?.isCollection == false, isTargetUnique: backward?.isCollection == false)
        return .link(link, isReversed: isReversed)
    }
}
