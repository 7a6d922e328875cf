/// A navigation property of the entities of a set, with the types that share it.
///
/// Types that derive from the one of the set may declare different properties of one name, or bind an inherited
/// property to a set of their own. [OData-CSDLXML, section 13.4.1: Navigation Property Path Binding]
package struct BoundNavigation: Sendable {
    /// `Owner`; `NS.Car:Owner` where other types of the set have another property of the name.
    package var name: String
    package var navigation: EdmNavigationProperty
    /// Those types of the set that have it.
    package var types: [EdmStructuredType]

    /// The type that ``name`` begins with; nil if it has none.
    package static func cast(in name: String) -> (type: EdmQualifiedName, navigation: String)? {
        guard let colon = name.firstIndex(of: ":") else { return nil }
        return (EdmQualifiedName(String(name[..<colon])), String(name[name.index(after: colon)...]))
    }

    /// The name of the property in URLs and payloads.
    package static func plainName(of name: String) -> String { cast(in: name)?.navigation ?? name }

    /// `/NS.Car/Owner`
    package static func path(of name: String) -> String { "/" + name.replacing(":", with: "/") }

    /// Which of `names` the property is for entities of `type`.
    ///
    /// - Parameter contains: Whether there is a navigation property of this ``name``.
    package static func name(
        of navigation: String, as type: EdmStructuredType, where contains: (String) -> Bool
    ) -> String {
        for owner in type.lineage {
            let name = "\(owner):\(navigation)"
            if contains(name) { return name }
        }
        return navigation
    }
}

/// A step of a path from an entity through complex properties to a navigation property.
package struct BindingStep {
    /// A complex property, or at the end the navigation property.
    package var name: String
    /// The type whose property it is, after any cast; nil where it is not known.
    package var owner: EdmStructuredType?

    package init(name: String, owner: EdmStructuredType?) { (self.name, self.owner) = (name, owner) }
}

/// The binding of a navigation property that is in complex ones: `NS.Company/Address/NS.Abroad/Country`.
package struct ComplexBinding: Sendable {
    /// The path, with type casts between the properties.
    private let segments: [String]
    let target: String

    /// Nil for a path through no complex property.
    init?(path: String, target: String) {
        segments = path.split(separator: "/").map(String.init)
        guard segments.count(where: { !$0.contains(".") }) > 1 else { return nil }
        self.target = target
    }

    /// How far the types of `steps` are from those that the path casts to, where `.max` stands for no cast; nil if it is
    /// the path of something else.
    fileprivate func distances(to steps: [BindingStep]) -> [Int]? {
        var rest = segments[...]
        var distances: [Int] = []
        for step in steps {
            var distance = Int.max
            if let cast = rest.first, cast.contains(".") {
                guard let found = step.owner?.lineage.firstIndex(of: EdmQualifiedName(cast)) else { return nil }
                distance = found
                rest.removeFirst()
            }
            guard rest.popFirst() == step.name else { return nil }
            distances.append(distance)
        }
        return rest.isEmpty ? distances : nil
    }
}

extension EdmEntitySet {
    /// The set that the path through complex properties leads to, by the binding with the nearest type casts.
    package func binding(along steps: [BindingStep]) -> String? {
        complexBindings.compactMap { binding in binding.distances(to: steps).map { ($0, binding.target) } }
            .min { $0.0.lexicographicallyPrecedes($1.0) }?.1
    }

    /// The set that the property leads to from entities of `type`, by the binding with the nearest type cast.
    package func binding(of navigation: String, as type: EdmStructuredType?) -> String? {
        guard hasCastBindings, let type else { return bindings[navigation] }
        for name in type.lineage {
            if let target = bindings["\(name)/\(navigation)"] { return target }
        }
        return bindings[navigation]
    }

