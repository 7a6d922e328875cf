import ODataModel
import ODataQuery
import ODataStores

/// Functions on Northwind that V2 clients call as function imports.
enum NorthwindOperations {
    static var all: OperationHandlers {
        var operations = OperationHandlers()
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("northwind.Double"),
                parameters: [.init(name: "number", type: .int32, isNullable: false)], result: .init(type: .int32)),
            importName: "Double"
        ) { call in
            guard case .integer(let number) = call["number"] else { return .nothing }
            return .value(.integer(number * 2))
        }
        let product = EdmTypeReference.entity(EdmQualifiedName("northwind.Products"))
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("northwind.Dearest"), isComposable: true,
                parameters: [.init(name: "count", type: .int32, isNullable: false)],
                result: .init(type: .collection(product))), importName: "Dearest", entitySet: "Products"
        ) { call in
            let parser = QueryParser(model: call.model)
            return .query(try parser.query("Products?$orderby=UnitPrice desc&$top=\(call["count"].lexical)"))
        }
        return operations
    }
}
