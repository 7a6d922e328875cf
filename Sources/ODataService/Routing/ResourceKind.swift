import ODataQuery
import ODataStores

/// What kind of resource a URL stands for: with the method it decides which action responds.
///
/// [OData-URL, section 4]
enum ResourceKind: Hashable, Sendable, CaseIterable {
    /// The service root.
    case serviceDocument
    /// `$metadata`
    case metadata
    /// `$batch`
    case batch
    /// `Products`, `Categories(1)/Products`, `$all`, `$crossjoin(Products,Sales)`, a function that gives entities
    case collection
    /// `Products/$filter(Price gt 5)/$each`
    case members
    /// `Products(1)`, `Products(1)/Category`
    case entity
    /// `Products/$count`
    case count
    /// `Products(1)/Orders/$ref`
    case references
    /// `Products(1)/Category/$ref`
    case reference
    /// `Products(1)/Name`
    case property
    /// `Products(1)/Address`: a complex value
    case complexProperty
    /// `Products(1)/Tags`: a collection of values
    case collectionProperty
    /// `Products(1)/Name/$value`
    case rawValue
    /// `Photos(1)/$value`
    case media
    /// `Employees(1)/Photo`
    case stream
    /// `Model.Distance(to='x')`: a value that a function gives
    case functionValue
    /// `Model.Distance(to='x')/$value`
    case rawFunctionValue
    /// `Products(1)/Model.Approve`
    case action

    init(_ resource: BoundResource) throws {
        switch resource {
        case .serviceDocument: self = .serviceDocument
        case .metadata: self = .metadata
        case .batch: self = .batch
        case .query(let query): try self.init(query.path)
        }
    }

    private init(_ path: ResourcePath) throws {
        if path.lastCall?.operation.kind == .action {
            self = .action
            return
        }
        if case .each = path.segments.last {
            self = .members
            return
        }
        switch (path.target, path.suffix) {
        case (.collection, nil): self = .collection
        case (.entity, nil): self = .entity
        case (.collection, .count?), (.property, .count?), (.value, .count?): self = .count
        case (.collection, .ref?): self = .references
        case (.entity, .ref?): self = .reference
        case (.property(let property), nil):
            switch property.type {
            case .complex: self = .complexProperty
            case .collection: self = .collectionProperty
            default: self = .property
            }
        case (.property, .value?): self = .rawValue
        case (.entity, .value?): self = .media
        case (.stream, nil), (.stream, .value?): self = .stream
        case (.value, nil), (.nothing, nil): self = .functionValue
        case (.value, .value?): self = .rawFunctionValue
        default: throw ServiceFailure(.notFound, "There is no such resource as \(path.url).")
        }
    }
}
