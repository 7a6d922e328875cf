import OData

extension FieldService {
    /// `POST WorkOrders(5003)/field.Finish {"Inspector": "Ada", "Result": "passed"}` and `GET OpenWork()`.
    static func operations(on store: SQLiteStore) async throws -> OperationHandlers {
        let model = try await store.model()
        guard let orders = model.entitySet(named: "WorkOrders") else {
            throw ODataError(.unusableStore, "The file has no table WorkOrders.")
        }
        var operations = OperationHandlers()
        operations.function(openWork(orders.type), importName: "OpenWork", handler: countOpenWork)
        operations.action(finish(orders.type), planner: planFinishing)
        return operations
    }

    /// How much there is to do.
    private static func openWork(_ order: EdmStructuredType) -> EdmOperationDeclaration {
        EdmOperationDeclaration(
            kind: .function, name: EdmQualifiedName(namespace: order.name.namespace, name: "OpenWork"),
            result: .init(type: .int32))
    }

    @Sendable private static func countOpenWork(_ call: OperationInvocation) async throws -> OperationResult {
        let query = try QueryParser(model: call.model).query("WorkOrders/$count?$filter=State ne 'done'")
        guard case .count(let count) = try await call.store.read(ReadRequest(query)).body else { return .nothing }
        return .value(.integer(count))
    }

    /// Ends a work order with a last inspection.
    private static func finish(_ order: EdmStructuredType) -> EdmOperationDeclaration {
        EdmOperationDeclaration(
            kind: .action, name: EdmQualifiedName(namespace: order.name.namespace, name: "Finish"), isBound: true,
            parameters: [
                .init(name: "order", type: .entity(order.name)),
                .init(name: "Inspector", type: .string, isNullable: false),
                .init(name: "Result", type: .string, isNullable: false),
            ], result: .init(type: .entity(order.name)))
    }

    /// Says what is to be done. The store does both or nothing, and once also where a client that got no response calls
    /// again with the same `Repeatability-Request-ID`.
    @Sendable private static func planFinishing(_ call: OperationInvocation) async throws -> ActionPlan {
        let order = try await call.boundEntity()
        guard let key = order.key, order["State"] != .string("done") else {
            throw ODataError(.conflict, "The work order is done already.")
        }
        let path = ResourcePath(try call.entitySet("WorkOrders"), key: key)
        let inspection = EntityPayload(
            ["Inspector": call["Inspector"], "Result": call["Result"]],
            bindings: [.init(navigation: "WorkOrder", references: [.path(path)])])
        return ActionPlan(
            [
                ChangeRequest(path, .update(EntityPayload(["State": .string("done")]))),
                ChangeRequest(ResourcePath(try call.entitySet("Inspections")), .create(inspection)),
            ], result: .query(BoundQuery(path: path)))
    }
}
