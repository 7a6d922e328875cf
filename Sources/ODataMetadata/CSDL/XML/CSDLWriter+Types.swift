import ODataModel

extension CSDLWriter {
    mutating func write(_ type: EdmEnumType) {
        let underlying = type.underlyingType == .int32 ? nil : "Edm.\(type.underlyingType.rawValue)"
        let attributes = [
            ("Name", type.name.name), ("UnderlyingType", underlying), ("IsFlags", type.isFlags ? "true" : nil),
        ]
        element("EnumType", attributes) { writer in
            for member in type.members {
                writer.element("Member", [("Name", member.name), ("Value", "\(member.value)")]) {
                    $0.write(member.annotations)
                }
            }
            writer.write(type.annotations)
        }
    }

    mutating func write(_ type: EdmTypeDefinition) {
        let attributes: Attributes = [
            ("Name", type.name.name), ("UnderlyingType", "Edm.\(type.underlyingType.rawValue)"),
        ]
        element("TypeDefinition", attributes + facets(type.facets)) { $0.write(type.annotations) }
    }

    mutating func write(_ type: EdmStructuredTypeDeclaration) {
        let attributes = [
            ("Name", type.name.name), ("BaseType", type.baseType?.description),
            ("Abstract", type.isAbstract ? "true" : nil), ("OpenType", type.isOpen ? "true" : nil),
            ("HasStream", type.hasStream ? "true" : nil),
        ]
        element(type.kind == .entity ? "EntityType" : "ComplexType", attributes) { writer in
            if !type.key.isEmpty {
                writer.element("Key") { writer in
                    for name in type.key {
                        writer.element("PropertyRef", [("Name", name), ("Alias", type.keyAliases[name])])
                    }
                }
            }
            for property in type.properties { writer.write(property) }
            for navigation in type.navigationProperties { writer.write(navigation) }
            writer.write(type.annotations)
        }
    }

    private mutating func write(_ property: EdmProperty) {
        let attributes: Attributes =
            [
                ("Name", property.name), ("Type", type(property.type, name: property.namedType)),
                ("Nullable", property.hasNullMembers ? "true" : property.isNullable ? nil : "false"),
            ] + facets(property.facets, of: property.namedType) + [("DefaultValue", property.defaultValue)]
        element("Property", attributes) { $0.write(property.annotations) }
    }

    /// `Collection(Model.Color)`; `name` stands for the type it was declared with.
    private mutating func type(_ type: EdmTypeReference, name: EdmQualifiedName?) -> String {
        if type.element.isCollection { fail("There is a collection of collections, which no reader takes.") }
        return CSDLTypeName.text(type, name: name)
    }

    /// The facets as attributes, without those that come with the type definition `name`.
    mutating func facets(_ facets: EdmFacets, of name: EdmQualifiedName? = nil) -> Attributes {
        let inherited = name.flatMap { model.typeDefinition(named: $0) }?.facets ?? EdmFacets()
        let facets = facets.without(inherited)
        if let impossible = facets.impossible { fail("There is the facet \(impossible), which no reader takes.") }
        let scale = version == .v4 && facets.scale == .floating ? .variable : facets.scale
        return [
            ("MaxLength", facets.maxLength.map(String.init)), ("Precision", facets.precision.map(String.init)),
            ("Scale", scale?.csdl), ("Unicode", facets.isUnicode.map { $0 ? "true" : "false" }), ("SRID", facets.srid),
        ]
    }

    private mutating func write(_ navigation: EdmNavigationProperty) {
        let type = navigation.isCollection ? "Collection(\(navigation.target))" : "\(navigation.target)"
        let attributes = [
            ("Name", navigation.name), ("Type", type),
            ("Nullable", navigation.isNullable || navigation.isCollection ? nil : "false"),
            ("Partner", navigation.partner), ("ContainsTarget", navigation.containsTarget ? "true" : nil),
        ]
        element("NavigationProperty", attributes) { writer in
            for constraint in navigation.constraints {
                let attributes = [
                    ("Property", constraint.property), ("ReferencedProperty", constraint.referencedProperty),
                ]
                writer.element("ReferentialConstraint", attributes) { $0.write(constraint.annotations) }
            }
            if let onDelete = navigation.onDelete {
                writer.element("OnDelete", [("Action", onDelete.action)]) { $0.write(onDelete.annotations) }
            }
            writer.write(navigation.annotations)
        }
    }

    mutating func write(_ term: EdmTerm) {
        let attributes: Attributes =
            [
                ("Name", term.name.name), ("Type", type(term.type, name: term.namedType)),
                ("BaseTerm", term.baseTerm?.description), ("DefaultValue", term.defaultValue),
                ("AppliesTo", term.appliesTo.isEmpty ? nil : term.appliesTo.joined(separator: " ")),
                ("Nullable", term.isNullable ? nil : "false"),
            ] + facets(term.facets, of: term.namedType)
        element("Term", attributes) { $0.write(term.annotations) }
    }

    mutating func write(_ operation: EdmOperationDeclaration) {
        let attributes: Attributes = [
            ("Name", operation.name.name), ("IsBound", operation.isBound ? "true" : nil),
            ("IsComposable", operation.isComposable ? "true" : nil), ("EntitySetPath", operation.entitySetPath),
        ]
        element(operation.kind == .action ? "Action" : "Function", attributes) { writer in
            for parameter in operation.parameters { writer.write(parameter) }
            if let result = operation.result { writer.write(result) }
            writer.write(operation.annotations)
        }
    }

    private mutating func write(_ parameter: EdmOperationDeclaration.Parameter) {
        let attributes: Attributes = [
            ("Name", parameter.name), ("Type", type(parameter.type, name: parameter.namedType)),
            ("Nullable", parameter.isNullable ? nil : "false"),
        ]
        element("Parameter", attributes + facets(parameter.facets, of: parameter.namedType)) {
            $0.write(parameter.annotations)
        }
    }

    private mutating func write(_ result: EdmOperationDeclaration.Result) {
        let attributes: Attributes = [
            ("Type", type(result.type, name: result.namedType)),
            ("Nullable", result.isNullable ? nil : "false"),
        ]
        element("ReturnType", attributes + facets(result.facets, of: result.namedType)) {
            $0.write(result.annotations)
        }
    }
}
