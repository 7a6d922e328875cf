/// The tables that the store keeps in a published file for itself. They are never published.
enum Bookkeeping {
    static let prefix = "odata_store_"
    /// One entry per entity that changed.
    static let changeLog = prefix + "changes"
    /// The identity of the log and its first position.
    static let logInfo = prefix + "log"
    /// Versions of streams.
    static let streams = prefix + "streams"
    /// The mark of references to streams in the media folder.
    static let media = prefix + "media"
    /// Temporary: references that a transaction has removed from their rows.
    static let released = prefix + "released"
    /// Uploads in several requests.
    static let uploads = prefix + "uploads"
    /// Repeatable requests and their results.
    static let requests = prefix + "requests"

    static func owns(_ table: String) -> Bool { table.lowercased().hasPrefix(prefix) }
}
