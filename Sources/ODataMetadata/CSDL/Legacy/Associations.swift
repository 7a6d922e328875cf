import ODataModel

/// The associations of a document of V1–V3, which navigation properties and association sets refer to.
///
/// [MC-CSDL, section 2.1.13: Association]
struct Associations {
    struct End {
        var type: EdmQualifiedName
        var multiplicity: String
        var deletes: Bool

        var isCollection: Bool { multiplicity.hasSuffix("*") }
    }

    /// Properties of the dependent end equal properties of the principal end, pair by pair.
    struct Constraint {
        var principalRole: String
        var principal: [String]
        var dependentRole: String
        var dependent: [String]
    }

    struct Association {
        var ends: [String: End] = [:]
        var constraint: Constraint?
        /// SAP's attributes, which its navigation properties get.
        var annotations: [EdmAnnotation] = []
    }

    private var associations: [EdmQualifiedName: Association] = [:]

    subscript(name: EdmQualifiedName) -> Association? { associations[name] }

    mutating func add(_ schemas: [XMLTree], names: CSDLNames) {
        for schema in schemas {
            for element in schema.children where element.name == "Association" {
                let name = EdmQualifiedName(namespace: schema["Namespace"] ?? "", name: element["Name"] ?? "")
                associations[name] = Self.association(element, names: names)
            }
        }
    }

    private static func association(_ element: XMLTree, names: CSDLNames) -> Association {
        var association = Association()
        association.annotations = sapAnnotations(of: element)
        for end in element.children(named: "End") {
            let type = names.qualified(end["Type"] ?? "")
            let deletes = end.children(named: "OnDelete").contains { $0["Action"] == "Cascade" }
            association.ends[end["Role"] ?? type.name] = End(
                type: type, multiplicity: end["Multiplicity"] ?? "*", deletes: deletes)
        }
        if let constraint = element.children.first(where: { $0.name == "ReferentialConstraint" }),
            let principal = constraint.children.first(where: { $0.name == "Principal" }),
            let dependent = constraint.children.first(where: { $0.name == "Dependent" })
        {
            association.constraint = Constraint(
                principalRole: principal["Role"] ?? "", principal: properties(principal),
                dependentRole: dependent["Role"] ?? "", dependent: properties(dependent))
        }
        return association
    }

    /// `sap:content-version="1"`
    static func sapAnnotations(of element: XMLTree) -> [EdmAnnotation] {
        element.qualified.filter { $0.namespace == XMLTree.sap }
            .map { EdmAnnotation(term: EdmAnnotation.sap($0.name), value: .string($0.value)) }
    }

    private static func properties(_ element: XMLTree) -> [String] {
        element.children(named: "PropertyRef").compactMap { $0["Name"] }
    }
}

/// A navigation property as V1–V3 declare it: from one end of an association to the other.
struct LegacyNavigation: Hashable {
    var owner: EdmQualifiedName
    var name: String
    var association: EdmQualifiedName
    var fromRole: String
    var toRole: String
}
