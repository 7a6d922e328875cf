import ODataModel

extension CSDLReader {
    /// `<Action>`, `<Function>`; nil for functions of V3, which are not called through the protocol.
    mutating func operation(_ element: XMLTree, in namespace: String) -> EdmOperationDeclaration? {
        let name = EdmQualifiedName(namespace: namespace, name: name(of: element))
        guard !version.isLegacy else {
            note("\(name) is a function of V3, which is not called through the protocol.", at: element)
            return nil
        }
        var operation = EdmOperationDeclaration(
            kind: element.name == "Action" ? .action : .function, name: name,
            isBound: element.flag("IsBound") ?? false, isComposable: element.flag("IsComposable") ?? false,
            entitySetPath: element["EntitySetPath"].map { names.path($0) }, annotations: annotations(of: element))
        for child in element.children {
            switch child.name {
            case "Parameter": operation.parameters.append(parameter(child))
            case "ReturnType" where operation.result == nil: operation.result = result(child, of: name.name)
            default: if !child.isAnnotation { unexpected(child, in: "an operation") }
            }
        }
        if operation.isBound, operation.parameters.isEmpty {
            note("\(name) is bound and has no parameter.", at: element)
        }
        return operation
    }

    mutating func parameter(_ element: XMLTree) -> EdmOperationDeclaration.Parameter {
        let name = name(of: element)
        let named = type(self.name(of: element, "Type"), of: name.isEmpty ? "A parameter" : name, at: element)
        var parameter = EdmOperationDeclaration.Parameter(
            name: name, type: named.type, isNullable: element.flag("Nullable") ?? true,
            annotations: annotations(of: element))
        parameter.namedType = named.name
        parameter.facets = facets(of: element).completed(by: named.facets)
        if let legacy = named.legacy, version.isLegacy {
            parameter.annotations.add([EdmAnnotation(term: EdmAnnotation.legacyType, value: .string(legacy))])
        }
        return parameter
    }

    private mutating func result(_ element: XMLTree, of operation: String) -> EdmOperationDeclaration.Result {
        let named = type(name(of: element, "Type"), of: "What \(operation) returns", at: element)
        var result = EdmOperationDeclaration.Result(
            type: named.type, isNullable: element.flag("Nullable") ?? true,
            facets: facets(of: element).completed(by: named.facets), annotations: annotations(of: element))
        result.namedType = named.name
        return result
    }

    mutating func container(_ element: XMLTree, into schema: inout EdmSchema) {
        let name = name(of: element)
        if let first = schema.container, first != name {
            note("\(schema.namespace) has a second container, \(name): it is taken into \(first).", at: element)
        }
        let isDefault = element.flag("IsDefaultEntityContainer", in: XMLTree.metadata) ?? false
        schema.container = isDefault ? name : schema.container ?? name
        let extended = element["Extends"].map(names.qualified)
        if let extended, let base = schema.baseContainer, base != extended {
            note("\(name) extends \(extended), but \(schema.namespace) extends \(base) already.", at: element)
        }
        schema.baseContainer = schema.baseContainer ?? extended
        let leftOut = schema.containerAnnotations.add(annotations(of: element))
        tell(leftOut, appliedTwiceTo: name, at: element.place)
        for child in element.children {
            if Self.containerMembers.contains(child.name) || child.name == "FunctionImport" && !version.isLegacy {
                guard hasName(child), notes.declare(self.name(of: child), in: schema.namespace, at: child.place) else {
                    continue
                }
            }
            switch child.name {
            case "EntitySet": schema.entitySets.append(entitySet(child, kind: .entitySet))
            case "Singleton": schema.entitySets.append(entitySet(child, kind: .singleton))
            case "ActionImport": schema.operationImports.append(operationImport(child, kind: .action))
            case "FunctionImport" where !version.isLegacy:
                schema.operationImports.append(operationImport(child, kind: .function))
            case "AssociationSet", "FunctionImport": break
            default: if !child.isAnnotation { unexpected(child, in: "a container") }
            }
        }
    }

    /// Function imports of V2 have overloads, and only there; they are read later.
    private static let containerMembers: Set<String> = ["EntitySet", "Singleton", "ActionImport"]

    private mutating func entitySet(_ element: XMLTree, kind: EdmEntitySetDeclaration.Kind) -> EdmEntitySetDeclaration {
        let name = name(of: element)
        let type = names.qualified(self.name(of: element, kind == .singleton ? "Type" : "EntityType"))
        var set = EdmEntitySetDeclaration(kind: kind, name: name, type: type, annotations: annotations(of: element))
        set.isInServiceDocument = element.flag("IncludeInServiceDocument") ?? true
        set.isNullable = element.flag("Nullable") ?? false
        for child in element.children {
            if child.name == "NavigationPropertyBinding" {
                guard hasName(child, "Path"), hasName(child, "Target") else { continue }
                let path = names.path(self.name(of: child, "Path"))
                let target = names.target(self.name(of: child, "Target"))
                if let first = set.bindings[path] {
                    note("\(set.name) binds \(path) to \(first) and again to \(target).", at: child)
                } else {
                    set.bindings[path] = target
                }
            } else if !child.isAnnotation {
                unexpected(child, in: "an entity set")
            }
        }
        return set
    }

    private mutating func operationImport(_ element: XMLTree, kind: EdmOperationDeclaration.Kind) -> EdmOperationImport
    {
        let name = name(of: element)
        let annotations = annotations(of: element)
        let attribute = kind == .action ? "Action" : "Function"
        return EdmOperationImport(
            kind: kind, name: name, operation: names.qualified(self.name(of: element, attribute)),
            entitySet: element["EntitySet"].map { names.target($0) },
            isInServiceDocument: element.flag("IncludeInServiceDocument") ?? false,
            httpMethod: annotations.first { $0.term == EdmAnnotation.httpMethod }?.value.string,
            annotations: annotations)
    }
}
