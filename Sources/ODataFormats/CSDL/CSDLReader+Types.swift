import ODataModel

extension CSDLReader {
    mutating func structuredType(
        _ element: XMLTree, kind: StructuredTypeDeclaration.Kind, in namespace: String
    ) -> StructuredTypeDeclaration {
        var type = StructuredTypeDeclaration(
            kind: kind, name: QualifiedName(namespace: namespace, name: name(of: element)),
            baseType: baseType(of: element), isAbstract: element.flag("Abstract") ?? false,
            isOpen: element.flag("OpenType") ?? false, hasStream: element.flag("HasStream") ?? false, properties: [])
        for child in element.children {
            switch child.name {
            case "Key":
                for reference in child.children(named: "PropertyRef") { type.key.append(name(of: reference)) }
            case "Property":
                if let property = property(child) { type.properties.append(property) }
            case "NavigationProperty":
                if let navigation = navigationProperty(child) { type.navigationProperties.append(navigation) }
            case "Annotation": type.annotations.append(annotation(child))
            default: note("The element \(child.name) is not known in a type.", at: child)
            }
        }
        return type
    }

    private mutating func baseType(of element: XMLTree) -> QualifiedName? {
        guard let base = element["BaseType"].map(names.qualified) else { return nil }
        if names.kind(of: base) != nil { return base }
        if base.namespace != "Edm" { note("The base type \(base) is not declared.", at: element) }
        return nil
    }

    private mutating func property(_ element: XMLTree) -> Property? {
        let text = name(of: element, "Type")
        guard let (type, definition) = names.type(text) else {
            note("\(element["Name"] ?? "A property") is of the type \(text), which is not known.", at: element)
            return nil
        }
        func facet(_ name: String) -> String? { element[name] ?? definition?[name] }
        var property = Property(name: name(of: element), type: type, isNullable: element.flag("Nullable") ?? true)
        property.maxLength = facet("MaxLength").flatMap { Int($0) }
        property.precision = facet("Precision").flatMap { Int($0) }
        property.scale = facet("Scale").flatMap(Self.scale)
        property.defaultValue = element["DefaultValue"]
        for child in element.children {
            if child.name == "Annotation" {
                property.annotations.append(annotation(child))
            } else {
                note("The element \(child.name) is not known in a property.", at: child)
            }
        }
        return property
    }

    private static func scale(_ text: String) -> Property.Scale? {
        switch text {
        case "variable", "Variable": .variable
        case "floating": .floating
        default: Int(text).map(Property.Scale.fixed)
        }
    }

    private mutating func navigationProperty(_ element: XMLTree) -> NavigationProperty? {
        let text = name(of: element, "Type")
        let isCollection = text.hasPrefix("Collection(")
        let target = names.qualified(
            isCollection && text.hasSuffix(")") ? String(text.dropFirst("Collection(".count).dropLast()) : text)
        guard case .entity = names.kind(of: target) else {
            note("\(element["Name"] ?? "A relation") leads to \(target), which is not declared.", at: element)
            return nil
        }
        var navigation = NavigationProperty(
            name: name(of: element), target: target, isCollection: isCollection,
            isNullable: element.flag("Nullable") ?? true, partner: element["Partner"],
            containsTarget: element.flag("ContainsTarget") ?? false)
        for child in element.children {
            switch child.name {
            case "ReferentialConstraint":
                navigation.constraints.append(
                    .init(
                        property: name(of: child, "Property"),
                        referencedProperty: name(of: child, "ReferencedProperty")))
            case "Annotation": navigation.annotations.append(annotation(child))
            case "OnDelete": break
            default: note("The element \(child.name) is not known in a navigation property.", at: child)
            }
        }
        return navigation
    }
}
