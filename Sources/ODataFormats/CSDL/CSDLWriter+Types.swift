import ODataModel

extension CSDLWriter {
    mutating func write(_ type: StructuredTypeDeclaration) {
        let attributes = [
            ("Name", type.name.name), ("BaseType", type.baseType?.description),
            ("Abstract", type.isAbstract ? "true" : nil), ("OpenType", type.isOpen ? "true" : nil),
            ("HasStream", type.hasStream ? "true" : nil),
        ]
        element(type.kind == .entity ? "EntityType" : "ComplexType", attributes) { writer in
            if !type.key.isEmpty {
                writer.element("Key") { writer in
                    for name in type.key { writer.element("PropertyRef", [("Name", name)]) }
                }
            }
            for property in type.properties { writer.write(property) }
            for navigation in type.navigationProperties { writer.write(navigation) }
            writer.write(type.annotations)
        }
    }

    private mutating func write(_ property: Property) {
        let scale: String? =
            switch property.scale {
            case .fixed(let digits): "\(digits)"
            case .variable: "variable"
            case .floating: "floating"
            case nil: nil
            }
        let attributes = [
            ("Name", property.name), ("Type", "\(property.type)"), ("Nullable", property.isNullable ? nil : "false"),
            ("MaxLength", property.maxLength.map(String.init)), ("Precision", property.precision.map(String.init)),
            ("Scale", scale), ("DefaultValue", property.defaultValue),
        ]
        guard !property.annotations.isEmpty else { return element("Property", attributes) }
        element("Property", attributes) { $0.write(property.annotations) }
    }

    private mutating func write(_ navigation: NavigationProperty) {
        let type = navigation.isCollection ? "Collection(\(navigation.target))" : "\(navigation.target)"
        let attributes = [
            ("Name", navigation.name), ("Type", type), ("Nullable", navigation.isNullable ? nil : "false"),
            ("Partner", navigation.partner), ("ContainsTarget", navigation.containsTarget ? "true" : nil),
        ]
        guard !navigation.constraints.isEmpty || !navigation.annotations.isEmpty else {
            return element("NavigationProperty", attributes)
        }
        element("NavigationProperty", attributes) { writer in
            for constraint in navigation.constraints {
                writer.element(
                    "ReferentialConstraint",
                    [("Property", constraint.property), ("ReferencedProperty", constraint.referencedProperty)])
            }
            writer.write(navigation.annotations)
        }
    }
}
