/// What an app may say of a change besides the change itself.
public struct RequestOptions: Hashable, Sendable {
    /// What the app calls the request: found again in the queue, the error archive and the results of an upload.
    public var tag: String?
    /// The group of requests it belongs to: an upload may be of some categories only.
    public var category: String?
    /// Whether it may become one request with others of the same entity before it is sent; nil: as the store is
    /// configured.
    public var combines: Bool?

    /// Without values: no tag, no category, and combined as the store is configured.
    public init(tag: String? = nil, category: String? = nil, combines: Bool? = nil) {
        self.tag = tag
        self.category = category
        self.combines = combines
    }
}
