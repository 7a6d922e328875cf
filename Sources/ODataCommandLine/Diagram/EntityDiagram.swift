import OData

/// The entity types of a model with their relations, as something that can be drawn.
struct EntityDiagram {
    /// An entity type.
    struct Box {
        /// Its name, with the namespace where another type has the same.
        var title: String
        /// `abstract`, `open`, `media`
        var marks: [String]
        /// Key properties first.
        var properties: [Attribute]
    }

    struct Attribute {
        var name: String
        /// `Int32`, `String?`, `Address[]`
        var type: String
        var isKey: Bool
    }

    /// A navigation property, or two that are partners of each other.
    struct Relation {
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
        /// How many entities of this box belong to one of the other end: `1`, `0..1`, `*`; nil if nobody says.
        var multiplicity: String?
    }

    /// Positions in ``boxes``: the first type derives from the second.
    struct Inheritance {
        var derived: Int
        var base: Int
    }

    /// In the order of the document.
    private(set) var boxes: [Box] = []
    private(set) var relations: [Relation] = []
    private(set) var inheritances: [Inheritance] = []

    init(_ model: Model) {
        let types = model.schemas.flatMap(\.types).filter { $0.kind == .entity }
        let names = Dictionary(types.map { ($0.name.name, 1) }, uniquingKeysWith: +)
        boxes = types.map { type in
            Self.box(type, title: names[type.name.name] == 1 ? type.name.name : type.name.description)
        }
        let places = Dictionary(types.indices.map { (types[$0].name, $0) }) { first, _ in first }
        for (derived, type) in types.enumerated() {
            guard let base = type.baseType.flatMap({ places[$0] }) else { continue }
            inheritances.append(Inheritance(derived: derived, base: base))
        }
        addRelations(of: types, places)
    }

    private static func box(_ type: StructuredTypeDeclaration, title: String) -> Box {
        let marks = [
            type.isAbstract ? "abstract" : nil, type.isOpen ? "open" : nil, type.hasStream ? "media" : nil,
        ]
        let attributes = type.properties.map { property in
            Attribute(name: property.name, type: name(of: property), isKey: type.key.contains(property.name))
        }
        return Box(
            title: title, marks: marks.compactMap { $0 },
            properties: attributes.filter(\.isKey) + attributes.filter { !$0.isKey })
    }

    private static func name(of property: Property) -> String {
        let name =
            property.namedType?.name
            ?? {
                switch property.type.element {
                case .primitive(let type): type.rawValue
                case .enumeration(let name), .complex(let name), .entity(let name): name.name
                case .collection(let element): element.description
                }
            }()
        if property.type.isCollection { return "\(name)[]" }
        return property.isNullable ? "\(name)?" : name
    }
}

// MARK: - Relations

extension EntityDiagram {
    /// A navigation property of an entity type.
    private struct Step: Hashable {
        var box: Int
        var navigation: String
    }

    private mutating func addRelations(
        of types: [StructuredTypeDeclaration], _ places: [QualifiedName: Int]
    ) {
        var told: Set<Step> = []
        for (box, type) in types.enumerated() {
            for navigation in type.navigationProperties {
                guard let target = places[navigation.target],
                    told.insert(Step(box: box, navigation: navigation.name)).inserted
                else { continue }
                let back = types[target].navigationProperties.partner(of: navigation) { $0.target == type.name }
                // One that leads elsewhere, as that of a base type does, is a relation of its own.
                let partner = back.flatMap { back in
                    back.target == type.name && told.insert(Step(box: target, navigation: back.name)).inserted
                        ? back : nil
                }
                relations.append(Self.relation(box, navigation, target, partner))
            }
        }
    }

    private static func relation(
        _ box: Int, _ navigation: NavigationProperty, _ target: Int, _ partner: NavigationProperty?
    ) -> Relation {
        let near = End(box: box, navigation: navigation.name, multiplicity: partner.map(multiplicity))
        let far = End(box: target, navigation: partner?.name, multiplicity: multiplicity(navigation))
        guard let partner, partner.containsTarget, !navigation.containsTarget else {
            return Relation(from: near, to: far, isContainment: navigation.containsTarget)
        }
        return Relation(from: far, to: near, isContainment: true)
    }

    private static func multiplicity(_ navigation: NavigationProperty) -> String {
        navigation.isCollection ? "*" : navigation.isNullable ? "0..1" : "1"
    }
}
