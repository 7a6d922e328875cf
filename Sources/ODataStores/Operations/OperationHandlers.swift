import ODataModel

/// Operations written in Swift, for a store that is published with them: ``OperationStore``.
///
/// ```swift
/// var operations = OperationHandlers()
/// operations.function(
///     EdmOperationDeclaration(kind: .function, name: EdmQualifiedName("Shop.Cheapest"), isBound: true, isComposable: true,
///         parameters: [.init(name: "products", type: .collection(product))], result: .init(type: .collection(product)))
/// ) { call in
///     var query = BoundQuery(path: call.binding!)
///     …
///     return .query(query)
/// }
/// let store = OperationStore(base, operations: operations)
/// ```
///
/// Each overload has its own handler. A call is checked against the overload before its handler gets it.
public struct OperationHandlers: Sendable {
    enum Handler: Sendable {
        case function(FunctionHandler)
        case planned(ActionPlanner)
        case performed(FunctionHandler)
    }

    /// What distinguishes overloads: kind, name, binding type and parameters.
    struct Signature: Hashable, Sendable {
        struct Parameter: Hashable, Sendable {
            var name: String
            var type: EdmTypeReference
        }

        var kind: EdmOperationDeclaration.Kind
        var name: EdmQualifiedName
        var isBound: Bool
        var parameters: [Parameter]

        init(_ operation: EdmOperationDeclaration) {
            kind = operation.kind
            name = operation.name
            isBound = operation.isBound
            parameters = operation.parameters.map { Parameter(name: $0.name, type: $0.type) }
        }
    }

    private(set) var declared: [EdmOperationDeclaration] = []
    private(set) var imports: [EdmOperationImport] = []
    private var handlers: [Signature: Handler] = [:]

    /// No operations: add them before a store gets the value, which is copied.
    public init() {}

    /// Adds an overload of a function.
    ///
    /// - Parameters:
    ///   - operation: Its declaration; overloads differ in their parameters.
    ///   - importName: Of the function import of an unbound function.
    ///   - entitySet: The entity set of the import, for a function that gives entities.
    ///   - handler: What the function does.
    public mutating func function(
        _ operation: EdmOperationDeclaration, importName: String? = nil, entitySet: String? = nil,
        handler: @escaping FunctionHandler
    ) {
        register(operation, importName: importName, entitySet: entitySet, handler: .function(handler))
    }

    /// Adds an overload of an action that says what it does: it can be called in change sets, and happens completely
    /// or not at all.
    public mutating func action(
        _ operation: EdmOperationDeclaration, importName: String? = nil, entitySet: String? = nil,
        planner: @escaping ActionPlanner
    ) {
        register(operation, importName: importName, entitySet: entitySet, handler: .planned(planner))
    }

    /// Adds an overload of an action that does what it does itself. It cannot be undone, so that a change set with it
    /// and other requests is refused with 501.
    public mutating func performedAction(
        _ operation: EdmOperationDeclaration, importName: String? = nil, entitySet: String? = nil,
        handler: @escaping FunctionHandler
    ) {
        register(operation, importName: importName, entitySet: entitySet, handler: .performed(handler))
    }

    private mutating func register(
        _ operation: EdmOperationDeclaration, importName: String?, entitySet: String?, handler: Handler
    ) {
        if handlers.updateValue(handler, forKey: Signature(operation)) == nil { declared.append(operation) }
        guard let importName, !imports.contains(where: { $0.name == importName }) else { return }
        imports.append(
            EdmOperationImport(
                kind: operation.kind, name: importName, operation: operation.name, entitySet: entitySet))
    }

    func handler(of operation: EdmOperationDeclaration) -> Handler? { handlers[Signature(operation)] }
}

extension OperationHandlers {
    /// `model` with the operations and imports that it does not declare yet.
    func added(to model: EdmModel) -> EdmModel {
        var schemas = model.schemas
        let known = Set(schemas.flatMap(\.operations).map(Signature.init))
        for operation in declared where !known.contains(Signature(operation)) {
            let position = schemas.firstIndex { $0.namespace == operation.name.namespace }
            if let position {
                schemas[position].operations.append(operation)
            } else {
                schemas.append(EdmSchema(namespace: operation.name.namespace, operations: [operation]))
            }
        }
        let importNames = Set(schemas.flatMap(\.operationImports).map(\.name))
        let container = schemas.firstIndex { $0.container != nil } ?? schemas.indices.first
        for item in imports where !importNames.contains(item.name) {
            guard let container else { continue }
            schemas[container].operationImports.append(item)
        }
        return EdmModel.lenient(schemas: schemas, references: model.references).model
    }
}
