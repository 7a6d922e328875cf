import ODataModel

/// Tells where the navigation properties of the sets of a model lead, and which of them lead back: for the tables of
/// an offline store and for those of a declared model alike.
package struct RelationResolver {
    /// A set, or what the entities of one contain.
    package struct Place {
        package var set: EdmEntitySet
        /// The set's type, then those derived from it.
        package var types: [EdmStructuredType]
        package var navigations: [BoundNavigation]

        package init(set: EdmEntitySet, types: [EdmStructuredType], navigations: [BoundNavigation]) {
            (self.set, self.types, self.navigations) = (set, types, navigations)
        }
    }

    let model: EdmModel
    let places: [String: Place]

    package init(model: EdmModel, places: [String: Place]) {
        (self.model, self.places) = (model, places)
    }

    /// The set that `navigation` leads to; nil where the model binds none.
    package func target(of navigation: BoundNavigation, from place: Place) -> String? {
        let name =
            navigation.navigation.containsTarget
            ? "\(place.set.name)/\(navigation.name)"
            : model.targetSet(of: navigation.navigation, from: place.set, as: navigation.types.first)?.name
        return name.flatMap { places[$0] == nil ? nil : $0 }
    }

    /// The navigation property of the set `other` that leads back.
    package func partner(of navigation: BoundNavigation, from place: Place, to other: String) -> BoundNavigation? {
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
