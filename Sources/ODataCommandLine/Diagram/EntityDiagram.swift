import OData

/// The types of a model with the navigation properties of entity types, as boxes and lines.
struct EntityDiagram {
    /// An entity type, a complex type or an enumeration type.
    struct Box {
        /// Its name, with the namespace where another type has the same.
        var title: String
        var isEntityType: Bool
        /// `abstract`, `open`, `media`, `complex`, `enumeration`
        var marks: [String]
        /// Key properties first; the members of an enumeration type.
        var properties: [Attribute]
    }

    struct Attribute {
        var name: String
        /// `Int32`, `String?`, `Address[]`; nil for a member of an enumeration type.
        var type: String?
        var isKey: Bool
    }

    /// A navigation property, or two that are partners of each other.
    struct Relationship {
        var from: End
        var to: End
        /// Whether the entities of the other end are parts of those of `from`.
        var isContainment: Bool
    }

    struct End {
        /// The position in ``boxes``.
        var box: Int
        /// The navigation property of this box that leads to the other end; nil if none leads there.
        var navigation: String?
        /// How many entities of this box belong to one of the other end: `1`, `0..1`, `*`; nil if the model does not
        /// declare it.
        var multiplicity: String?
    }

    /// Positions in ``boxes``: the first type derives from the second.
    struct Inheritance {
        var derived: Int
        var base: Int
    }

    /// In the order of the document, enumeration types last.
    private(set) var boxes: [Box] = []
    private(set) var relationships: [Relationship] = []
    private(set) var inheritances: [Inheritance] = []

    /// - Parameter hasKeysOnly: Whether there are entity types with their keys only.
    init(_ model: EdmModel, hasKeysOnly: Bool = false) {
        let names = ModelNames(model)
        let types = model.schemas.flatMap(\.types).filter { !hasKeysOnly || $0.kind == .entity }
        boxes = types.map { Self.box($0, names, hasKeysOnly: hasKeysOnly) }
        if !hasKeysOnly { boxes += model.schemas.flatMap(\.enumTypes).map { Self.box($0, names) } }
        let places = Dictionary(types.indices.map { (types[$0].name, $0) }) { first, _ in first }
        for (derived, type) in types.enumerated() {
            guard let base = type.baseType.flatMap({ places[$0] }) else { continue }
            inheritances.append(Inheritance(derived: derived, base: base))
        }
        addNavigation(of: types, places)
    }

    private static func box(
        _ type: EdmStructuredTypeDeclaration, _ names: ModelNames, hasKeysOnly: Bool
    ) -> Box {
        let marks = [
            type.kind == .complex ? "complex" : nil, type.isAbstract ? "abstract" : nil, type.isOpen ? "open" : nil,
            type.hasStream ? "media" : nil,
        ]
        let attributes = type.propertiesKeysFirst.map { property in
            Attribute(
                name: property.name, type: names.text(property, hasFacets: false),
                isKey: type.key.contains(property.name))
        }
        return Box(
            title: names.name(type.name), isEntityType: type.kind == .entity, marks: marks.compactMap { $0 },
            properties: hasKeysOnly ? attributes.filter(\.isKey) : attributes)
    }

    private static func box(_ type: EdmEnumType, _ names: ModelNames) -> Box {
        let members = type.members.map { Attribute(name: $0.name, type: nil, isKey: false) }
        return Box(title: names.name(type.name), isEntityType: false, marks: ["enumeration"], properties: members)
    }
}

// MARK: - Relations

extension EntityDiagram {
    /// A navigation property of a type.
    private struct Step: Hashable {
        var box: Int
        var navigation: String
    }

    private mutating func addNavigation(
        of types: [EdmStructuredTypeDeclaration], _ places: [EdmQualifiedName: Int]
    ) {
        var told: Set<Step> = []
        for (box, type) in types.enumerated() {
            for navigation in type.navigationProperties {
                guard let target = places[navigation.target],
                    told.insert(Step(box: box, navigation: navigation.name)).inserted
                else { continue }
                let back = types[target].navigationProperties.partner(of: navigation) { $0.target == type.name }
                // One that leads elsewhere, as that of a base type does, is a relationship of its own.
                let partner = back.flatMap { back in
                    back.target == type.name && told.insert(Step(box: target, navigation: back.name)).inserted
                        ? back : nil
                }
                relationships.append(Self.relationship(box, navigation, target, partner))
            }
        }
    }

    private static func relationship(
        _ box: Int, _ navigation: EdmNavigationProperty, _ target: Int, _ partner: EdmNavigationProperty?
    ) -> Relationship {
        let near = End(box: box, navigation: navigation.name, multiplicity: partner.map(multiplicity))
        let far = End(box: target, navigation: partner?.name, multiplicity: multiplicity(navigation))
        guard let partner, partner.containsTarget, !navigation.containsTarget else {
            return Relationship(from: near, to: far, isContainment: navigation.containsTarget)
        }
        return Relationship(from: far, to: near, isContainment: true)
    }

    private static func multiplicity(_ navigation: EdmNavigationProperty) -> String {
        navigation.isCollection ? "*" : navigation.isNullable ? "0..1" : "1"
    }
}
