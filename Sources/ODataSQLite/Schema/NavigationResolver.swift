import ODataModel
import ODataSQL

/// How a navigation property is stored, and the model's delete action.
package struct ResolvedNavigation: Sendable {
    package var storage: LocalNavigation
    /// `Cascade`, `None`, `SetNull` or `SetDefault`: the model's action for this side when the target is deleted; nil
    /// if it does not declare one.
    var onDelete: String?

    /// Whether the columns of this side refer to the target.
    var isDependent: Bool {
        if case .columns(_, _, let isDependent) = storage { isDependent } else { false }
    }
}

/// Resolves the navigation properties of a model's sets: the target set, the opposite navigation property, and how both
/// are stored. The tables of an offline store and those of a declared model share it.
///
/// Properties are identified by their declaring type and their name (``BoundNavigation``).
package struct NavigationResolver {
    /// The table of a set or of contained entities.
    package struct Place {
        package struct Column {
            var name: String
            var affinity: ColumnAffinity

            package init(name: String, affinity: ColumnAffinity) { (self.name, self.affinity) = (name, affinity) }
        }

        var set: EdmEntitySet
        /// The set's type, then those derived from it.
        var types: [EdmStructuredType]
        var navigations: [BoundNavigation]
        /// The set whose entities contain those of this table.
        var container: String?
        /// The table's name.
        var table: String
        /// The column of a property; nil if the table does not have one.
        var column: (String) -> Column?

        package init(
            set: EdmEntitySet, types: [EdmStructuredType], navigations: [BoundNavigation], container: String?,
            table: String, column: @escaping (String) -> Column?
        ) {
            (self.set, self.types, self.navigations) = (set, types, navigations)
            (self.container, self.table, self.column) = (container, table, column)
        }
    }

    /// The row id, in all tables.
    package static let rowID = "$id"
    /// The row id of the containing entity, in tables of contained entities.
    package static let parentColumn = "$parent"

    private typealias Pair = NavigationMapping.ColumnPair

    let model: EdmModel
    package let places: [String: Place]

    package init(model: EdmModel, places: [String: Place]) { (self.model, self.places) = (model, places) }

    /// By ``BoundNavigation/name``. Navigation properties without a target table are omitted.
    package func navigation(of place: Place) -> [String: ResolvedNavigation] {
        var resolved: [String: ResolvedNavigation] = [:]
        for navigation in place.navigations {
            guard let target = target(of: navigation, from: place).flatMap({ places[$0] }) else { continue }
            let partner = partner(of: navigation, from: place, to: target)
            let storage = storage(of: navigation, partner: partner, from: place, to: target)
            resolved[navigation.name] = ResolvedNavigation(
                storage: storage,
                onDelete: navigation.navigation.constraints.isEmpty ? nil : partner?.navigation.onDelete?.action)
        }
        return resolved
    }

    /// The set that `navigation` leads to; nil if the model does not bind one.
    private func target(of navigation: BoundNavigation, from place: Place) -> String? {
        navigation.navigation.containsTarget
            ? "\(place.set.name)/\(navigation.name)"
            : model.targetSet(of: navigation.navigation, from: place.set, as: navigation.types.first)?.name
    }

    /// The opposite navigation property, of the set `there`.
    private func partner(of navigation: BoundNavigation, from place: Place, to there: Place) -> BoundNavigation? {
        let own = navigation.navigation
        let candidates = there.navigations.filter { candidate in
            let target = target(of: candidate, from: there)
            return candidate.types.contains { $0.lineage.contains(own.target) }
                && (target == nil || places[target ?? ""] == nil || target == place.set.name)
        }
        return own.partner.flatMap { path in candidates.first { $0.isPartner(path) } }
            ?? candidates.first { candidate in
                candidate.navigation.partner.map { navigation.isPartner($0) } == true
                    && navigation.types.contains { $0.lineage.contains(candidate.navigation.target) }
            }
    }

    private func storage(
        of bound: BoundNavigation, partner: BoundNavigation?, from place: Place, to target: Place
    ) -> LocalNavigation {
        if bound.navigation.containsTarget {
            let pair = Pair(source: Self.rowID, target: Self.parentColumn)
            return .columns([pair], target: target.set.name, isDependent: false)
        }
        if let pairs = pairs(bound.navigation.constraints, dependent: place, principal: target) {
            return .columns(pairs, target: target.set.name, isDependent: true)
        }
        if let partner, partner.navigation.containsTarget, place.container == target.set.name {
            let pair = Pair(source: Self.parentColumn, target: Self.rowID)
            return .columns([pair], target: target.set.name, isDependent: true)
        }
        if let partner, let pairs = pairs(partner.navigation.constraints, dependent: target, principal: place) {
            return .columns(pairs.map(\.turned), target: target.set.name, isDependent: false)
        }
        return link(bound, partner: partner, from: place, to: target)
    }

    private func pairs(
        _ constraints: [EdmNavigationProperty.Constraint], dependent: Place, principal: Place
    ) -> [NavigationMapping.ColumnPair]? {
        let pairs = constraints.compactMap { constraint -> Pair? in
            guard let source = dependent.column(constraint.property),
                let target = principal.column(constraint.referencedProperty)
            else { return nil }
            var pair = Pair(source: source.name, target: target.name)
            pair.comparesColumns = source.affinity != target.affinity
            return pair
        }
        return pairs.isEmpty || pairs.count < constraints.count ? nil : pairs
    }

    /// One table for both directions, named after the side whose name is first in order.
    private func link(
        _ navigation: BoundNavigation, partner: BoundNavigation?, from place: Place, to target: Place
    ) -> LocalNavigation {
        let here = "\(place.table)$\(navigation.name)"
        let there = partner.map { "\(target.table)$\($0.name)" }
        let isReversed = there.map { $0 < here } ?? false
        let forward = isReversed ? partner : navigation
        let backward = isReversed ? navigation : partner
        let link = LinkTable(
            name: isReversed ? there ?? here : here, sourceSet: isReversed ? target.set.name : place.set.name,
            targetSet: isReversed ? place.set.name : target.set.name,
            isSourceUnique: forward?.navigation.isCollection == false,
            isTargetUnique: backward?.navigation.isCollection == false)
        return .link(link, isReversed: isReversed)
    }
}

extension BoundNavigation {
    /// Whether a partner's path leads here: `Owner`, `NS.Car/Owner`. [OData-CSDLXML, section 8.4]
    fileprivate func isPartner(_ path: String) -> Bool {
        let segments = path.split(separator: "/").map(String.init)
        guard segments.last == navigation.name else { return false }
        guard segments.count == 2 else { return segments.count == 1 }
        return types.contains { $0.lineage.contains(EdmQualifiedName(segments[0])) }
    }
}
