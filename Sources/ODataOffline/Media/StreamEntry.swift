/// A stream of an entity in an offline store: of a media entity, or a stream property with content.
public struct StreamEntry: Hashable, Sendable {
    /// The location of a stream's content.
    public enum State: String, Hashable, Sendable {
        /// On the device, in the service's version.
        case inStore
        /// Not on the device: no query with streams holds it, it was not downloaded yet, or it was lost.
        case missing
        /// Evicted, or too large for the quota: fetched when it is read, not by a refresh.
        case evicted
        /// Set on the device and not sent.
        case unsent
    }

    /// `Photos(1)`, `Customers('A')/Logo`
    public var path: String
    /// `image/jpeg`, where known.
    public var contentType: String?
    /// In bytes; nil where the stream is not on the device.
    public var length: Int64?
    /// The SHA-256 of its bytes; nil if they were never received. ``StoreCheck`` identifies streams by it.
    public var digest: String?
    /// Whether a read needs the service, and whether an upload has something to send.
    public var state: State
    /// Whether it is never evicted: ``OfflineStore/pin(_:)``.
    public var isPinned: Bool
    /// The bytes of its thumbnails.
    public var thumbnailBytes: Int64 = 0
    /// The bytes of its partial content, or that of another version, which a download continues.
    public var partialBytes: Int64 = 0
}

/// The bytes in the media folder, also those of other stores that share it, which count for
/// ``OfflineStore/Configuration/mediaQuota``.
public struct MediaUse: Hashable, Sendable {
    /// Of complete streams.
    public var streams: Int64
    /// Of their thumbnails.
    public var thumbnails: Int64
    /// Of partial streams.
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
