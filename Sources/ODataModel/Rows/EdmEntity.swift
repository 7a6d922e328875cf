/// An entity as a value: what an app gets to see of a row.
public struct EdmEntity: Hashable, Sendable {
    /// What an expanded navigation property holds.
    public enum Expanded: Hashable, Sendable {
        /// The related entity of a single-valued navigation property; nil where there is none.
        case one(EdmEntity?)
        /// The related entities in the response, and their number (`Items@odata.count`); nil where not asked for.
        /// With `$expand=Items/$count` there is a count and no entity.
        case many([EdmEntity], count: Int64?)
    }

    /// Control information of one stream.
    public struct StreamInfo: Hashable, Sendable {
        /// Where the stream is read (`@odata.mediaReadLink`), as sent; nil where the payload does not say.
        /// [OData-JSON, section 4.5.12]
        public var readLink: String?
        /// Where the stream is written (`@odata.mediaEditLink`), as sent; nil where the payload does not say.
        public var editLink: String?
        /// The media type of the stream (`@odata.mediaContentType`): `image/png`; nil where it is not known.
        public var contentType: String?
        /// The ETag of the stream (`@odata.mediaEtag`), not that of the entity; nil where the payload has none.
        public var etag: String?
        /// The bytes, where the query expands the stream; nil too where the store has none.
        public var content: [UInt8]?

        /// Takes over what a row describes a stream.
        public init(_ stream: RowMedia.Stream) {
            readLink = stream.readLink
            editLink = stream.editLink
            contentType = stream.contentType
            etag = stream.etag
            content = stream.content
        }
    }

    /// The entity's own type, which may derive from that of its set.
    public var type: EdmStructuredType
    /// The set that the entity belongs to; nil where the model does not specify it.
    public var entitySet: EdmEntitySet?
    /// `@odata.id`, relative to the service root where the store knows it.
    public var id: String?
    /// `@odata.etag` as sent, with quotes and `W/`, to be sent back in `If-Match`; nil where the payload has none.
    /// [OData-JSON, section 4.5.10]
    public var etag: String?
    /// Where the entity is changed (`@odata.editLink`), relative to the service root or absolute; nil if it follows
    /// from its key. [OData-JSON, section 4.5.8]
    public var editLink: String?
    /// The structural properties in the response, dynamic ones last. Streams and keys that were not selected are not
    /// there.
    public var properties: EdmComplexValue
    /// What is expanded, by the name of the navigation property; in complex properties by its path: `Address/Country`.
    /// A navigation property that the payload did not have is not there.
    public var expanded: [String: Expanded]
    /// The stream of a media entity.
    public var media: StreamInfo?
    /// Named stream properties.
    public var streams: [String: StreamInfo]
    /// Instance annotations by term (`OfflineStore.isLocal`), where the store was asked for them.
    public var annotations: [String: EdmValue] = [:]
    /// The ``id`` that the entity had first on this device, where an offline store gave it a temporary key, or the
    /// service has changed its key since: `Orders(-2147483647)`. It stays when the entity is uploaded, and leads to the
    /// entity in paths of that store. Nil for all others, whose id does not change.
    public var firstID: String?

    /// An entity made by hand. ``annotations`` and ``firstID`` are set afterwards.
    public init(
        type: EdmStructuredType, entitySet: EdmEntitySet? = nil, id: String? = nil, etag: String? = nil,
        properties: EdmComplexValue = EdmComplexValue(), expanded: [String: Expanded] = [:], media: StreamInfo? = nil,
        streams: [String: StreamInfo] = [:]
    ) {
        self.type = type
        self.entitySet = entitySet
        self.id = id
        self.etag = etag
        self.properties = properties
        self.expanded = expanded
        self.media = media
        self.streams = streams
    }

    /// The value of the named property; nil if the response omits it.
    public subscript(name: String) -> EdmValue? { properties[name] }

    /// The key, if all its properties are there.
    public var key: EntityKey? { EntityKey(of: type, in: properties) }
}
