import ODataModel

extension CSDLReader {
    mutating func structuredType(
        _ element: XMLTree, kind: EdmStructuredTypeDeclaration.Kind, in namespace: String
    ) -> EdmStructuredTypeDeclaration {
        let name = EdmQualifiedName(namespace: namespace, name: name(of: element))
        var type = EdmStructuredTypeDeclaration(
            kind: kind, name: name, baseType: element["BaseType"].map(names.qualified),
            isAbstract: element.flag("Abstract") ?? false, isOpen: element.flag("OpenType") ?? false,
            hasStream: element.flag("HasStream") ?? element.flag("HasStream", in: XMLTree.metadata) ?? false,
            properties: [], annotations: annotations(of: element))
        notes.declare(membersOf: "\(name)") { member in element.children.first { $0["Name"] == member }?.place }
        var members = Set<String>(minimumCapacity: element.children.count)
        for child in element.children {
            switch child.name {
            case "Key": readKey(child, into: &type)
            case "Property":
                if declare(child, in: name, &members) { type.properties.append(property(child)) }
            case "NavigationProperty":
                guard declare(child, in: name, &members) else { continue }
                if let navigation = navigationProperty(child, of: name) { type.navigationProperties.append(navigation) }
            case "Annotation", "ValueAnnotation", "TypeAnnotation", "Documentation": break
            default: unexpected(child, in: "a type")
            }
        }
        return type
    }

    /// Whether a member has a name that is new in the type `owner`.
    private mutating func declare(
        _ element: XMLTree, in owner: EdmQualifiedName, _ members: inout Set<String>
    ) -> Bool {
        let name = name(of: element)
        guard !name.isEmpty else { return false }
        guard members.insert(name).inserted else {
            note("\(owner)/\(name) is declared twice.", at: element)
            return false
        }
        return true
    }

    private mutating func readKey(_ element: XMLTree, into type: inout EdmStructuredTypeDeclaration) {
        for reference in element.children(named: "PropertyRef") where hasName(reference) {
            let path = name(of: reference)
            type.key.append(path)
            if let alias = reference["Alias"] { type.keyAliases[path] = alias }
        }
    }

    /// What `text` names; reports where it is not known.
    mutating func type(_ text: String, of what: String, at element: XMLTree) -> CSDLNames.NamedType {
        let named = names.type(text)
        if !named.isKnown {
            let name = named.name.map { "\($0)" } ?? text
            note("\(what) is of the type \(name), which is not known.", at: element)
        }
        if named.legacy != nil, !version.isLegacy {
            note("\(what) is of the type \(text), which V4 does not have.", at: element)
        }
        if named.isNested { note("\(what) is of \(CSDLNames.nestedCollection).", at: element) }
        return named
    }

    /// `Type="Collection(Edm.String)"`; V3 had a `TypeRef` element and `CollectionKind` too.
    private mutating func typeText(_ element: XMLTree) -> String {
        var text = element["Type"] ?? ""
        if text.isEmpty, let child = element.children.first(where: { $0.name == "TypeRef" }) {
            text = child["Type"] ?? ""
        }
        if text.isEmpty { text = name(of: element, "Type") }
        if version.isLegacy, let kind = element["CollectionKind"], kind != "None" { text = "Collection(\(text))" }
        return text
    }

    private mutating func property(_ element: XMLTree) -> EdmProperty {
        let name = name(of: element)
        let named = type(typeText(element), of: name, at: element)
        var property = EdmProperty(
            name: name, type: named.type, isNullable: element.flag("Nullable") ?? true,
            defaultValue: element["DefaultValue"], annotations: annotations(of: element))
        property.hasNullMembers = named.type.isCollection && element.flag("Nullable") == true
        property.namedType = named.name
        property.facets = facets(of: element).completed(by: named.facets)
        if let legacy = named.legacy, version.isLegacy {
            property.annotations.add([EdmAnnotation(term: EdmAnnotation.legacyType, value: .string(legacy))])
        }
        for child in element.children where !child.isAnnotation && (child.name != "TypeRef" || element["Type"] != nil) {
            unexpected(child, in: "a property")
        }
        return property
    }

    mutating func facets(of element: XMLTree) -> EdmFacets {
        EdmFacets(
            maxLength: number(element, "MaxLength"), precision: number(element, "Precision"),
            scale: element["Scale"].flatMap { EdmProperty.Scale(csdl: $0) }, isUnicode: element.flag("Unicode"),
            srid: element["SRID"].map { $0 == "Variable" ? "variable" : $0 })
    }

    /// `max` and what is not a number set no limit.
    private mutating func number(_ element: XMLTree, _ attribute: String) -> Int? {
        guard let text = element[attribute] else { return nil }
        if let number = Int(text), number >= 0 { return number }
        if text.isEmpty || text.lowercased() == "max" { return nil }
        note("\(text) is not a value for \(attribute).", at: element)
        return nil
    }

