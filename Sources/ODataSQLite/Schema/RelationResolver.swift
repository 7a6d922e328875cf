import ODataModel

/// Tells where the navigation properties of the sets of a model lead, and which of them lead back: for the tables of
/// an offline store and for those of a declared model alike.
struct RelationResolver {
    /// A set, or what the entities of one contain.
    struct Place {
        var set: EdmEntitySet
        /// The set's type, then those derived from it.
        var types: [EdmStructuredType]
        var navigations: [BoundNavigation]
    }

    let model: EdmModel
    let places: [String: Place]

    /// The set that `navigation` leads to; nil where the model binds none.
    func target(of navigation: BoundNavigation, from place: Place) -> String? {
        let name =
            navigation.navigation.containsTarget
            ? "\(place.set.name)/\(navigation.name)"
            : model.targetSet(of: navigation.navigation, from: place.set, as: navigation.types.first)?.name
        return name.flatMap { places[$0] == nil ? nil : $0 }
    }

    /// The navigation property of the set `other` that leads back.
    func partner(of navigation: BoundNavigation, from place: Place, to other: String) -> BoundNavigation? {
        guard let there = places[other] else { return nil }
        let own = navigation.navigation
        let candidates = there.navigations.filter { candidate in
            let target = target(of: candidate, from: there)
            return candidate.types.contains { $0.lineage.contains(own.target) }
                && (target == nil || target == place.set.name)
        }
        return own.partner.flatMap { name in candidates.first { $0.navigation.name == name } }
            ?? candidates.first { candidate in
                candidate.navigation.partner == own.name
                    && navigation.types.contains { $0.lineage.contains(candidate.navigation.target) }
            }
    }
}
