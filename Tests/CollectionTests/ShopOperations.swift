import OData

/// What the operations of the shop do, as far as the model declares them.
enum ShopOperations {
    static func all(_ model: EdmModel) -> OperationHandlers {
        var operations = OperationHandlers()
        func declared(_ name: String) -> EdmOperationDeclaration? {
            model.operations(named: EdmQualifiedName("Shop.\(name)")).first
        }
        if let dearest = declared("Dearest") {
            operations.function(dearest, importName: "Dearest", entitySet: "Products") { try Self.dearest($0) }
        }
        if let withTax = declared("WithTax") {
            operations.function(withTax) { call in
                guard case .decimal(let price)? = try await call.boundEntity()["Price"],
                    case .double(let rate) = call["rate"]
                else { return .nothing }
                return .value(.double(price.doubleValue * (1 + rate)))
            }
        }
        if let reprice = declared("Reprice") {
            operations.action(reprice) { call in
                guard let key = try await call.boundEntity().key else { return ActionPlan() }
                let path = ResourcePath(try call.entitySet("Products"), key: key)
                let change = ChangeRequest(path, .update(EntityPayload(["Price": call["price"]])))
                return ActionPlan([change], result: .query(BoundQuery(path: path)))
            }
        }
        return operations
    }

    /// The products with the greatest prices.
    private static func dearest(_ call: OperationInvocation) throws -> OperationResult {
        var query = BoundQuery(path: ResourcePath(try call.entitySet("Products")))
        guard case .integer(let count) = call["count"], let set = query.path.rootSet,
            let price = set.type.property(named: "Price")
        else { return .nothing }
        let path = PropertyPath(variableSet: set, variableType: set.type, steps: [.property(price)])
        query.options.orderBy = [OrderItem(expression: .path(path), isDescending: true)]
        query.options.top = Int(count)
        return .query(query)
    }
}