    private mutating func navigationProperty(_ element: XMLTree, of owner: EdmQualifiedName) -> EdmNavigationProperty? {
        let name = name(of: element)
        if version.isLegacy, element["Relationship"] != nil { return legacyNavigationProperty(element, of: owner) }
        let text = self.name(of: element, "Type")
        let target = CSDLNames.element(of: text)
        var navigation = EdmNavigationProperty(
            name: name, target: names.qualified(target ?? text), isCollection: target != nil,
            isNullable: target != nil || (element.flag("Nullable") ?? true),
            partner: element["Partner"].map { names.path($0) }, containsTarget: element.flag("ContainsTarget") ?? false,
            annotations: annotations(of: element))
        if target != nil, element["Nullable"] != nil, !version.isLegacy {
            note("The attribute Nullable has no place in a navigation property to many.", at: element)
        }
        for child in element.children {
            switch child.name {
            case "ReferentialConstraint":
                guard hasName(child, "Property"), hasName(child, "ReferencedProperty") else { continue }
                navigation.constraints.append(
                    .init(
                        property: self.name(of: child, "Property"),
                        referencedProperty: self.name(of: child, "ReferencedProperty"),
                        annotations: annotations(of: child)))
            case "OnDelete" where navigation.onDelete == nil:
                navigation.onDelete = .init(action: child["Action"] ?? "None", annotations: annotations(of: child))
            default: if !child.isAnnotation { unexpected(child, in: "a navigation property") }
            }
        }
        return navigation
    }

    mutating func enumType(_ element: XMLTree, in namespace: String) -> EdmEnumType {
        let name = EdmQualifiedName(namespace: namespace, name: name(of: element))
        var members: [EdmEnumType.Member] = []
        var names: Set<String> = []
        for child in element.children {
            guard child.name == "Member" else {
                if !child.isAnnotation { unexpected(child, in: "an enumeration type") }
                continue
            }
            guard declare(child, in: name, &names) else { continue }
            let next = (members.last?.value ?? -1).addingReportingOverflow(1).partialValue
            var value = next
            if let text = child["Value"] {
                if let number = Int64(text) {
                    value = number
                } else {
                    note("\(text) is not a value for a member.", at: child)
                }
            }
            members.append(.init(name: self.name(of: child), value: value, annotations: annotations(of: child)))
        }
        let underlying = element["UnderlyingType"].flatMap { EdmPrimitiveType(rawValue: EdmQualifiedName($0).name) }
        return EdmEnumType(
            name: name, underlyingType: underlying ?? .int32, isFlags: element.flag("IsFlags") ?? false,
            members: members, annotations: annotations(of: element))
    }

    /// A type definition while names are collected; reports what is wrong with its facets.
    mutating func declaredDefinition(
        _ element: XMLTree, named name: EdmQualifiedName
    ) -> CSDLNames.DeclaredDefinition {
        .init(name: name, underlyingType: element["UnderlyingType"] ?? "Edm.String", facets: facets(of: element))
    }

    mutating func typeDefinition(_ element: XMLTree, in namespace: String) -> EdmTypeDefinition {
        let name = EdmQualifiedName(namespace: namespace, name: name(of: element))
        let noted = notes
        let declared = declaredDefinition(element, named: name)
        notes = noted  // what there is to say of the facets was said when the names were collected
        if hasName(element, "UnderlyingType"), let problem = names.problem(of: declared) { note(problem, at: element) }
        var definition = names.definition(declared)
        definition.annotations = annotations(of: element)
        return definition
    }

    mutating func term(_ element: XMLTree, in namespace: String) -> EdmTerm {
        let name = EdmQualifiedName(namespace: namespace, name: name(of: element))
        let named = type(element["Type"] ?? "Edm.String", of: name.name, at: element)
        return EdmTerm(
            name: name, type: named.type, namedType: named.name, isNullable: element.flag("Nullable") ?? true,
            facets: facets(of: element).completed(by: named.facets), defaultValue: element["DefaultValue"],
            baseTerm: element["BaseTerm"].map(names.qualified),
            appliesTo: element["AppliesTo"]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? [],
            annotations: annotations(of: element))
    }
}

extension XMLTree {
    var isAnnotation: Bool {
        switch name {
        case "Annotation", "Documentation", "ValueAnnotation", "TypeAnnotation": true
        default: !isCSDL
        }
    }

    /// A Boolean attribute of a namespace.
    func flag(_ attribute: String, in namespace: String) -> Bool? {
        self[attribute, in: namespace].flatMap { ["true": true, "1": true, "false": false, "0": false][$0] }
    }
}
