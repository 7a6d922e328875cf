import ODataModel
import ODataQuery
import ODataStores

extension ComplianceOperations {
    /// `GetTopProducts`, `GetRelatedProducts`, `FindProducts`: results that are products.
    func addQueries(to operations: inout OperationHandlers) {
        let count = Self.parameter("count", .int64)
        let category = Self.parameter("category", .string)
        for parameters in [[], [count], [count, category]] {
            for binding in [Self.onProducts, nil] {
                operations.function(
                    Self.function("GetTopProducts", on: binding, parameters, result: Self.products),
                    importName: binding == nil ? "GetTopProducts" : nil, entitySet: "Products"
                ) { try top($0, hasCount: !parameters.isEmpty, hasCategory: parameters.count == 2) }
            }
        }
        operations.function(
            Self.function("GetRelatedProducts", on: Self.onProduct, result: Self.products)
        ) { call in
            let products = try call.entitySet("Products")
            guard let binding = call.binding, let related = products.type.navigationProperty(named: "RelatedProducts")
            else { return .nothing }
            return .query(BoundQuery(path: binding.appending(.navigation(related, products))))
        }
        operations.function(
            Self.function(
                "FindProducts", [Self.parameter("name", .string), Self.parameter("maxPrice", .double)],
                result: Self.products),
            importName: "FindProducts", entitySet: "Products"
        ) { call in
            let price = try call.number("maxPrice", in: 0...Double.greatestFiniteMagnitude)
            var query = try Self.query(call)
            let products = try call.entitySet("Products")
            let name = Self.path("Name", of: products)
            let found = QueryExpression.call(
                .contains, [.call(.tolower, [name]), .literal(.string(call.text("name").lowercased()), .string)])
            let cheap = QueryExpression.binary(.le, Self.path("Price", of: products), .literal(.double(price), .double))
            query.options.filter = .binary(.and, found, cheap)
            return .query(query)
        }
    }

    private func top(_ call: OperationInvocation, hasCount: Bool, hasCategory: Bool) throws -> OperationResult {
        let products = try call.entitySet("Products")
        let count = hasCount ? call.integer("count") : 10
        guard (1...1000).contains(count) else {
            throw ODataError(.badRequest, "The parameter count must be 1 to 1000, not \(count).")
        }
        var query = try Self.query(call)
        query.options.orderBy = [OrderItem(expression: Self.path("Price", of: products), isDescending: true)]
        query.options.top = Int(count)
        if hasCategory, let navigation = products.type.navigationProperty(named: "Category"),
            let categories = model.entitySet(named: "Categories"), let name = categories.type.property(named: "Name")
        {
            let path = PropertyPath(
                variableSet: products, variableType: products.type,
                steps: [.navigation(navigation, categories, categories.type), .property(name)])
            query.options.filter = .binary(.eq, .path(path), .literal(.string(call.text("category")), .string))
        }
        return .query(query)
    }

    static func path(_ property: String, of set: EdmEntitySet) -> QueryExpression {
        let steps = set.type.property(named: property).map { [PropertyPath.Step.property($0)] } ?? []
        return .path(PropertyPath(variableSet: set, variableType: set.type, steps: steps))
    }

    /// `GetTotalPrice`, `CalculatePrice`, `GetAveragePrice`, `GetProductStats`, `GetInfo`: facts about products.
    func addFigures(to operations: inout OperationHandlers) {
        operations.function(
            Self.function("GetTotalPrice", on: Self.onProduct, [Self.parameter("taxRate", .double)], result: .double)
        ) { .value(.double(try await $0.price() * (1 + (try $0.number("taxRate", in: 0...100))))) }
        let discount = Self.parameter("discount", .double)
        operations.function(Self.function("CalculatePrice", on: Self.onProduct, [discount], result: .double)) {
            .value(.double(try await $0.price() * (1 - (try $0.number("discount", in: 0...100)) / 100)))
        }
        operations.function(
            Self.function(
                "CalculatePrice", on: Self.onProduct, [discount, Self.parameter("tax", .double)], result: .double)
        ) { call in
            let reduced = try await call.price() * (1 - (try call.number("discount", in: 0...100)) / 100)
            return .value(.double(reduced * (1 + (try call.number("tax", in: 0...100)) / 100)))
        }
        operations.function(Self.function("GetAveragePrice", on: Self.onProducts, result: .double)) { call in
            let prices = try await Self.prices(call)
            return .value(.double(prices.isEmpty ? 0 : prices.reduce(0, +) / Double(prices.count)))
        }
        for binding in [Self.onProducts, nil] {
            operations.function(
                Self.function("GetProductStats", on: binding, result: .string),
                importName: binding == nil ? "GetProductStats" : nil
            ) { call in
                let prices = try await Self.prices(call)
                let range = "\(prices.min() ?? 0) to \(prices.max() ?? 0)"
                return .value(.string("\(prices.count) products, \(range)"))
            }
        }
        operations.function(
            Self.function("GetInfo", on: Self.onProduct, [Self.parameter("format", .string)], result: .string)
        ) { call in
            let product = try await call.boundEntity()
            let (name, price) = (product["Name"]?.lexical ?? "", product["Price"]?.lexical ?? "")
            return .value(
                .string(call.text("format") == "json" ? #"{"name":"\#(name)","price":\#(price)}"# : "\(name): \(price)")
            )
        }
    }

    private static func prices(_ call: OperationInvocation) async throws -> [Double] {
        try await call.store.entities(try query(call)).compactMap { product in
            if case .double(let price)? = product["Price"] { price } else { nil }
        }
    }

    /// `Calculate`, `Convert`: no products at all.
    func addValues(to operations: inout OperationHandlers) {
        operations.function(
            Self.function("Calculate", [Self.parameter("value", .int64)], result: .int64), importName: "Calculate"
        ) { try Self.product($0.integer("value"), 2) }
        operations.function(
            Self.function("Calculate", [Self.parameter("a", .int64), Self.parameter("b", .int64)], result: .int64),
            importName: "Calculate"
        ) { call in
            let (sum, isTooGreat) = call.integer("a").addingReportingOverflow(call.integer("b"))
            guard !isTooGreat else { throw ODataError(.badRequest, "The sum of a and b is not an Edm.Int64.") }
            return .value(.integer(sum))
        }
        operations.function(
            Self.function("Convert", [Self.parameter("input", .string)], result: .string), importName: "Convert"
        ) { .value(.string($0.text("input").uppercased())) }
        operations.function(
            Self.function("Convert", [Self.parameter("number", .int64)], result: .string), importName: "Convert"
        ) { .value(.string("\($0.integer("number"))")) }
    }

    private static func product(_ value: Int64, _ factor: Int64) throws -> OperationResult {
        let (product, isTooGreat) = value.multipliedReportingOverflow(by: factor)
        guard !isTooGreat else { throw ODataError(.badRequest, "Twice the value is not an Edm.Int64.") }
        return .value(.integer(product))
    }
}
