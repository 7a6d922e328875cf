import ODataSQL

/// A table of the store that does not depend on the model.
///
/// `"SELECT max(\"id\") FROM \(.queue)"`
struct StoreTable: Sendable {
    /// `$queue`
    let name: String
    /// `"$queue"`
    let sqlName: String

    private init(_ name: String) {
        self.name = "$" + name
        sqlName = quoted(self.name)
    }

    /// One value each: the metadata document, the counter of row ids, the number of holder words.
    static let store = StoreTable("store")
    /// Defining queries.
    static let query = StoreTable("query")
    /// The nodes of the queries' expand trees.
    static let node = StoreTable("node")
    /// Rows made here and sent, until each query's next download has said whether they belong to it.
    static let claim = StoreTable("claim")
    /// Temporary keys, and the rows that have had them.
    static let alias = StoreTable("alias")
    /// The lengths of media streams.
    static let media = StoreTable("media")
    /// Requests that wait.
    static let queue = StoreTable("queue")
    /// Which other rows a request refers to.
    static let reference = StoreTable("reference")
    /// The error archive.
    static let error = StoreTable("error")
    /// What downloads, uploads and other work of the store have done.
    static let event = StoreTable("event")
    /// What distinguishes versions of streams whose ETag the entities' payloads do not contain: see
    /// ``StreamValidator``.
    static let streamTag = StoreTable("streamtag")
    /// The media types that payloads contain for streams whose content was sent with another one; empty without one.
    static let streamType = StoreTable("streamtype")
    /// The content of attachments.
    static let attachment = StoreTable("attachment")
    /// Uploads of streams in parts.
    static let transfer = StoreTable("transfer")
    /// Streams that are not evicted.
    static let pin = StoreTable("pin")

    static let names = Set(
        [
            store, query, node, claim, alias, media, queue, reference, error, event, streamTag, streamType, attachment,
            transfer, pin,
        ].map(\.name))
}

extension DefaultStringInterpolation {
    /// `"$queue"`
    mutating func appendInterpolation(_ table: StoreTable) { appendLiteral(table.sqlName) }
}

extension SQLFragment.StringInterpolation {
    /// `"$queue"`
    mutating func appendInterpolation(_ table: StoreTable) { appendInterpolation(identifier: table.name) }
}
