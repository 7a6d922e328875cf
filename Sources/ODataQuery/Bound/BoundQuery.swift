import ODataModel

/// A request for data, checked against a model: a resource path and query options.
///
/// [OData-URL, sections 4 and 5]
public struct BoundQuery: Hashable, Sendable {
    /// What is asked for; it may end with `$count`, `$value` or `$ref`.
    public var path: ResourcePath
    /// The query options of the URL; none ask for the resource as it is.
    public var options: QueryOptions

    /// Checks nothing: ``QueryParser`` makes queries whose parts fit a model.
    public init(path: ResourcePath, options: QueryOptions = QueryOptions()) {
        self.path = path
        self.options = options
    }
}
