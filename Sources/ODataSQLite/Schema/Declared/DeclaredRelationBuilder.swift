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
    let tables: [String: PublishedTable]
    private let resolver: RelationResolver

    init(model: EdmModel, tables: [String: PublishedTable]) {
        self.tables = tables
        resolver = RelationResolver(model: model, places: tables.compactMapValues { $0.declared?.place })
    }

    /// By the names of ``DeclaredTable/navigations``.
    func relations(of table: PublishedTable) -> [String: DeclaredRelation] {
        guard let declared = table.declared else { return [:] }
        var relations: [String: DeclaredRelation] = [:]
        for navigation in declared.navigations {
            guard let name = resolver.target(of: navigation, from: declared.place), let target = tables[name] else {
                continue
            }
            let partner = resolver.partner(of: navigation, from: declared.place, to: name)
            relations[navigation.name] = relation(navigation, partner: partner, from: table, to: target)
        }
        return relations
    }

    private func relation(
        _ bound: BoundNavigation, partner: BoundNavigation?, from table: PublishedTable, to target: PublishedTable
    ) -> DeclaredRelation {
        let navigation = bound.navigation
        if navigation.containsTarget {
            let pair = RelationMapping.ColumnPair(source: DeclaredTable.rowID, target: DeclaredTable.parentColumn)
            return DeclaredRelation(mapping: .columns([pair], target: target.set), isDependent: false)
        }
        if let pairs = pairs(navigation.constraints, dependent: table, principal: target) {
            return DeclaredRelation(
                mapping: .columns(pairs, target: target.set), isDependent: true,
                onDelete: partner?.navigation.onDelete?.action)
        }
        if let partner, partner.navigation.containsTarget, table.declared?.container?.set == target.set {
            let pair = RelationMapping.ColumnPair(source: DeclaredTable.parentColumn, target: DeclaredTable.rowID)
            return DeclaredRelation(mapping: .columns([pair], target: target.set), isDependent: true)
        }
        if let partner, let pairs = pairs(partner.navigation.constraints, dependent: target, principal: table) {
            let turned = pairs.map(\.turned)
            return DeclaredRelation(mapping: .columns(turned, target: target.set), isDependent: false)
        }
        return link(bound, partner: partner, from: table, to: target)
    }

    private func pairs(
        _ constraints: [EdmNavigationProperty.Constraint], dependent: PublishedTable, principal: PublishedTable
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

    /// One table for both directions, named after the side whose name comes first.
    private func link(
        _ navigation: BoundNavigation, partner: BoundNavigation?, from table: PublishedTable,
        to target: PublishedTable
    ) -> DeclaredRelation {
        let here = "\(table.name)$\(navigation.name)"
        let there = partner.map { "\(target.name)$\($0.name)" }
        let isReversed = there.map { $0 < here } ?? false
        let forward = isReversed ? partner : navigation
        let backward = isReversed ? navigation : partner
        let link = DeclaredLink(
            name: isReversed ? there ?? here : here, source: isReversed ? target.name : table.name,
            target: isReversed ? table.name : target.name, isSourceUnique: forward?.navigation.isCollection == false,
            isTargetUnique: backward?.navigation.isCollection == false)
        let mapping = RelationMapping.linkTable(
            table: link.name, source: isReversed ? "target" : "source", target: isReversed ? "source" : "target",
            targetSet: target.set, condition: nil)
        return DeclaredRelation(mapping: mapping, isDependent: false, link: link)
    }
}
