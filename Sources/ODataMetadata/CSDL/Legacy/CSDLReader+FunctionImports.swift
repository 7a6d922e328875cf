import ODataModel

extension CSDLReader {
    /// A function import of V2 becomes an operation and an import of it: a function where it is called with GET, an
    /// action else. Bindable ones of V3 become bound operations.
    ///
    /// `<FunctionImport Name="Top" ReturnType="Collection(M.Product)" EntitySet="Products" m:HttpMethod="GET">`
    mutating func functionImport(_ element: XMLTree, into schema: inout EdmSchema) {
        let name = name(of: element)
        guard !name.isEmpty else { return }
        let method = element["HttpMethod", in: XMLTree.metadata] ?? element["HttpMethod"]
        let isSideEffecting = element.flag("IsSideEffecting") ?? true
        let isFunction = method.map { $0.uppercased() == "GET" } ?? !isSideEffecting
        let annotations = annotations(of: element)
        var operation = EdmOperationDeclaration(
            kind: isFunction ? .function : .action, name: operationName(name, in: schema),
            isBound: element.flag("IsBindable") ?? false,
            isComposable: element.flag("IsComposable") ?? false,
            entitySetPath: element["EntitySetPath"].map { names.path($0) })
        for child in element.children {
            switch child.name {
            case "Parameter": operation.parameters.append(parameter(child))
            case "ReturnType": operation.result = result(child["Type"] ?? "", of: name, at: child)
            default: if !child.isAnnotation { unexpected(child, in: "a function import") }
            }
        }
        if let type = element["ReturnType"] { operation.result = result(type, of: name, at: element) }
        if operation.isBound, operation.parameters.isEmpty { operation.isBound = false }
        if operation.isBound {
            operation.annotations = annotations
            if operation.kind == .action { operation.isComposable = false }
            schema.operations.append(operation)
            return
        }
        schema.operations.append(operation)
        guard !schema.operationImports.contains(where: { $0.name == name }) else { return }
        guard notes.declare(name, in: schema.namespace, at: element.place) else { return }
        schema.operationImports.append(
            EdmOperationImport(
                kind: operation.kind, name: name, operation: operation.name,
                entitySet: element["EntitySet"].map { names.target($0) }, httpMethod: method, annotations: annotations))
    }

    /// The import's name; another where a type has that already.
    private func operationName(_ name: String, in schema: EdmSchema) -> EdmQualifiedName {
        var qualified = EdmQualifiedName(namespace: schema.namespace, name: name)
        while schema.types.contains(where: { $0.name == qualified }) || schema.container == qualified.name {
            qualified.name += "Operation"
        }
        return qualified
    }

    private mutating func result(_ text: String, of name: String, at element: XMLTree) -> EdmOperationDeclaration.Result
    {
        let named = type(text, of: "What \(name) returns", at: element)
        var result = EdmOperationDeclaration.Result(type: named.type, facets: named.facets)
        result.namedType = named.name
        if let legacy = named.legacy {
            result.annotations = [EdmAnnotation(term: EdmAnnotation.legacyType, value: .string(legacy))]
        }
        return result
    }
}
