import ODataModel
import ODataQuery
import ODataStores

/// What can be called in an `OperationShop`.
enum ShopOperations {
    static func all(products: EdmEntitySet) -> OperationHandlers {
        var operations = OperationHandlers()
        let type = products.type.reference
        let many = EdmOperationDeclaration.Result(type: .collection(type))
        let top = { (parameters: [EdmOperationDeclaration.Parameter]) in
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("Shop.Top"), isComposable: true, parameters: parameters,
                result: many)
        }
        operations.function(top([]), importName: "Top", entitySet: "Products") { try dearest(2, of: $0) }
        operations.function(top([.init(name: "count", type: .int64, isNullable: false)]), importName: "Top") { call in
            guard case .integer(let count) = call["count"] else { return .nothing }
            return try dearest(Int(count), of: call)
        }
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("Shop.Pick"), isBound: true, isComposable: true,
                parameters: [.init(name: "products", type: .collection(type))], result: many)
        ) { call in
            let keys: [Int64] = [3, 1]
            return .members(keys.map { EntityKey("ID", .integer($0)) }, of: try call.entitySet("Products"))
        }
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("Shop.WithTax"), isBound: true,
                parameters: [
                    .init(name: "product", type: type), .init(name: "rate", type: .double, isNullable: false),
                ], result: .init(type: .double))
        ) { call in
            guard case .integer(let price)? = try await call.boundEntity()["Price"],
                case .double(let rate) = call["rate"]
            else { return .nothing }
            return .value(.double(Double(price) * (1 + rate)))
        }
        operations.function(
            EdmOperationDeclaration(
                kind: .function, name: EdmQualifiedName("Shop.Words"),
                result: .init(type: .collection(.string)))
        ) { _ in .values([.string("a"), .string("b"), .string("c")]) }
        operations.function(
            EdmOperationDeclaration(kind: .function, name: EdmQualifiedName("Shop.Sample"), result: .init(type: type))
        ) { call in
            let properties: EdmComplexValue = ["ID": .integer(9), "Name": .string("Sample"), "Price": .integer(1)]
            return .entity(EdmEntity(type: try call.entitySet("Products").type, properties: properties))
        }
        operations.action(
            EdmOperationDeclaration(
                kind: .action, name: EdmQualifiedName("Shop.Raise"), isBound: true,
                parameters: [
                    .init(name: "product", type: type), .init(name: "by", type: .int64, isNullable: false),
                ], result: .init(type: type))
        ) { call in
            let entity = try await call.boundEntity()
            guard let key = entity.key, case .integer(let price)? = entity["Price"], case .integer(let by) = call["by"]
            else { return ActionPlan() }
            let path = ResourcePath(try call.entitySet("Products"), key: key)
            return ActionPlan(
                [ChangeRequest(path, .update(EntityPayload(["Price": .integer(price + by)])))],
                result: .query(BoundQuery(path: path)))
        }
        operations.action(
            EdmOperationDeclaration(
                kind: .action, name: EdmQualifiedName("Shop.Count"), result: .init(type: .int32))
        ) { call in
            let set = try call.entitySet("Products")
            let count = try await call.store.entities(BoundQuery(path: ResourcePath(set))).count
            return ActionPlan(result: .value(.integer(Int64(count))))
        }
        operations.action(
            EdmOperationDeclaration(kind: .action, name: EdmQualifiedName("Shop.Cheap"), result: many)
        ) { call in
            let keys: [Int64] = [4, 3]
            return ActionPlan(
                result: .members(keys.map { EntityKey("ID", .integer($0)) }, of: try call.entitySet("Products")))
        }
        operations.performedAction(
            EdmOperationDeclaration(kind: .action, name: EdmQualifiedName("Shop.Clear")), importName: "Clear"
        ) { call in
            for entity in try await call.store.entities(BoundQuery(path: ResourcePath(try call.entitySet("Products"))))
            {
                guard let key = entity.key else { continue }
                _ = try await call.store.change(
                    ChangeRequest(ResourcePath(try call.entitySet("Products"), key: key), .delete))
            }
            return .nothing
        }
        return operations
    }

    private static func dearest(_ count: Int, of call: OperationInvocation) throws -> OperationResult {
        var query = BoundQuery(path: ResourcePath(try call.entitySet("Products")))
        guard let price = query.path.rootSet?.type.property(named: "Price") else { return .nothing }
        let path = PropertyPath(
            variableSet: query.path.rootSet, variableType: query.path.rootSet?.type, steps: [.property(price)])
        query.options.orderBy = [OrderItem(expression: .path(path), isDescending: true)]
        query.options.top = count
        if let picture = query.path.rootSet?.type.property(named: "Picture") {
            query.options.streams = [.property([], picture)]
        }
        return .query(query)
    }
}