    /// The bindings of what the entities contain by a navigation property, seen from there.
    package func bindings(below navigation: BoundNavigation) -> [String: String] {
        let name = navigation.navigation.name
        let prefixes = ["\(name)/"] + navigation.types.map { "\($0.name)/\(name)/" }
        var found: [String: String] = [:]
        for prefix in prefixes {
            for (path, target) in bindings where path.hasPrefix(prefix) {
                found[String(path.dropFirst(prefix.count))] = target
            }
        }
        return found
    }
}

extension EdmModel {
    /// The navigation properties of entities of `set`, which are of `types`.
    package func navigations(of set: EdmEntitySet, types: [EdmStructuredType]) -> [BoundNavigation] {
        guard types.count > 1 else {
            return types.flatMap(\.navigationProperties).map {
                BoundNavigation(name: $0.name, navigation: $0, types: types)
            }
        }
        return NavigationGroups(model: self, set: set, types: types).all
    }
}

/// Reports apart the navigation properties of one name that types of a set have.
private struct NavigationGroups {
    /// Where a property is declared, or bound to another set.
    private struct Origin {
        var owner: EdmQualifiedName
        var navigation: EdmNavigationProperty
        var target: String?

        func isSame(as other: Origin) -> Bool {
            let (one, two) = (navigation, other.navigation)
            return target == other.target && one.target == two.target && one.isCollection == two.isCollection
                && one.containsTarget == two.containsTarget && one.partner == two.partner
                && one.constraints.map(\.property) == two.constraints.map(\.property)
                && one.constraints.map(\.referencedProperty) == two.constraints.map(\.referencedProperty)
        }
    }

    let model: EdmModel
    let set: EdmEntitySet
    let types: [EdmStructuredType]

    var all: [BoundNavigation] {
        let declarations = declarations
        var names: Set<String> = []
        var found: [BoundNavigation] = []
        for navigation in types.flatMap(\.navigationProperties) where names.insert(navigation.name).inserted {
            let isSingle = declarations[navigation.name, default: 0] < 2 && !set.hasCastBindings
            if isSingle {
                found.append(single(navigation))
            } else {
                found += groups(of: navigation.name)
            }
        }
        return found
    }

    /// How many types declare each name.
    private var declarations: [String: Int] {
        var counts: [String: Int] = [:]
        for name in Set(types.flatMap(\.lineage)) {
            for navigation in model.structuredType(named: name)?.declaration.navigationProperties ?? [] {
                counts[navigation.name, default: 0] += 1
            }
        }
        return counts
    }

    private func single(_ navigation: EdmNavigationProperty) -> BoundNavigation {
        BoundNavigation(
            name: navigation.name, navigation: navigation,
            types: types.filter { $0.navigationProperty(named: navigation.name) != nil })
    }

    private func groups(of name: String) -> [BoundNavigation] {
        var origins: [(origin: Origin, types: [EdmStructuredType])] = []
        for type in types {
            guard let origin = origin(of: name, in: type) else { continue }
            if let index = origins.firstIndex(where: { $0.origin.owner == origin.owner }) {
                origins[index].types.append(type)
            } else {
                origins.append((origin, [type]))
            }
        }
        guard let first = origins.first else { return [] }
        if origins.allSatisfy({ $0.origin.isSame(as: first.origin) }) { return [single(first.origin.navigation)] }
        return origins.map { origin, types in
            let isOfAll = set.type.lineage.contains(origin.owner)
            return BoundNavigation(
                name: isOfAll ? name : "\(origin.owner):\(name)", navigation: origin.navigation, types: types)
        }
    }

    private func origin(of name: String, in type: EdmStructuredType) -> Origin? {
        var found: Origin?
        for owner in type.lineage.reversed() {
            guard let declaring = model.structuredType(named: owner),
                let navigation = declaring.navigationProperty(named: name)
            else { continue }
            let origin = Origin(
                owner: owner, navigation: navigation,
                target: model.targetSet(of: navigation, from: set, as: declaring)?.name)
            if found?.isSame(as: origin) != true { found = origin }
        }
        return found
    }
}
