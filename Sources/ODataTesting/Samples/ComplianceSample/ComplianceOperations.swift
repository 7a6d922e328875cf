import ODataModel
import ODataQuery
import ODataSQLite
import ODataStores

/// The operations of the sample.
///
/// Those on the collection of products can also be called without it, through imports.
struct ComplianceOperations: Sendable {
    static let namespace = "ComplianceService"

    let model: EdmModel
    let tables: SQLiteStore

    static func name(_ name: String) -> EdmQualifiedName { EdmQualifiedName(namespace: namespace, name: name) }

    static let product = EdmTypeReference.entity(name("Product"))
    static let products = EdmTypeReference.collection(product)
    static let onProduct = EdmOperationDeclaration.Parameter(name: "product", type: product, isNullable: false)
    static let onProducts = EdmOperationDeclaration.Parameter(name: "products", type: products, isNullable: false)

    var all: OperationHandlers {
        var operations = OperationHandlers()
        addQueries(to: &operations)
        addFigures(to: &operations)
        addValues(to: &operations)
        addPriceActions(to: &operations)
        addOtherActions(to: &operations)
        return operations
    }

    static func parameter(_ name: String, _ type: EdmPrimitiveType) -> EdmOperationDeclaration.Parameter {
        EdmOperationDeclaration.Parameter(name: name, type: .primitive(type), isNullable: false)
    }

    static func function(
        _ name: String, on binding: EdmOperationDeclaration.Parameter? = nil,
        _ parameters: [EdmOperationDeclaration.Parameter] = [],
        result: EdmTypeReference
    ) -> EdmOperationDeclaration {
        EdmOperationDeclaration(
            kind: .function, name: Self.name(name), isBound: binding != nil, isComposable: true,
            parameters: (binding.map { [$0] } ?? []) + parameters,
            result: .init(type: result, isNullable: false))
    }

    static func action(
        _ name: String, on binding: EdmOperationDeclaration.Parameter? = nil,
        _ parameters: [EdmOperationDeclaration.Parameter] = [],
        result: EdmTypeReference? = nil
    ) -> EdmOperationDeclaration {
        EdmOperationDeclaration(
            kind: .action, name: Self.name(name), isBound: binding != nil,
            parameters: (binding.map { [$0] } ?? []) + parameters,
            result: result.map { .init(type: $0, isNullable: false) })
    }

    /// All products, or those that the operation is bound to.
    static func query(_ call: OperationInvocation) throws -> BoundQuery {
        BoundQuery(path: try call.binding ?? ResourcePath(try call.entitySet("Products")))
    }
}

extension OperationInvocation {
    /// A number argument.
    func number(_ name: String) -> Double {
        switch self[name] {
        case .double(let number): number
        case .integer(let number): Double(number)
        case .decimal(let number): number.doubleValue
        default: 0
        }
    }

    func integer(_ name: String) -> Int64 { if case .integer(let number) = self[name] { number } else { 0 } }

    func text(_ name: String) -> String { if case .string(let text) = self[name] { text } else { "" } }

    /// A number argument that must be between bounds.
    func number(_ name: String, in range: ClosedRange<Double>) throws -> Double {
        let number = number(name)
        guard range.contains(number) else {
            throw ODataError(
                .badRequest, "The parameter \(name) must be \(range.lowerBound) to \(range.upperBound), not \(number).")
        }
        return number
    }

    /// The price of the product that the operation is bound to.
    func price() async throws -> Double {
        guard case .double(let price)? = try await boundEntity()["Price"] else { return 0 }
        return price
    }
}
