import ODataModel
import ODataSQL

/// How a navigation property of a declared model is kept, and which side has the foreign key.
struct DeclaredRelation: Sendable {
    var mapping: RelationMapping
    /// Whether the columns of this side refer to the target.
    var isDependent: Bool
    /// The link table that this direction makes; the other direction uses it too.
    var link: DeclaredLink?
    /// `Cascade`, `None`, `SetNull` or `SetDefault`: what becomes of this side when the target is deleted, where the model
    /// says it.
    var onDelete: String?
}

/// A table of pairs of row ids.
struct DeclaredLink: Sendable, Hashable {
    var name: String
    var source: String
    var target: String
    /// Whether a source has at most one target, and a target at most one source.
    var isSourceUnique: Bool
    var isTargetUnique: Bool
}

/// Finds where each navigation property of a declared model is kept.
struct DeclaredRelationBuilder {
    let model: Model
    let tables: [String: PublishedTable]

    func relations(of table: PublishedTable) -> [String: DeclaredRelation] {
        guard let declared = table.declared else { return [:] }
        var relations: [String: DeclaredRelation] = [:]
        for navigation in declared.navigationProperties {
            guard let target = target(of: navigation, from: declared.entitySet) else { continue }
            relations[navigation.name] = relation(navigation, from: table, to: target)
        }
        return relations
    }

    private func target(of navigation: NavigationProperty, from set: EntitySet) -> PublishedTable? {
        if navigation.containsTarget { return tables["\(set.name)/\(navigation.name)"] }
        let bound =
            set.bindings[navigation.name] ?? set.bindings.first { $0.key.hasSuffix("/\(navigation.name)") }?.value
        if let bound { return tables[bound] }
        return model.targetSet(of: navigation, from: set).flatMap { tables[$0.name] }
    }

    private func relation(
        _ navigation: NavigationProperty, from table: PublishedTable, to target: PublishedTable
    ) -> DeclaredRelation {
        if navigation.containsTarget {
            let pair = RelationMapping.ColumnPair(source: DeclaredTable.rowID, target: DeclaredTable.parentColumn)
            return DeclaredRelation(mapping: .columns([pair], target: target.set), isDependent: false)
        }
        if let pairs = pairs(navigation.constraints, dependent: table, principal: target) {
            return DeclaredRelation(
                mapping: .columns(pairs, target: target.set), isDependent: true,
                onDelete: partner(of: navigation, from: table, to: target)?.onDelete?.action)
        }
        let partner = partner(of: navigation, from: table, to: target)
        if let partner, partner.containsTarget, table.declared?.container?.set == target.set {
            let pair = RelationMapping.ColumnPair(source: DeclaredTable.parentColumn, target: DeclaredTable.rowID)
            return DeclaredRelation(mapping: .columns([pair], target: target.set), isDependent: true)
        }
        if let partner, let pairs = pairs(partner.constraints, dependent: target, principal: table) {
            let turned = pairs.map(\.turned)
            return DeclaredRelation(mapping: .columns(turned, target: target.set), isDependent: false)
        }
        return link(navigation, partner: partner, from: table, to: target)
    }

    private func pairs(
        _ constraints: [NavigationProperty.Constraint], dependent: PublishedTable, principal: PublishedTable
    ) -> [RelationMapping.ColumnPair]? {
        let pairs = constraints.compactMap { constraint -> RelationMapping.ColumnPair? in
            guard let source = dependent.column(ofProperty: constraint.property),
                let target = principal.column(ofProperty: constraint.referencedProperty)
            else { return nil }
            var pair = RelationMapping.ColumnPair(source: source.name, target: target.name)
            pair.comparesColumns = source.affinity != target.affinity
            return pair
        }
        return pairs.isEmpty || pairs.count < constraints.count ? nil : pairs
    }

    /// The navigation property of the target that leads back.
    private func partner(
        of navigation: NavigationProperty, from table: PublishedTable, to target: PublishedTable
    ) -> NavigationProperty? {
        guard let here = table.declared, let there = target.declared else { return nil }
        return there.navigationProperties.partner(of: navigation) { candidate in
            here.types.contains { $0.lineage.contains(candidate.target) }
        }
    }

    /// One table for both directions, named after the side whose name comes first.
    private func link(
        _ navigation: NavigationProperty, partner: NavigationProperty?, from table: PublishedTable,
        to target: PublishedTable
    ) -> DeclaredRelation {
        let here = "\(table.name)$\(navigation.name)"
        let there = partner.map { "\(target.name)$\($0.name)" }
        let isReversed = there.map { $0 < here } ?? false
        let forward = isReversed ? partner : navigation
        let backward = isReversed ? navigation : partner
        let link = DeclaredLink(
            name: isReversed ? there ?? here : here, source: isReversed ? target.name : table.name,
            target: isReversed ? table.name : target.name, isSourceUnique: forward?.isCollection == false,
            isTargetUnique: backward?.isCollection == false)
        let mapping = RelationMapping.linkTable(
            table: link.name, source: isReversed ? "target" : "source", target: isReversed ? "source" : "target",
            targetSet: target.set, condition: nil)
        return DeclaredRelation(mapping: mapping, isDependent: false, link: link)
    }
}
