/// An entity as a value: what an app gets to see of a row.
public struct Entity: Hashable, Sendable {
    /// What an expanded navigation property holds.
    public enum Expanded: Hashable, Sendable {
        case one(Entity?)
        case many([Entity], count: Int64?)
    }

    /// Control information of one stream.
    public struct StreamInfo: Hashable, Sendable {
        public var readLink: String?
        public var editLink: String?
        public var contentType: String?
        public var etag: String?
        /// The bytes, where the query expands the stream; nil too where the store has none.
        public var content: [UInt8]?

        public init(_ stream: RowMedia.Stream) {
            readLink = stream.readLink
            editLink = stream.editLink
            contentType = stream.contentType
            etag = stream.etag
            content = stream.content
        }
    }

    public var type: StructuredType
    public var entitySet: EntitySet?
    /// `@odata.id`, relative to the service root where the store knows it.
    public var id: String?
    public var etag: String?
    public var properties: ComplexValue
    public var expanded: [String: Expanded]
    /// The stream of a media entity.
    public var media: StreamInfo?
    /// Named stream properties.
    public var streams: [String: StreamInfo]
    /// Instance annotations by term (`OfflineStore.isLocal`), where the store was asked for them.
    public var annotations: [String: Value] = [:]

    public init(
        type: StructuredType, entitySet: EntitySet? = nil, id: String? = nil, etag: String? = nil,
        properties: ComplexValue = ComplexValue(), expanded: [String: Expanded] = [:], media: StreamInfo? = nil,
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

    /// The value of the named property; nil if the entity came without it.
    public subscript(name: String) -> Value? { properties[name] }

    /// The key, if all its properties are there.
    public var key: EntityKey? { EntityKey(of: type, in: properties) }
}
