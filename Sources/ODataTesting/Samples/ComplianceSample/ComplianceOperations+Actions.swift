import ODataModel
import ODataQuery
import ODataStores

extension ComplianceOperations {
    /// `ApplyDiscount`, `IncreasePrice`, `CalculateDiscount`, `Process`, `ResetAllPrices`
    func addPriceActions(to operations: inout OperationHandlers) {
        let percentage = Self.parameter("percentage", .double)
        operations.action(
            Self.action("ApplyDiscount", on: Self.onProduct, [percentage], result: Self.product), entitySet: "Products"
        ) { call in
            let factor = 1 - (try call.number("percentage", in: 0...100)) / 100
            let path = try Self.bound(call)
            return ActionPlan(
                [Self.price(try await call.price() * factor, at: path)], result: .query(BoundQuery(path: path)))
        }
        operations.action(Self.action("IncreasePrice", on: Self.onProduct, [Self.parameter("amount", .double)])) {
            call in
            let amount = try call.number("amount", in: 0...1_000_000_000)
            return ActionPlan([Self.price(try await call.price() + amount, at: try Self.bound(call))])
        }
        operations.action(
            Self.action("CalculateDiscount", on: Self.onProduct, [percentage], result: .double)
        ) { call in
            let share = try call.number("percentage", in: 0...100) / 100
            return ActionPlan(result: .value(.double(try await call.price() * share)))
        }
        var minimum = Self.parameter("minPrice", .double)
        minimum.annotations = [EdmAnnotation(term: EdmAnnotation.optionalParameter)]
        operations.action(Self.action("Process", [percentage, minimum]), importName: "Process") { call in
            let factor = 1 - (try call.number("percentage", in: 0...100)) / 100
            return try await reprice(call, atLeast: call.number("minPrice")) { $0 * factor }
        }
        operations.action(Self.action("ResetAllPrices", result: .string), importName: "ResetAllPrices") { call in
            let original = Dictionary(ComplianceSample.products.map { ($0.name, $0.price) }) { first, _ in first }
            let set = try call.entitySet("Products")
            let changes = try await call.store.entities(BoundQuery(path: ResourcePath(set))).compactMap { product in
                guard case .string(let name)? = product["Name"], let price = original[name], let key = product.key
                else {
                    return ChangeRequest?.none
                }
                return Self.price(price, at: ResourcePath(set, key: key))
            }
            return ActionPlan(changes, result: .value(.string("\(changes.count) prices were put back")))
        }
    }

    /// `Activate`, `MarkAllAsReviewed`, `ResetProducts`, `Reseed`
    func addOtherActions(to operations: inout OperationHandlers) {
        operations.action(Self.action("Activate", on: Self.onProduct)) { call in
            let product = try await call.boundEntity()
            var status = product["Status"]?.lexical ?? "None"
            if !status.contains("InStock") { status = status == "None" ? "InStock" : "InStock,\(status)" }
            return ActionPlan([
                ChangeRequest(
                    try Self.bound(call),
                    .update(EntityPayload(["Status": .enumeration(Self.name("ProductStatus"), status)])))
            ])
        }
        operations.action(Self.action("MarkAllAsReviewed", on: Self.onProducts)) { _ in ActionPlan() }
        operations.performedAction(Self.action("ResetProducts"), importName: "ResetProducts") { _ in
            try await tables.load(ComplianceSample.entities)
            return .nothing
        }
        // The suite takes nothing but 200.
        operations.performedAction(Self.action("Reseed", result: .string), importName: "Reseed") { _ in
            try await tables.load(ComplianceSample.entities)
            return .value(.string("The data are as they were at the start."))
        }
    }

    private static func bound(_ call: OperationInvocation) throws -> ResourcePath {
        guard let binding = call.binding else {
            throw ODataError(.badRequest, "\(call.operation.name) is called on a product.")
        }
        return binding
    }

    /// Cents are enough.
    private static func price(_ price: Double, at path: ResourcePath) -> ChangeRequest {
        ChangeRequest(path, .update(EntityPayload(["Price": .double((price * 100).rounded() / 100)])))
    }

    private func reprice(
        _ call: OperationInvocation, atLeast minimum: Double, _ change: (Double) -> Double
    ) async throws -> ActionPlan {
        let set = try call.entitySet("Products")
        let products = try await call.store.entities(BoundQuery(path: ResourcePath(set)))
        return ActionPlan(
            products.compactMap { product in
                guard case .double(let price)? = product["Price"], price >= minimum, let key = product.key else {
                    return nil
                }
                return Self.price(change(price), at: ResourcePath(set, key: key))
            })
    }
}
