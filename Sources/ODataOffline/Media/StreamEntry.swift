/// A stream of an entity in an offline store: of a media entity, or a stream property with content.
public struct StreamEntry: Hashable, Sendable {
    /// Where the content of a stream is.
    public enum State: String, Hashable, Sendable {
        /// On the device, in the service's version.
        case inStore
        /// Not on the device: no query with streams holds it, it has not come yet, or it was lost.
        case missing
        /// Made room for others, or did not fit beside them: fetched when it is read, not by a refresh.
        case evicted
        /// Set here, on the device and not sent.
        case unsent
    }

    /// `Photos(1)`, `Customers('A')/Logo`
    public var path: String
    /// `image/jpeg`, where known.
    public var contentType: String?
    /// In bytes; nil where the stream is not on the device.
    public var length: Int64?
    /// The SHA-256 of its bytes; nil where they have never come. ``StoreCheck`` names streams by it.
    public var digest: String?
    /// Whether a read needs the service, and whether an upload has something to send.
    public var state: State
    /// Whether it makes no room for others: ``OfflineStore/pin(_:)``.
    public var isPinned: Bool
    /// The bytes of the thumbnails that were made out of it.
    public var thumbnailBytes: Int64 = 0
    /// The bytes that have come of it, or of another version, and are not complete: a download continues them.
    public var partialBytes: Int64 = 0
}

/// The bytes in the media folder, those of other stores that share it too: what counts for
/// ``OfflineStore/Configuration/mediaQuota``.
public struct MediaUse: Hashable, Sendable {
    /// Of complete streams.
    public var streams: Int64
    /// Of the thumbnails that were made out of them.
    public var thumbnails: Int64
    /// Of what has come of streams that are not complete.
    public var partialStreams: Int64

    /// All three in bytes.
    public init(streams: Int64 = 0, thumbnails: Int64 = 0, partialStreams: Int64 = 0) {
        self.streams = streams
        self.thumbnails = thumbnails
        self.partialStreams = partialStreams
    }

    /// The sum of the three, which ``OfflineStore/Configuration/mediaQuota`` is compared with.
    public var total: Int64 { streams + thumbnails + partialStreams }
}
