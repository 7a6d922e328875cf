/// A query whose results an offline store holds.
///
///     DefiningQuery(name: "orders", query: "Orders?$filter=Status eq 'open'&$expand=Items")
///     DefiningQuery(name: "photos", query: "Photos", retrievesStreams: true)
///     DefiningQuery(name: "plan", query: "Photos(7)", retrievesStreams: true)      one media entity by its read link
///     DefiningQuery(name: "log", query: "Entries", refresh: .changedSince("ModifiedAt"))
public struct DefiningQuery: Hashable, Sendable {
    /// How a download after the first one determines what has changed.
    public enum Refresh: Hashable, Sendable {
        /// By delta links where the service gives them for this query, else by comparison.
        case automatic
        /// By delta links, asked for even where the metadata says that changes are not tracked. Without one in the
        /// response by comparison.
        case delta
        /// Reads the entities whose property of this name is not less than the greatest value seen, and now and then,
        /// every `compareEvery` downloads, all keys, to find what is gone. A query that expands navigation properties
        /// is then compared as a whole, since a change of a related entity need not touch the property.
        ///
        /// An entity that is changed so late that its value is less than one already seen, also because the service's
        /// clock was set back, is found by its ETag when keys are read: the query is then compared as a whole. Where the
        /// service gives no ETags it is found when it changes again.
        case changedSince(String, compareEvery: Int = 10)
        /// Reads everything and compares by key and ETag; where there are no ETags, by value. What has not changed is
        /// not written.
        case comparison
    }

    /// What the query is called in downloads; unique in the store.
    public var name: String
    /// A URL relative to the service root, percent-encoded or typed raw: an entity set or one entity with options.
    public var query: String
    /// Whether the media streams and stream properties of all its entities are downloaded too, also of those that
    /// come by `$expand`.
    public var retrievesStreams: Bool
    /// How downloads after the first find what has changed; see ``OfflineStore/setRefresh(_:checksStreams:of:)``.
    public var refresh: Refresh
    /// Whether each stream that is here is asked for at every download, with its ETag as a condition: for services
    /// whose payloads have no stream ETags, since a new stream does not change its entity. Stream properties of which
    /// the service reports nothing are asked for too, those without content once for each version of their entity;
    /// without this they come only when they are read.
    public var checksStreams: Bool

    /// Checks nothing: ``OfflineStore/addQuery(_:)`` does, or ``OfflineStore/open()`` where no metadata are known yet.
    public init(
        name: String, query: String, retrievesStreams: Bool = false, refresh: Refresh = .automatic,
        checksStreams: Bool = false
    ) {
        self.name = name
        self.query = query
        self.retrievesStreams = retrievesStreams
        self.refresh = refresh
        self.checksStreams = checksStreams
    }
}
