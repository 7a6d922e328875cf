import ODataModel

extension CSDLJSONReader {
    mutating func schema(_ object: CSDLJSONObject, namespace: String) -> EdmSchema {
        var schema = EdmSchema(namespace: namespace, alias: object.string("$Alias"))
        schema.annotations = annotations(of: object)
        check(object, as: .schema)
        for child in declarations(of: object) {
            let name = EdmQualifiedName(namespace: namespace, name: child.name)
            if let overloads = child.node.elements {
                schema.operations += overloads.compactMap(CSDLJSONObject.init).map { overload($0, named: name) }
                continue
            }
            guard let element = CSDLJSONObject(child.node) else {
                note("\(child.name) is not known in a schema.", at: child.offset)
                continue
            }
            notes.declare("\(name)", at: place(child.offset))
            read(element, named: name, at: child.offset, into: &schema)
        }
        return schema
    }

    private mutating func overload(_ object: CSDLJSONObject, named name: EdmQualifiedName) -> EdmOperationDeclaration {
        switch object.string("$Kind") {
        case "Action", "Function": break
        case let kind?: note("\(kind), the kind of an overload of \(name), is not known.", at: object.offset)
        case nil: note("An overload of \(name) has no $Kind.", at: object.offset)
        }
        return operation(object, named: name)
    }

    private mutating func read(
        _ element: CSDLJSONObject, named name: EdmQualifiedName, at offset: Int, into schema: inout EdmSchema
    ) {
        switch element.string("$Kind") {
        case "EntityType": schema.types.append(structuredType(element, named: name, kind: .entity))
        case "ComplexType": schema.types.append(structuredType(element, named: name, kind: .complex))
        case "EnumType": schema.enumTypes.append(enumType(element, named: name))
        case "TypeDefinition": schema.typeDefinitions.append(typeDefinition(element, named: name))
        case "Term": schema.terms.append(term(element, named: name))
        case "EntityContainer": container(element, named: name.name, at: offset, into: &schema)
        case "Action", "Function": schema.operations.append(operation(element, named: name))
        case let kind?: note("\(kind), the kind of \(name), is not known.", at: offset)
        case nil: note("\(name) has no $Kind.", at: offset)
        }
    }

    private mutating func container(
        _ object: CSDLJSONObject, named name: String, at offset: Int, into schema: inout EdmSchema
    ) {
        if let first = schema.container, first != name {
            note("\(schema.namespace) has a second container, \(name): it is taken into \(first).", at: offset)
        }
        check(object, as: .container)
        schema.container = schema.container ?? name
        schema.baseContainer = schema.baseContainer ?? object.string("$Extends").map(names.qualified)
        for term in schema.containerAnnotations.add(annotations(of: object)) {
            note("\(term) is applied twice to \(name).", at: offset)
        }
        for child in declarations(of: object) {
            guard let element = CSDLJSONObject(child.node) else {
                note("\(child.name) is not known in a container.", at: child.offset)
                continue
            }
            notes.declare(child.name, at: place(child.offset))
            if element["$Action"] != nil || element["$Function"] != nil {
                schema.operationImports.append(operationImport(element, named: child.name))
            } else {
                schema.entitySets.append(entitySet(element, named: child.name, at: child.offset))
            }
        }
    }

    private mutating func entitySet(
        _ object: CSDLJSONObject, named name: String, at offset: Int
    ) -> EdmEntitySetDeclaration {
        if object["$Type"] == nil { note("\(name) has no $Type.", at: offset) }
        let isSet = object.flag("$Collection") || object.string("$Kind") == "EntitySet"
        check(object, as: isSet ? .entitySet : .singleton)
        var set = EdmEntitySetDeclaration(
            kind: isSet ? .entitySet : .singleton, name: name, type: names.qualified(object.string("$Type") ?? ""),
            annotations: annotations(of: object))
        set.isNullable = object.flag("$Nullable")
        set.isInServiceDocument = object["$IncludeInServiceDocument"]?.boolean ?? true
        for binding in object["$NavigationPropertyBinding"]?.members ?? [] {
            if let target = binding.node.string { set.bindings[names.path(binding.name)] = names.target(target) }
        }
        return set
    }

    private mutating func operationImport(_ object: CSDLJSONObject, named name: String) -> EdmOperationImport {
        let annotations = annotations(of: object)
        let kind: EdmOperationDeclaration.Kind = object["$Action"] != nil ? .action : .function
        check(object, as: kind == .action ? .actionImport : .functionImport)
        return EdmOperationImport(
            kind: kind, name: name,
            operation: names.qualified(object.string(kind == .action ? "$Action" : "$Function") ?? ""),
            entitySet: object.string("$EntitySet").map { names.target($0) },
            isInServiceDocument: object.flag("$IncludeInServiceDocument"),
            httpMethod: annotations.first { $0.term == EdmAnnotation.httpMethod }?.value.string,
            annotations: annotations)
    }

    private mutating func operation(_ object: CSDLJSONObject, named name: EdmQualifiedName) -> EdmOperationDeclaration {
        var operation = EdmOperationDeclaration(
            kind: object.string("$Kind") == "Action" ? .action : .function, name: name,
            isBound: object.flag("$IsBound"), isComposable: object.flag("$IsComposable"),
            entitySetPath: object.string("$EntitySetPath").map { names.path($0) }, annotations: annotations(of: object))
        check(object, as: .operation)
        for parameter in object["$Parameter"]?.elements ?? [] {
            guard let parameter = CSDLJSONObject(parameter) else { continue }
            operation.parameters.append(self.parameter(parameter))
        }
        if operation.isBound, operation.parameters.isEmpty {
            note("\(name) is bound and has no parameter.", at: object.offset)
        }
        if let result = object["$ReturnType"].flatMap(CSDLJSONObject.init) {
            let named = type(result, of: "What \(name.name) returns")
            check(result, as: .returnType)
            operation.result = .init(
                type: named.type, isNullable: result.flag("$Nullable"),
                facets: facets(result).completed(by: named.facets), annotations: annotations(of: result))
            operation.result?.namedType = named.name
        }
        return operation
    }

    private mutating func parameter(_ object: CSDLJSONObject) -> EdmOperationDeclaration.Parameter {
        let name = object.string("$Name") ?? ""
        if name.isEmpty { note("A parameter has no $Name.", at: object.offset) }
        check(object, as: .parameter)
        let named = type(object, of: name.isEmpty ? "A parameter" : name)
        var parameter = EdmOperationDeclaration.Parameter(
            name: name, type: named.type, isNullable: object.flag("$Nullable"), annotations: annotations(of: object))
        parameter.namedType = named.name
        parameter.facets = facets(object).completed(by: named.facets)
        return parameter
    }
}
