import ODataModel
import ODataQuery

/// A call of an operation: what it is called on and with, and the store below.
public struct OperationInvocation: Sendable {
    /// The overload that is called.
    public let operation: EdmOperationDeclaration
    /// The arguments without the binding parameter, of the parameters' types. Optional parameters that the call left
    /// out are absent.
    public let arguments: EdmComplexValue
    /// The resource that a bound operation is called on, as a path of ``store``; nil for unbound operations.
    public let binding: ResourcePath?
    /// The store without the operations. Reads and changes have the time limit of the request; a change that brings a
    /// stream has none, since a long stream takes the time that it needs to arrive.
    public let store: any ODataStore
    /// The model with the operations.
    public let model: EdmModel

    /// The value of the named argument; null where it was left out.
    public subscript(name: String) -> EdmValue { arguments[name] ?? .null }

    /// The entity that the operation is bound to.
    ///
    /// - Throws: ``ODataError`` `notFound` where there is none.
    public func boundEntity() async throws -> EdmEntity {
        guard let entity = try await boundEntities().first else {
            throw ODataError(.notFound, "There is no entity to call \(operation.name) on.")
        }
        return entity
    }

    /// The entities that the operation is bound to, all in memory.
    public func boundEntities() async throws -> [EdmEntity] {
        guard let binding else { return [] }
        return try await store.entities(BoundQuery(path: binding))
    }

    /// The entity set with this name.
    public func entitySet(_ name: String) throws -> EdmEntitySet {
        guard let set = model.entitySet(named: name) else {
            throw ODataError(.internalError, "The model has no entity set \(name).")
        }
        return set
    }
}

/// Responds to a function. It must change nothing.
public typealias FunctionHandler = @Sendable (OperationInvocation) async throws -> OperationResult

/// Says what an action does, without doing it: the store does it.
public typealias ActionPlanner = @Sendable (OperationInvocation) async throws -> ActionPlan
