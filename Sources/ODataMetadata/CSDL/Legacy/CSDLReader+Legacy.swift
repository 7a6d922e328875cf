import ODataModel

extension CSDLReader {
    /// `<NavigationProperty Name="Category" Relationship="Model.Product_Category" FromRole="P" ToRole="C"/>`
    mutating func legacyNavigationProperty(_ element: XMLTree, of owner: EdmQualifiedName) -> EdmNavigationProperty? {
        let name = name(of: element)
        let relationship = names.qualified(element["Relationship"] ?? "")
        guard let association = associations[relationship] else {
            note("\(name) is of the association \(relationship), which is not declared.", at: element)
            return nil
        }
        let fromRole = element["FromRole"] ?? ""
        let toRole = element["ToRole"] ?? ""
        guard let end = association.ends[toRole] else {
            note("\(relationship) has no end \(toRole), to which \(name) leads.", at: element)
            return nil
        }
        var navigation = EdmNavigationProperty(
            name: name, target: end.type, isCollection: end.isCollection,
            isNullable: end.isCollection || end.multiplicity != "1",
            containsTarget: element.flag("ContainsTarget") ?? false, annotations: annotations(of: element))
        navigation.annotations.add(association.annotations)
        if let constraint = association.constraint, constraint.dependentRole == fromRole {
            navigation.constraints = zip(constraint.dependent, constraint.principal).map {
                .init(property: $0, referencedProperty: $1)
            }
        }
        // The action of an end says what becomes of the other end's entities when one of its own is deleted.
        if association.ends[fromRole]?.deletes == true { navigation.onDelete = .init(action: "Cascade") }
        legacyNavigations.append(
            LegacyNavigation(
                owner: owner, name: name, association: relationship, fromRole: fromRole, toRole: toRole))
        return navigation
    }

    /// Adds what V1–V3 say elsewhere: partners, bindings, operations.
    mutating func completeLegacy(_ schemas: inout [EdmSchema], _ elements: [XMLTree]) {
        legacyNavigationsByAssociation = Dictionary(grouping: legacyNavigations, by: \.association)
        for type in schemas.flatMap(\.types) { legacyBases[type.name] = type.baseType }
        setPartners(&schemas)
        let containers = elements.flatMap { schema in
            schema.children(named: "EntityContainer").filter { $0["Name"]?.isEmpty == false }
                .map { (schema["Namespace"] ?? "", $0) }
        }
        for (namespace, container) in containers {
            guard let index = schemas.firstIndex(where: { $0.namespace == namespace }) else { continue }
            for child in container.children {
                switch child.name {
                case "AssociationSet": bind(child, container: container["Name"] ?? "", in: &schemas[index])
                case "FunctionImport": functionImport(child, into: &schemas[index])
                default: break
                }
            }
        }
    }

    /// The navigation property at the other end of the same association.
    private func setPartners(_ schemas: inout [EdmSchema]) {
        var partners: [String: String] = [:]
        for navigation in legacyNavigations {
            let candidates = (legacyNavigationsByAssociation[navigation.association] ?? []).filter {
                $0.fromRole == navigation.toRole && $0.toRole == navigation.fromRole && $0 != navigation
            }
            let target = associations[navigation.association]?.ends[navigation.toRole]?.type
            guard let partner = candidates.first, partner.owner == target else { continue }
            partners["\(navigation.owner)/\(navigation.name)"] = partner.name
        }
        for schema in schemas.indices {
            for type in schemas[schema].types.indices {
                let owner = schemas[schema].types[type].name
                for index in schemas[schema].types[type].navigationProperties.indices {
                    let name = schemas[schema].types[type].navigationProperties[index].name
                    schemas[schema].types[type].navigationProperties[index].partner = partners["\(owner)/\(name)"]
                }
            }
        }
    }

    /// `<AssociationSet Association="Model.A"><End Role="P" EntitySet="Products"/><End …/></AssociationSet>`
    private mutating func bind(_ element: XMLTree, container: String, in schema: inout EdmSchema) {
        let association = names.qualified(name(of: element, "Association"))
        var sets: [String: String] = [:]
        for end in element.children(named: "End") {
            guard hasName(end, "EntitySet"), let set = end["EntitySet"] else { continue }
            let roles = associations[association]?.ends.keys.sorted() ?? []
            // An end without a role is the one whose type fits.
            let role = end["Role"] ?? roles.first { sets[$0] == nil }
            if let role { sets[role] = set }
        }
        if associations[association] == nil {
            note(
                "\(element["Name"] ?? "A set") is of the association \(association), which is not declared.",
                at: element)
        }
        for navigation in legacyNavigationsByAssociation[association] ?? [] {
            guard let from = sets[navigation.fromRole], let to = sets[navigation.toRole],
                let index = schema.entitySets.firstIndex(where: { $0.name == from })
            else {
                let set = sets[navigation.fromRole] ?? "a set that it does not name"
                note("\(name(of: element)) binds \(navigation.name) of \(set), which is not declared.", at: element)
                continue
            }
            let isOwn = isBase(navigation.owner, of: schema.entitySets[index].type)
            let path = isOwn ? navigation.name : "\(navigation.owner)/\(navigation.name)"
            if let first = schema.entitySets[index].bindings[path], first != to {
                note("\(from) binds \(path) to \(first) and again to \(to).", at: element)
            } else {
                schema.entitySets[index].bindings[path] = to
            }
            let sap = Associations.sapAnnotations(of: element)
            if !sap.isEmpty {
                let target = "\(schema.namespace).\(container)/\(from)/\(path)"
                let leftOut = schema.targetedAnnotations.add(sap, to: target)
                tell(leftOut, appliedTwiceTo: target, at: element.place)
            }
        }
    }

    /// Whether `base` is `type` or one of its base types.
    private func isBase(_ base: EdmQualifiedName, of type: EdmQualifiedName) -> Bool {
        var next: EdmQualifiedName? = type
        var steps = 0
        while let current = next, steps < 100 {
            if current == base { return true }
            next = legacyBases[current]
            steps += 1
        }
        return false
    }
}
