import ODataModel
import ODataQuery
import ODataStores

/// What can be called in a `PublishedFile`.
enum ShopOperations {
    private static let product = EdmTypeReference.entity(EdmQualifiedName("shop.Products"))

    static var all: OperationHandlers {
        var operations = OperationHandlers()
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("shop.Below"), isBound: true, isComposable: true,
                parameters: [
                    .init(name: "products", type: .collection(product)),
                    .init(name: "price", type: .decimal, isNullable: false),
                ], result: .init(type: .collection(product)))
        ) { call in
            guard case .decimal(let price) = call["price"], let binding = call.binding else { return .nothing }
            let parser = QueryParser(model: call.model)
            return .query(try parser.query("\(binding.url)?$filter=Price lt \(price)"))
        }
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("shop.Double"),
                parameters: [.init(name: "number", type: .int32, isNullable: false)], result: .init(type: .int32)),
            importName: "Double"
        ) { call in
            guard case .integer(let number) = call["number"] else { return .nothing }
            return .value(.integer(number * 2))
        }
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("shop.Cheapest"), isComposable: true,
                result: .init(type: .collection(product))), importName: "Cheapest", entitySet: "Products"
        ) { call in
            let parser = QueryParser(model: call.model)
            return .query(try parser.query("Products?$filter=Price lt 5"))
        }
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("shop.Words"), isComposable: true,
                result: .init(type: .collection(.string))), importName: "Words"
        ) { _ in .values([.string("a"), .string("b")]) }
        operations.function(
            EdmOperationDeclaration(kind: .function, name: EdmQualifiedName("shop.Void"), result: .init(type: .string)),
            importName: "Void"
        ) { _ in .nothing }
        operations.action(
            EdmOperationDeclaration(
                kind: .action, name: EdmQualifiedName("shop.Rename"), isBound: true,
                parameters: [
                    .init(name: "product", type: product), .init(name: "name", type: .string, isNullable: false),
                ], result: .init(type: product))
        ) { call in
            guard let binding = call.binding else { return ActionPlan() }
            return ActionPlan(
                [ChangeRequest(binding, .update(EntityPayload(["Name": call["name"]])))],
                result: .query(BoundQuery(path: binding)))
        }
        operations.performedAction(
            EdmOperationDeclaration(kind: .action, name: EdmQualifiedName("shop.Ping")), importName: "Ping"
        ) { _ in .nothing }
        return operations
    }
}
