import ODataModel

extension CSDLJSONReader {
    mutating func structuredType(
        _ object: CSDLJSONObject, named name: EdmQualifiedName, kind: EdmStructuredTypeDeclaration.Kind
    ) -> EdmStructuredTypeDeclaration {
        var type = EdmStructuredTypeDeclaration(
            kind: kind, name: name, baseType: object.string("$BaseType").map(names.qualified),
            isAbstract: object.flag("$Abstract"), isOpen: object.flag("$OpenType"),
            hasStream: object.flag("$HasStream"), properties: [], annotations: annotations(of: object))
        for part in object["$Key"]?.elements ?? [] {
            if let path = part.string {
                type.key.append(path)
            } else if part.members?.count == 1, let member = part.members?.first, let path = member.node.string {
                type.key.append(path)
                type.keyAliases[path] = member.name
            } else {
                note("A part of the key of \(name) is neither a path nor an alias with its path.", at: part.offset)
            }
        }
        let lines = lines
        check(object, as: .structuredType)
        notes.declare(membersOf: "\(name)") { member in
            object.members.first { $0.name == member }.map { lines.place($0.offset) }
        }
        for child in declarations(of: object) {
            guard let member = CSDLJSONObject(child.node) else {
                note("\(child.name) is not known in a type.", at: child.offset)
                continue
            }
            if member.string("$Kind") == "NavigationProperty" {
                type.navigationProperties.append(navigationProperty(member, named: child.name))
                continue
            }
            if let kind = member.string("$Kind"), kind != "Property" {
                note("\(kind), the kind of \(child.name), is not known.", at: child.offset)
            }
            type.properties.append(property(member, named: child.name))
        }
        return type
    }

    /// `"$Type": "Edm.Int32", "$Collection": true`; without `$Type` it is Edm.String.
    mutating func type(_ object: CSDLJSONObject, of what: String) -> CSDLNames.NamedType {
        let text = object.string("$Type") ?? "Edm.String"
        var named = names.type(text)
        if !named.isKnown {
            note("\(what) is of the type \(named.name.map { "\($0)" } ?? text), which is not known.", at: object.offset)
        }
        if named.legacy != nil { note("\(what) is of the type \(text), which V4 does not have.", at: object.offset) }
        if named.isNested || object.flag("$Collection") && named.type.isCollection {
            note("\(what) is of \(CSDLNames.nestedCollection).", at: object.offset)
        }
        if object.flag("$Collection"), !named.type.isCollection { named.type = .collection(named.type) }
        return named
    }

    func facets(_ object: CSDLJSONObject) -> EdmFacets {
        func number(_ name: String) -> Int? {
            object[name]?.integer.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 }
        }
        let scale = object.string("$Scale") ?? object["$Scale"]?.integer.map { "\($0)" }
        return EdmFacets(
            maxLength: number("$MaxLength"), precision: number("$Precision"),
            scale: scale.flatMap { EdmProperty.Scale(csdl: $0) }, isUnicode: object["$Unicode"]?.boolean,
            srid: object.string("$SRID") ?? object["$SRID"]?.integer.map { "\($0)" })
    }

    private mutating func property(_ object: CSDLJSONObject, named name: String) -> EdmProperty {
        let named = type(object, of: name)
        var property = EdmProperty(
            name: name, type: named.type, isNullable: object.flag("$Nullable"),
            defaultValue: object["$DefaultValue"]?.literal, annotations: annotations(of: object))
        check(object, as: .property)
        property.hasNullMembers = named.type.isCollection && property.isNullable
        property.namedType = named.name
        property.facets = facets(object).completed(by: named.facets)
        return property
    }

    private mutating func navigationProperty(_ object: CSDLJSONObject, named name: String) -> EdmNavigationProperty {
        let isCollection = object.flag("$Collection")
        check(object, as: .navigationProperty)
        if isCollection, let node = object["$Nullable"] {
            note("$Nullable has no place in a navigation property to many.", at: node.offset)
        }
        if object["$Type"] == nil { note("\(name) has no $Type.", at: object.offset) }
        var navigation = EdmNavigationProperty(
            name: name, target: names.qualified(object.string("$Type") ?? ""), isCollection: isCollection,
            isNullable: isCollection || object.flag("$Nullable"),
            partner: object.string("$Partner").map { names.path($0) },
            containsTarget: object.flag("$ContainsTarget"), annotations: annotations(of: object))
        if let constraints = object["$ReferentialConstraint"].flatMap(CSDLJSONObject.init) {
            for constraint in constraints.children {
                navigation.constraints.append(
                    .init(
                        property: constraint.name, referencedProperty: constraint.node.string ?? "",
                        annotations: annotations(constraints.annotations(of: constraint.name))))
            }
        }
        if let action = object.string("$OnDelete") {
            navigation.onDelete = .init(
                action: action, annotations: annotations(object.annotations(of: "$OnDelete")))
        }
        return navigation
    }

    mutating func enumType(_ object: CSDLJSONObject, named name: EdmQualifiedName) -> EdmEnumType {
        check(object, as: .enumType)
        var members: [EdmEnumType.Member] = []
        for child in declarations(of: object) {
            let next = (members.last?.value ?? -1).addingReportingOverflow(1).partialValue
            let value = child.node.integer ?? child.node.string.flatMap { Int64($0) }
            if value == nil { note("The member \(child.name) has no number.", at: child.offset) }
            members.append(
                .init(
                    name: child.name, value: value ?? next,
                    annotations: annotations(object.annotations(of: child.name))))
        }
        let text = object.string("$UnderlyingType")
        let underlying = text.flatMap { EdmPrimitiveType(rawValue: EdmQualifiedName($0).name) }
        if let text, underlying?.isNumeric != true {
            note("\(text) is not a value for $UnderlyingType of \(name).", at: object.offset)
        }
        return EdmEnumType(
            name: name, underlyingType: underlying ?? .int32, isFlags: object.flag("$IsFlags"), members: members,
            annotations: annotations(of: object))
    }

    func declaredDefinition(_ object: CSDLJSONObject, named name: EdmQualifiedName) -> CSDLNames.DeclaredDefinition {
        let underlying = object.string("$UnderlyingType") ?? "Edm.String"
        return .init(name: name, underlyingType: underlying, facets: facets(object))
    }

    mutating func typeDefinition(_ object: CSDLJSONObject, named name: EdmQualifiedName) -> EdmTypeDefinition {
        let declared = declaredDefinition(object, named: name)
        check(object, as: .typeDefinition)
        if object["$UnderlyingType"] == nil {
            note("\(name) has no $UnderlyingType.", at: object.offset)
        } else if let problem = names.problem(of: declared) {
            note(problem, at: object.offset)
        }
        var definition = names.definition(declared)
        definition.annotations = annotations(of: object)
        return definition
    }

    mutating func term(_ object: CSDLJSONObject, named name: EdmQualifiedName) -> EdmTerm {
        let named = type(object, of: name.name)
        check(object, as: .term)
        return EdmTerm(
            name: name, type: named.type, namedType: named.name, isNullable: object.flag("$Nullable"),
            facets: facets(object).completed(by: named.facets), defaultValue: object["$DefaultValue"]?.literal,
            baseTerm: object.string("$BaseTerm").map(names.qualified),
            appliesTo: object["$AppliesTo"]?.elements?.compactMap(\.string) ?? [],
            annotations: annotations(of: object))
    }
}
