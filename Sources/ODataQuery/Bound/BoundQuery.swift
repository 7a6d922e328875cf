import ODataModel

/// A request for data, checked against a model: a resource path and query options.
///
/// [OData-URL, sections 4 and 5]
public struct BoundQuery: Hashable, Sendable {
    public var path: ResourcePath
    public var options: QueryOptions

    public init(path: ResourcePath, options: QueryOptions = QueryOptions()) {
        self.path = path
        self.options = options
    }
}
