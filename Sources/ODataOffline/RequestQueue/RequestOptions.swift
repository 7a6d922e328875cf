/// Options of a change.
public struct RequestOptions: Hashable, Sendable {
    /// The app's name of the request, which the queue, the error archive and the results of an upload contain.
    public var tag: String?
    /// The group of requests it belongs to: an upload can be restricted to categories.
    public var category: String?
    /// Whether it may be combined with other changes of the same entity before it is sent; nil for the store's
    /// configuration.
    public var combines: Bool?

    /// No tag, no category, and combined according to the store's configuration.
    public init(tag: String? = nil, category: String? = nil, combines: Bool? = nil) {
        self.tag = tag
        self.category = category
        self.combines = combines
    }
}
