import ODataQuery

/// What kind of resource a URL stands for: with the method it decides who answers.
///
/// [OData-URL, section 4]
enum ResourceKind: Hashable, Sendable, CaseIterable {
    /// The service root.
    case serviceDocument
    /// `$metadata`
    case metadata
    /// `$batch`
    case batch
    /// `Products`, `Categories(1)/Products`
    case collection
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
    /// `Products(1)/Name/$value`
    case rawValue
    /// `Photos(1)/$value`
    case media
    /// `Employees(1)/Photo`
    case stream

    init(_ resource: BoundResource) throws {
        switch resource {
        case .serviceDocument: self = .serviceDocument
        case .metadata: self = .metadata
        case .batch: self = .batch
        case .query(let query): try self.init(query.path)
        }
    }

    private init(_ path: ResourcePath) throws {
        switch (path.target, path.suffix) {
        case (.collection, nil): self = .collection
        case (.entity, nil): self = .entity
        case (.collection, .count?), (.property, .count?): self = .count
        case (.collection, .ref?): self = .references
        case (.entity, .ref?): self = .reference
        case (.property, nil): self = .property
        case (.property, .value?): self = .rawValue
        case (.entity, .value?): self = .media
        case (.stream, nil), (.stream, .value?): self = .stream
        default: throw ServiceFailure(.notFound, "There is no such resource as \(path.url).")
        }
    }
}
