import ODataModel
import ODataQuery

/// What an operation gives.
///
/// [OData-Protocol, section 11.5]
public enum OperationResult: Sendable {
    /// Nothing: an action without a result, or a result that is null.
    case nothing
    /// A primitive or complex value, or a collection of them.
    case value(EdmValue)
    /// The entities that a query of the store gives; further options, segments and paging apply to it as if it was
    /// in the URL. For one entity the query's path leads to it.
    case query(BoundQuery)
    /// Entities of an entity set of the store, in this order: they are read by their keys.
    case members([EntityKey], of: EdmEntitySet)
    /// Entities as they are. Of the query options only `$top`, `$skip`, `$count` and `$select` apply.
    case entities([EdmEntity])

    /// One entity as it is.
    public static func entity(_ entity: EdmEntity) -> OperationResult { .entities([entity]) }

    /// Collections of values: `.values([.string("a")])`
    public static func values(_ values: [EdmValue]) -> OperationResult { .value(.collection(values)) }
}

/// What an action is going to do, and what it gives afterwards.
public struct ActionPlan: Sendable {
    /// Applied together, all or none; with the other requests of the change set where the action is called in one.
    public var changes: [ChangeRequest]
    /// A query is evaluated after the changes.
    public var result: OperationResult

    /// An action that changes nothing and gives nothing, unless something else is said.
    public init(_ changes: [ChangeRequest] = [], result: OperationResult = .nothing) {
        self.changes = changes
        self.result = result
    }
}
