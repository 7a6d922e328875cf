import ODataModel
import ODataSQL

/// Finds how each navigation property of a model can be kept.
struct RelationBuilder {
    let model: Model
    let tables: [String: LocalTable]

    mutating func relations(of table: LocalTable) -> [String: LocalRelation] {
        var relations: [String: LocalRelation] = [:]
        for navigation in table.navigationProperties {
            guard let other = target(of: navigation, from: table) else { continue }
            relations[navigation.name] = relation(navigation, from: table, to: other)
        }
        return relations
    }

    private func target(of navigation: NavigationProperty, from table: LocalTable) -> LocalTable? {
        if navigation.containsTarget { return tables["\(table.set.name)/\(navigation.name)"] }
        // The binding of a derived type's navigation property begins with the type's name.
        let bound = table.set.bindings.first { $0.key.hasSuffix("/\(navigation.name)") }?.value
        if table.set.bindings[navigation.name] == nil, let bound { return tables[bound] }
        return model.targetSet(of: navigation, from: table.set).flatMap { tables[$0.name] }
    }

    private func relation(_ navigation: NavigationProperty, from table: LocalTable, to other: LocalTable)
        -> LocalRelation
    {
        if navigation.containsTarget {
            let pair = RelationMapping.ColumnPair(source: "$id", target: LocalTable.parentColumn)
            return .columns([pair], target: other.set.name, isDependent: false)
        }
        if let pairs = pairs(navigation.constraints, dependent: table, principal: other) {
            return .columns(pairs, target: other.set.name, isDependent: true)
        }
        let partner = partner(of: navigation, from: table, to: other)
        if partner?.containsTarget == true, table.container?.set == other.set.name {
            let pair = RelationMapping.ColumnPair(source: LocalTable.parentColumn, target: "$id")
            return .columns([pair], target: other.set.name, isDependent: true)
        }
        if let partner, let pairs = pairs(partner.constraints, dependent: other, principal: table) {
            let turned = pairs.map(\.turned)
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
            var pair = RelationMapping.ColumnPair(source: source.name, target: target.name)
            pair.comparesColumns = source.affinity != target.affinity
            return pair
        }
        return pairs.isEmpty || pairs.count < constraints.count ? nil : pairs
    }

    /// The navigation property of the target that leads back.
    private func partner(of navigation: NavigationProperty, from table: LocalTable, to other: LocalTable)
        -> NavigationProperty?
    {
        let found = other.navigationProperties.partner(of: navigation) { candidate in
            table.types.contains { $0.lineage.contains(candidate.target) }
        }
        guard let found, target(of: found, from: other)?.set.name == table.set.name else { return nil }
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
