import ODataModel

extension CSDLJSONWriter {
    mutating func write(_ type: EdmEnumType) {
        json.member("$Kind", "EnumType")
        if type.underlyingType != .int32 { json.member("$UnderlyingType", "Edm.\(type.underlyingType.rawValue)") }
        if type.isFlags { json.member("$IsFlags", true) }
        for member in type.members {
            json.declared(name: member.name)
            json.literal("\(member.value)")
            write(member.annotations, of: member.name)
        }
        write(type.annotations)
    }

    mutating func write(_ type: EdmTypeDefinition) {
        json.member("$Kind", "TypeDefinition")
        json.member("$UnderlyingType", "Edm.\(type.underlyingType.rawValue)")
        write(type.facets)
        write(type.annotations)
    }

    mutating func write(_ type: EdmStructuredTypeDeclaration) {
        json.member("$Kind", type.kind == .entity ? "EntityType" : "ComplexType")
        json.member("$BaseType", type.baseType?.description)
        if type.isAbstract { json.member("$Abstract", true) }
        if type.isOpen { json.member("$OpenType", true) }
        if type.hasStream { json.member("$HasStream", true) }
        if !type.key.isEmpty {
            json.name("$Key")
            array(type.key) { writer, path in
                if let alias = type.keyAliases[path] {
                    writer.object { $0.json.member(alias, path) }
                } else {
                    writer.json.string(path)
                }
            }
        }
        for property in type.properties { declare(property.name) { $0.write(property) } }
        for navigation in type.navigationProperties { declare(navigation.name) { $0.write(navigation) } }
        write(type.annotations)
    }

    /// `"$Collection": true, "$Type": "Edm.Int32"`; Edm.String is what is meant without.
    private mutating func write(_ type: EdmTypeReference, name: EdmQualifiedName?) {
        if type.isCollection { json.member("$Collection", true) }
        if type.element.isCollection { json.fail("There is a collection of collections, which no reader takes.") }
        let text = CSDLTypeName.element(type, name: name)
        if text != "Edm.String" { json.member("$Type", text) }
    }

    private mutating func write(_ property: EdmProperty) {
        write(property.type, name: property.namedType)
        if property.isNullable { json.member("$Nullable", true) }
        write(property.facets, of: property.namedType)
        write(defaultValue: property.defaultValue, type: property.type)
        write(property.annotations)
    }

    private mutating func write(defaultValue text: String?, type: EdmTypeReference) {
        guard let text else { return }
        json.name("$DefaultValue")
        let isLiteral =
            type == .boolean
            ? text == "true" || text == "false"
            : type.primitive?.isNumeric == true && CSDLConstant.naturalNumber(text) != nil
        if isLiteral { json.literal(text) } else { json.string(text) }
    }

    /// Without the facets that come with the type definition `name`.
    mutating func write(_ facets: EdmFacets, of name: EdmQualifiedName? = nil) {
        let inherited = name.flatMap { model.typeDefinition(named: $0) }?.facets ?? EdmFacets()
        let facets = facets.without(inherited)
        if let impossible = facets.impossible { json.fail("There is the facet \(impossible), which no reader takes.") }
        json.member("$MaxLength", facets.maxLength)
        json.member("$Precision", facets.precision)
        switch facets.scale {
        case .fixed(let digits): json.member("$Scale", digits)
        case .variable, .floating: json.member("$Scale", facets.scale?.csdl)
        case nil: break
        }
        json.member("$Unicode", facets.isUnicode)
        if let srid = facets.srid, let number = Int(srid), "\(number)" == srid {
            json.member("$SRID", number)
        } else {
            json.member("$SRID", facets.srid)
        }
    }

    private mutating func write(_ navigation: EdmNavigationProperty) {
        json.member("$Kind", "NavigationProperty")
        if navigation.isCollection { json.member("$Collection", true) }
        json.member("$Type", "\(navigation.target)")
        if navigation.isNullable, !navigation.isCollection { json.member("$Nullable", true) }
        json.member("$Partner", navigation.partner)
        if navigation.containsTarget { json.member("$ContainsTarget", true) }
        if !navigation.constraints.isEmpty {
            member("$ReferentialConstraint") { writer in
                for constraint in navigation.constraints {
                    writer.json.declared(name: constraint.property)
                    writer.json.string(constraint.referencedProperty)
                    writer.write(constraint.annotations, of: constraint.property)
                }
            }
        }
        if let onDelete = navigation.onDelete {
            json.member("$OnDelete", onDelete.action)
            write(onDelete.annotations, of: "$OnDelete")
        }
        write(navigation.annotations)
    }

    mutating func write(_ term: EdmTerm) {
        json.member("$Kind", "Term")
        write(term.type, name: term.namedType)
        json.member("$BaseTerm", term.baseTerm?.description)
        if term.isNullable { json.member("$Nullable", true) }
        write(term.facets, of: term.namedType)
        write(defaultValue: term.defaultValue, type: term.type)
        if !term.appliesTo.isEmpty {
            json.name("$AppliesTo")
            array(term.appliesTo) { $0.json.string($1) }
        }
        write(term.annotations)
    }

    /// Overloads stand in one array: `"Rate": [{"$Kind": "Action", …}]`.
    mutating func write(_ operations: [EdmOperationDeclaration]) {
        var rest = operations.groupedByName()[...]
        while let first = rest.first {
            let group = rest.prefix { $0.name == first.name }
            rest = rest.dropFirst(group.count)
            json.declared(name: first.name.name)
            array(Array(group)) { writer, operation in writer.object { $0.write(operation) } }
        }
    }

    private mutating func write(_ operation: EdmOperationDeclaration) {
        json.member("$Kind", operation.kind == .action ? "Action" : "Function")
        if operation.isBound { json.member("$IsBound", true) }
        json.member("$EntitySetPath", operation.entitySetPath)
        if operation.isComposable { json.member("$IsComposable", true) }
        if !operation.parameters.isEmpty {
            json.name("$Parameter")
            array(operation.parameters) { writer, parameter in writer.object { $0.write(parameter) } }
        }
        if let result = operation.result {
            member("$ReturnType") { writer in
                writer.write(result.type, name: result.namedType)
                if result.isNullable { writer.json.member("$Nullable", true) }
                writer.write(result.facets, of: result.namedType)
                writer.write(result.annotations)
            }
        }
        write(operation.annotations)
    }

    private mutating func write(_ parameter: EdmOperationDeclaration.Parameter) {
        json.member("$Name", parameter.name)
        write(parameter.type, name: parameter.namedType)
        if parameter.isNullable { json.member("$Nullable", true) }
        write(parameter.facets, of: parameter.namedType)
        write(parameter.annotations)
    }
}
