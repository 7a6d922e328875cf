import ODataModel

/// An association of V2: for a navigation property and its partner, if it has one.
struct V2Association {
    struct End {
        var role: String
        var type: EdmQualifiedName
        /// `1`, `0..1`, `*`
        var multiplicity: String
    }

    let namespace: String
    let name: String
    private let source: EdmStructuredType
    private let navigation: EdmNavigationProperty
    private let partner: EdmNavigationProperty?
    private let ends: (from: End, to: End)

    /// The associations of all navigation properties of entity types, in the order of the model.
    static func all(of model: EdmModel) -> [V2Association] {
        var associations: [V2Association] = []
        for declaration in model.schemas.flatMap(\.types) where declaration.kind == .entity {
            guard let type = model.structuredType(named: declaration.name) else { continue }
            for navigation in declaration.navigationProperties {
                guard let target = model.target(of: navigation), target.kind == .entity,
                    use(of: navigation, type: type, in: associations) == nil
                else { continue }
                associations.append(V2Association(navigation, from: type, to: target))
            }
        }
        return associations
    }

    /// The association that a navigation property of `type` refers to, with its roles.
    static func use(
        of navigation: EdmNavigationProperty, type: EdmStructuredType, in associations: [V2Association]
    ) -> (association: V2Association, from: String, to: String)? {
        for association in associations {
            let ends = association.ends
            if association.source.name == type.name, association.navigation.name == navigation.name {
                return (association, ends.from.role, ends.to.role)
            }
            if association.partner?.name == navigation.name, ends.to.type == type.name,
                association.source.name == navigation.target
            {
                return (association, ends.to.role, ends.from.role)
            }
        }
        return nil
    }

    private init(_ navigation: EdmNavigationProperty, from source: EdmStructuredType, to target: EdmStructuredType) {
        let partner = navigation.partner.flatMap { target.navigationProperty(named: $0) }
        self.navigation = navigation
        self.source = source
        self.partner = partner
        namespace = source.name.namespace
        name = "\(source.name.name)_\(navigation.name)"
        let back = partner.map(Self.multiplicity) ?? (navigation.isCollection ? "0..1" : "*")
        ends = (
            End(role: "\(name)_Source", type: source.name, multiplicity: back),
            End(role: "\(name)_Target", type: target.name, multiplicity: Self.multiplicity(of: navigation))
        )
    }

    private static func multiplicity(of navigation: EdmNavigationProperty) -> String {
        navigation.isCollection ? "*" : navigation.isNullable ? "0..1" : "1"
    }

    func write(to text: inout XMLText) {
        text.element("Association", ["Name": name]) { text in
            for end in [ends.from, ends.to] {
                text.element(
                    "End", ["Type": "\(end.type)", "Role": end.role, "Multiplicity": end.multiplicity])
            }
            if !navigation.constraints.isEmpty {
                constraint(navigation.constraints, principal: ends.to, dependent: ends.from, to: &text)
            } else if let partner, !partner.constraints.isEmpty {
                constraint(partner.constraints, principal: ends.from, dependent: ends.to, to: &text)
            }
        }
    }

    private func constraint(
        _ constraints: [EdmNavigationProperty.Constraint], principal: End, dependent: End, to text: inout XMLText
    ) {
        text.element("ReferentialConstraint") { text in
            text.element("Principal", ["Role": principal.role]) { text in
                for item in constraints { text.element("PropertyRef", ["Name": item.referencedProperty]) }
            }
            text.element("Dependent", ["Role": dependent.role]) { text in
                for item in constraints { text.element("PropertyRef", ["Name": item.property]) }
            }
        }
    }

    /// An association set for each entity set that the association starts at: of its type, of one that derives from it,
    /// or of one that it derives from.
    func writeSets(of model: EdmModel, to text: inout XMLText) {
        for set in model.entitySets
        where set.kind == .entitySet && (set.type.isKind(of: source) || source.isKind(of: set.type)) {
            let type = source.isKind(of: set.type) ? source : set.type
            guard let target = model.targetSet(of: navigation, from: set, as: type) else { continue }
            text.element("AssociationSet", ["Name": "\(name)_\(set.name)", "Association": "\(namespace).\(name)"]) {
                $0.element("End", ["Role": ends.from.role, "EntitySet": set.name])
                $0.element("End", ["Role": ends.to.role, "EntitySet": target.name])
            }
        }
    }
}
