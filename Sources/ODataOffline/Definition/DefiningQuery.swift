/// A query whose results an offline store holds.
///
///     DefiningQuery(name: "orders", query: "Orders?$filter=Status eq 'open'&$expand=Items")
///     DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true)
///     DefiningQuery(name: "plan", query: "Photos(7)", retrievesStreams: true)      one media entity by its read link
public struct DefiningQuery: Hashable, Sendable {
    /// What the query is called in downloads; unique in the store.
    public var name: String
    /// A URL relative to the service root, percent-encoded or typed raw: an entity set or one entity with options.
    public var query: String
    /// Whether the media streams and stream properties of all its entities are downloaded too, also of those that
    /// come by `$expand`.
    public var retrievesStreams: Bool

    public init(name: String, query: String, retrievesStreams: Bool = false) {
        self.name = name
        self.query = query
        self.retrievesStreams = retrievesStreams
    }
}
